#include "memory/translation/sm_translations.h"

#include <catch2/catch.hpp>

namespace warpsim {
namespace {

constexpr Address kRegion = 1U << 20U;

TranslationConfig two_entries() {
  TranslationConfig config;
  config.enabled = true;
  config.starts_full = false;
  config.sm_entries = 2;
  config.page_kib = 1024;
  config.sm_entry_pages = 1;
  config.sm_misses = 3;
  return config;
}

void translate(SmTranslations& translations, std::size_t port, Address line) {
  translations.waits(port);
  translations.translated(port, line);
}

TEST_CASE("SmTranslations: each port has translations of its own") {
  SmTranslations translations(two_entries(), 2);
  CHECK_FALSE(translations.has(0, 0));
  translate(translations, 0, 0);
  CHECK(translations.has(0, kRegion - 128));
  CHECK_FALSE(translations.has(1, 0));
}

TEST_CASE("SmTranslations: repeated uses of the latest region count as uses") {
  SmTranslations translations(two_entries(), 1);
  translate(translations, 0, 0);
  translate(translations, 0, kRegion);
  CHECK(translations.has(0, 0));
  CHECK(translations.has(0, 128));
  translate(translations, 0, 2 * kRegion);  // replaces the region at kRegion
  CHECK(translations.has(0, 0));
  CHECK_FALSE(translations.has(0, kRegion));
  translations.clear();
  CHECK_FALSE(translations.has(0, 0));
}

TEST_CASE("SmTranslations: a port whose addresses are all translated never misses") {
  SmTranslations translations(two_entries(), 2);
  translations.translate_all(1);
  for (const Address line : {Address{0}, 100 * kRegion, (Address{1} << 49U) - 128}) {
    CHECK(translations.has(1, line));
  }
  translations.clear();
  CHECK(translations.has(1, 7 * kRegion));
  CHECK_FALSE(translations.has(0, 7 * kRegion));
}

TEST_CASE("SmTranslations: as many requests of a port wait as configured") {
  SmTranslations translations(two_entries(), 2);
  for (int i = 0; i < 3; ++i) {
    CHECK(translations.can_wait(0));
    translations.waits(0);
  }
  CHECK_FALSE(translations.can_wait(0));
  CHECK(translations.can_wait(1));
  translations.translated(0, 0);
  CHECK(translations.can_wait(0));
}

}  // namespace
}  // namespace warpsim
