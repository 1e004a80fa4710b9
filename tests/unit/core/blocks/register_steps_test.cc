#include "core/blocks/register_steps.h"

#include <catch2/catch.hpp>

#include "config/config_tree.h"
#include "config/gpu_files.h"
#include "core/gpu/gpu_config.h"

namespace warpsim {
namespace {

using Steps = std::vector<std::uint32_t>;

OccupancyConfig config_of(const std::string& file) {
  return ConfigTree::load(file, {}).read<GpuConfig>().occupancy;
}

Steps steps_of(const std::string& gpu) {
  return register_steps(config_of(find_gpu_file(gpu)));
}

// 65,536 registers of an SM, in units of 8 per thread, for warps in each of 4 sub-partitions.
TEST_CASE("register steps: the most registers with which 16, 12, 10, 9 ... warps of a sub-partition fit") {
  CHECK(steps_of("a100") == Steps{32, 40, 48, 56, 64, 72, 80, 96, 128, 168, 255});
  CHECK(steps_of("h200") == Steps{32, 40, 48, 56, 64, 72, 80, 96, 128, 168, 255});
  CHECK(steps_of("v100") == Steps{32, 40, 48, 56, 64, 72, 80, 96, 128, 168, 255});
}

TEST_CASE("register steps: fewer warps of an SM leave more registers for the first step") {
  CHECK(steps_of("t4") == Steps{64, 72, 80, 96, 128, 168, 255});
  CHECK(steps_of("rtx3070") == Steps{40, 48, 56, 64, 72, 80, 96, 128, 168, 255});
}

TEST_CASE("register steps: every shipped GPU has ascending steps up to the maximum of a thread") {
  for (const ShippedGpu& gpu : shipped_gpus()) {
    INFO(gpu.name);
    const OccupancyConfig config = config_of(gpu.path);
    const Steps steps = register_steps(config);
    CHECK(std::is_sorted(steps.begin(), steps.end()));
    CHECK(steps.back() == config.registers_per_thread);
    CHECK(steps.size() >= 3);
  }
}

}  // namespace
}  // namespace warpsim
