#include "core/sm/sm_config.h"

#include <catch2/catch.hpp>

#include "support/machine.h"

namespace warpsim::test {
namespace {

TEST_CASE("Sub-cores compete for issue slots or for units that they share") {
  SmConfig config = tiny_config().sm;
  for (UnitConfig& unit : config.execution.units) {
    unit.shared = false;
  }
  config.sub_core.issue.fp64_takes_all_slots = false;
  CHECK_FALSE(sub_cores_compete(config));
  config.sub_core.issue.fp64_takes_all_slots = true;
  CHECK(sub_cores_compete(config));
  config.sub_core.issue.fp64_takes_all_slots = false;
  config.execution.units.back().shared = true;
  CHECK(sub_cores_compete(config));
}

}  // namespace
}  // namespace warpsim::test
