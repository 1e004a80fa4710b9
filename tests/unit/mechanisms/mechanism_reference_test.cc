#include "mechanisms/mechanism_reference.h"

#include <catch2/catch.hpp>
#include <set>

#include "config/config_document.h"
#include "core/gpu/gpu_config.h"
#include "mechanisms/mechanism_name.h"

namespace warpsim {
namespace {

TEST_CASE("Every shipped mechanism is described, under keys that a GPU description has") {
  const std::string reference = config_reference<GpuConfig>();
  for (const MechanismKind& kind : shipped_mechanism_kinds()) {
    INFO(kind.title);
    CHECK(kind.mechanisms.size() >= 2);
    for (const std::string& key : kind.chosen_by) {
      const std::size_t dot = key.rfind('.');
      CHECK(reference.find("`" + key.substr(0, dot) + "`") != std::string::npos);
      CHECK(reference.find("| `" + key.substr(dot + 1) + "_options` |") != std::string::npos);
    }
    std::set<std::string> names;
    for (const MechanismText& mechanism : kind.mechanisms) {
      CHECK(names.insert(mechanism.name).second);
      CHECK(is_mechanism_name(mechanism.name));
      CHECK(mechanism.sentence.size() > 10);
      CHECK(reference.find("`" + mechanism.name + "`") != std::string::npos);
    }
  }
}

TEST_CASE("The reference of a mechanism has the ranges and defaults of its keys") {
  bool found = false;
  for (const MechanismKind& kind : shipped_mechanism_kinds()) {
    for (const MechanismText& mechanism : kind.mechanisms) {
      if (mechanism.name == "srrip") {
        REQUIRE(mechanism.keys.size() == 1);
        CHECK(mechanism.keys[0].name == "prediction_bits");
        CHECK(mechanism.keys[0].standard == "2");
        found = true;
      }
    }
  }
  CHECK(found);
}

}  // namespace
}  // namespace warpsim
