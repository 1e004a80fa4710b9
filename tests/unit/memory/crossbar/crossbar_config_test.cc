#include "memory/crossbar/crossbar_config.h"

#include <catch2/catch.hpp>

#include "core/gpu/gpu_config.h"
#include "support/machine.h"

namespace warpsim::test {
namespace {

TEST_CASE("CrossbarConfig: values out of range and networks that do not exist are refused") {
  CHECK_THROWS_WITH(tiny_config({"crossbar.slice_queue_entries=0"}), Catch::Contains("slice_queue_entries"));
  CHECK_THROWS_WITH(tiny_config({"crossbar.network=torus"}), Catch::Contains("none, ring, mesh or LIBRARY:NAME"));
  CHECK_THROWS_WITH(tiny_config({"crossbar.network=ring", "crossbar.network_options.hop_cycles=0"}),
                    Catch::Contains("hop_cycles"));
  CHECK(tiny_config({"crossbar.network=mesh"}).memory.crossbar.network.chosen());
}

}  // namespace
}  // namespace warpsim::test
