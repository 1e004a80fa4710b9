#include "core/blocks/placement_mechanism.h"

#include <catch2/catch.hpp>

#include "base/error.h"
#include "core/blocks/block_placement.h"
#include "mechanisms/block_placements/fill_first.h"
#include "support/machine.h"
#include "unit/core/h200_limits.h"

namespace warpsim::test {
namespace {

class FarAway final : public mechanism::BlockPlacement {
 public:
  FarAway(const Settings& /*settings*/, const Site& /*site*/, mechanism::Counters& /*counters*/) {}
  std::uint32_t choose(const mechanism::SmSpace* /*sms*/, std::uint64_t /*left*/) override { return 1000; }
};

TEST_CASE("PlacementMechanism: an SM that does not exist is refused") {
  GpuConfig config = tiny_config();
  config.block_scheduler.placement.policy = BlockPlacementPolicy::kMechanism;
  config.block_scheduler.placement.mechanism = {
      "far", mechanism::entry_of<FarAway>("far", "an SM that does not exist").make_factory()};
  KernelBuilder k;
  k.exit();
  SyntheticKernel kernel(k, {});
  Machine gpu(config, {});
  CHECK_THROWS_WITH(run_on(gpu, kernel), Catch::Contains("block placement 'far' chose SM 1000"));
}

TEST_CASE(
    "PlacementMechanism: the blocks of a small grid are on one SM with fill_first, on two with the usual policy") {
  KernelBuilder k;
  k.loop(50, [&] { k.ffma(4, 4, 1, 2).stall(4); });
  k.exit();
  const KernelShape shape{.blocks = 2, .warps = 4};
  const auto busy_sms = [&](const Overrides& overrides) {
    const KernelRun launch = run(k, shape, overrides);
    std::uint32_t busy = 0;
    for (const char* sm : {"sm[0]", "sm[1]"}) {
      for (const auto& [name, value] : launch.statistics) {
        if (name.find(std::string(sm) + ".sub_core[0].inst_executed") != std::string::npos && value > 0) {
          ++busy;
          break;
        }
      }
    }
    return busy;
  };
  CHECK(busy_sms({}) == 2);
  CHECK(busy_sms({"block_scheduler.placement.policy=fill_first"}) == 1);
}

}  // namespace
}  // namespace warpsim::test
