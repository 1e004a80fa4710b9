#include "core/gpu/gpu_config.h"

#include <catch2/catch.hpp>

#include "base/error.h"
#include "config/config_tree.h"
#include "core/load_store/load_store_config.h"
#include "core/sub_core/sub_core_config.h"
#include "memory/crossbar/l2_request_coalescer.h"
#include "memory/l2/l2_config.h"
#include "memory/l2/l2_fabric.h"
#include "memory/memory_config.h"
#include "support/machine.h"

namespace warpsim::test {
namespace {

using Catch::Matchers::Contains;

TEST_CASE("The shipped descriptions are complete and free of contradictions") {
  CHECK(tiny_config().topology.gpc_tpcs == std::vector<std::uint32_t>{1});
  const GpuConfig h200 = ConfigTree::load(WARPSIM_SOURCE_DIR "/configs/h200.yaml", {}).read<GpuConfig>();
  CHECK(h200.name == "NVIDIA H200");
  CHECK(h200.sm.sub_cores * h200.sm.sub_core.warp_slots == 64);
}

TEST_CASE("No switch of the shipped descriptions enables an idealisation") {
  for (const char* name : {"test_tiny", "h200"}) {
    INFO(name);
    const GpuConfig config =
        ConfigTree::load(std::string(WARPSIM_SOURCE_DIR "/configs/") + name + ".yaml", {}).read<GpuConfig>();
    CHECK_FALSE(config.sm.sub_core.fetch.perfect);
    CHECK_FALSE(config.sm.sub_core.register_file.ideal);
    CHECK_FALSE(config.sm.execution.ideal);
    CHECK_FALSE(config.sm.l1.perfect);
    CHECK_FALSE(config.sm.l1.unlimited_mshrs);
    CHECK_FALSE(config.sm.constant_caches.perfect);
    CHECK_FALSE(config.gpc_cache.perfect);
    CHECK_FALSE(config.memory.crossbar.zero_latency);
    CHECK_FALSE(config.memory.crossbar.unlimited_bandwidth);
    CHECK_FALSE(config.memory.l2.perfect);
    CHECK_FALSE(config.memory.l2.unlimited_mshrs);
    CHECK_FALSE(config.memory.l2.unlimited_bandwidth);
    CHECK_FALSE(config.memory.l2_fabric.zero_latency);
    CHECK_FALSE(config.memory.l2_fabric.unlimited_bandwidth);
    CHECK_FALSE(config.memory.dram.ideal);
  }
}

TEST_CASE("Warp slots of the sub-cores and warps of the SM must agree") {
  CHECK_THROWS_WITH(tiny_config({"sm.sub_core.warp_slots=3"}),
                    Contains("sub_cores times sub_core.warp_slots is 12") && Contains("warps_per_sm = 8"));
  CHECK_NOTHROW(tiny_config({"sm.sub_core.warp_slots=4", "occupancy.warps_per_sm=16"}));
}

TEST_CASE("The address stage must be faster than the latencies that contain it") {
  for (const char* key : {"sm.load_store.shared_latency_cycles=5", "sm.load_store.shared_atomic_latency_cycles=5",
                          "sm.l1.hit_latency_cycles=5"}) {
    INFO(key);
    CHECK_THROWS_WITH(tiny_config({key}), Contains("address_latency_cycles"));
  }
  CHECK_NOTHROW(tiny_config({"sm.load_store.shared_latency_cycles=6"}));
}

TEST_CASE("Values out of range and unknown words are refused with the key") {
  CHECK_THROWS_WITH(tiny_config({"sm.sub_core.fetch.buffer_entries=9"}), Contains("buffer_entries"));
  CHECK_THROWS_WITH(tiny_config({"sm.sub_core.scheduler.policy=fifo"}), Contains("policy") && Contains("cggty"));
  CHECK_THROWS_WITH(tiny_config({"sm.l1.perfct=true"}), Contains("perfct") && Contains("perfect"));
  CHECK_THROWS_WITH(tiny_config({"clocks.core_mhz=0"}), Contains("core_mhz"));
}

TEST_CASE("Every scheduling policy can be chosen by name") {
  CHECK(tiny_config({"sm.sub_core.scheduler.policy=gto"}).sm.sub_core.scheduler.policy == SchedulerPolicy::kGto);
  CHECK(tiny_config({"sm.sub_core.scheduler.policy=lrr"}).sm.sub_core.scheduler.policy == SchedulerPolicy::kLrr);
  CHECK(tiny_config({"sm.sub_core.scheduler.policy=two_level"}).sm.sub_core.scheduler.policy ==
        SchedulerPolicy::kTwoLevel);
}

}  // namespace
}  // namespace warpsim::test
