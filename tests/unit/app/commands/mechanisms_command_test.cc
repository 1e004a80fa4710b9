#include "app/commands/mechanisms_command.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/error.h"
#include "support/temporary_folder.h"

namespace warpsim {
namespace {

std::string printed(const MechanismsOptions& options) {
  std::ostringstream out;
  CHECK(mechanisms_command(options, out) == 0);
  return out.str();
}

TEST_CASE("mechanisms.md is what warpsim mechanisms --markdown prints") {
  INFO("update it with: warpsim mechanisms --markdown > docs/mechanisms.md");
  CHECK(TemporaryFolder::read(WARPSIM_SOURCE_DIR "/docs/mechanisms.md") == printed({.markdown = true}));
}

TEST_CASE("mechanisms lists names, keys and counters as text and as JSON") {
  const std::string text = printed({});
  CHECK(text.find("Replacement (sm.l1.replacement, l2.replacement)\n") != std::string::npos);
  CHECK(text.find("    key prediction_bits: 1 to ") != std::string::npos);
  const auto json = nlohmann::json::parse(printed({.json = true}));
  bool found = false;
  for (const auto& mechanism : json) {
    if (mechanism.at("name") == "srrip") {
      CHECK(mechanism.at("keys").at(0).at("name") == "prediction_bits");
      CHECK(mechanism.at("chosen_by").size() == 2);
      found = true;
    }
  }
  CHECK(found);
}

TEST_CASE("mechanisms refuses a file that is no library") {
  std::ostringstream out;
  CHECK_THROWS_AS(mechanisms_command({.libraries = {WARPSIM_SOURCE_DIR "/README.md"}}, out), ConfigError);
}

}  // namespace
}  // namespace warpsim
