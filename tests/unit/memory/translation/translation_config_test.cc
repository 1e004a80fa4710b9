#include "memory/translation/translation_config.h"

#include <catch2/catch.hpp>

#include "base/error.h"
#include "core/gpu/gpu_config.h"
#include "support/machine.h"

namespace warpsim::test {
namespace {

TEST_CASE("TranslationConfig: a description without the section translates everything at once") {
  CHECK_FALSE(tiny_config().memory.translation.enabled);
  CHECK(tiny_config(small_translations()).memory.translation.enabled);
  CHECK_FALSE(tiny_config({"translation.enabled=false"}).memory.translation.enabled);
}

TEST_CASE("TranslationConfig: a section needs all of its keys, and regions are powers of two") {
  CHECK_THROWS_WITH(tiny_config({"translation.enabled=true"}),
                    Catch::Contains("translation") && Catch::Contains("sm_entries"));
  CHECK_THROWS_WITH(tiny_config(small_translations() + Overrides{"translation.sm_entry_pages=3"}),
                    Catch::Contains("must be a power of two"));
  CHECK_THROWS_WITH(tiny_config(small_translations() + Overrides{"translation.page_kib=96"}),
                    Catch::Contains("page_kib") && Catch::Contains("must be a power of two"));
  CHECK_THROWS_WITH(tiny_config(small_translations() + Overrides{"translation.gpu.sets=3"}),
                    Catch::Contains("must be a power of two"));
}

TEST_CASE("TranslationConfig: the size of pages scales what entries cover") {
  const TranslationConfig config =
      tiny_config(small_translations() + Overrides{"translation.page_kib=64", "translation.gpu.entry_pages=32"})
          .memory.translation;
  CHECK(config.kib(config.sm_entry_pages) == 64);
  CHECK(config.kib(config.gpu.entry_pages) == 2048);
}

}  // namespace
}  // namespace warpsim::test
