#include "mechanisms/mechanism_keys.h"

#include <catch2/catch.hpp>

#include "base/error.h"
#include "config/config_tree.h"

namespace warpsim {
namespace {

struct Settings {
  std::uint32_t count = 4;
  double share = 0.5;
  bool fast = false;
};

Settings read_settings(const std::string& yaml) {
  Settings settings;
  ConfigTree::parse(yaml, "options.yaml", {}).read([&settings](ConfigSection& section) {
    ConfigKeys keys(section);
    keys.integer("count", settings.count, 1, 8, "how many");
    keys.real("share", settings.share, 0, 1, "which part");
    keys.boolean("fast", settings.fast, "whether");
  });
  return settings;
}

TEST_CASE("Keys of a mechanism that are absent keep their value") {
  const Settings settings = read_settings("count: 8\n");
  CHECK(settings.count == 8);
  CHECK(settings.share == 0.5);
  CHECK_FALSE(settings.fast);
}

TEST_CASE("Keys of a mechanism are read with their ranges") {
  const Settings settings = read_settings("{count: 1, share: 0.25, fast: true}\n");
  CHECK(settings.count == 1);
  CHECK(settings.share == 0.25);
  CHECK(settings.fast);
  CHECK_THROWS_WITH(read_settings("{count: 9, share: 2, fast: maybe}\n"),
                    Catch::Contains("'count' must be a decimal integer from 1 to 8, got '9'") &&
                        Catch::Contains("'share' must be a number from 0 to 1, got '2'") &&
                        Catch::Contains("'fast' must be true or false, got 'maybe'"));
}

TEST_CASE("Keys that a mechanism declares wrongly are errors") {
  const auto declare = [](const char* name, std::uint32_t standard, const char* sentence) {
    ConfigTree::parse("a: 1\n", "options.yaml", {}).read([&](ConfigSection& section) {
      ConfigKeys(section).integer(name, standard, 1, 8, sentence);
    });
  };
  CHECK_THROWS_WITH(declare("Count", 4, "how many"), Catch::StartsWith("key 'Count': expected a name"));
  CHECK_THROWS_AS(declare("count", 9, "how many"), ConfigError);
  CHECK_THROWS_AS(declare("count", 4, nullptr), ConfigError);
}

TEST_CASE("A key that a mechanism declares twice is an error, given or not") {
  for (const char* const yaml : {"count: 8\n", "{}\n"}) {
    std::uint32_t count = 4;
    bool whether = false;
    CHECK_THROWS_WITH(ConfigTree::parse(yaml, "options.yaml", {}).read([&](ConfigSection& section) {
      ConfigKeys keys(section);
      keys.integer("count", count, 1, 8, "how many");
      keys.boolean("count", whether, "whether");
    }),
                      "key 'count' is declared twice");
  }
}

}  // namespace
}  // namespace warpsim
