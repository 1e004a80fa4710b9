// Each mechanism can be disabled or idealised by its description, and cycles respond.
#include <catch2/catch.hpp>

#include "support/machine.h"

namespace warpsim::test {
namespace {

Cycle cycles(const KernelBuilder& k, const Overrides& overrides, const KernelShape& shape = {}) {
  return run(k, shape, overrides).result.elapsed_cycles;
}

// The switch shortens the kernel.
void check_shorter(const KernelBuilder& k, const std::string& idealisation, const KernelShape& shape = {},
                   const Overrides& base = {}) {
  INFO(idealisation);
  const Cycle real = cycles(k, base, shape);
  const Cycle ideal = cycles(k, base + Overrides{idealisation}, shape);
  INFO("real " << real << ", ideal " << ideal);
  CHECK(ideal < real);
}

KernelBuilder straight(std::uint32_t instructions, const std::function<void(KernelBuilder&)>& write) {
  KernelBuilder k;
  for (std::uint32_t i = 0; i < instructions; ++i) {
    write(k);
  }
  k.exit();
  return k;
}

// Loads of a line each, one after another, each waiting for the previous one.
KernelBuilder chain(std::uint32_t length, std::int64_t stride) {
  KernelBuilder k;
  k.loop(length, [&] { k.load("LDG.E.STRONG.GPU", 4, {.base = 0x10000, .round_stride = stride}).writes(0).waits(0); });
  k.exit().waits(0);
  return k;
}

// Scattered loads of several warps that do not wait for each other.
KernelBuilder flood() {
  KernelBuilder k;
  k.loop(4, [&] {
    k.ldg(4, {.base = 0x10000, .lane_stride = 256, .warp_stride = 0x8000, .round_stride = 0x40000}).writes(0);
  });
  k.exit().waits(0);
  return k;
}

TEST_CASE("A perfect L0 instruction cache shortens straight code") {
  check_shorter(straight(64, [](KernelBuilder& k) { k.ffma(4, 1, 2, 255); }), "sm.sub_core.fetch.perfect=true");
}

TEST_CASE("Prefetching instruction lines shortens straight code") {
  check_shorter(straight(64, [](KernelBuilder& k) { k.ffma(4, 1, 2, 255); }), "sm.sub_core.fetch.prefetch_lines=4");
}

TEST_CASE("A perfect GPC cache shortens cold code and cold constants") {
  check_shorter(straight(64, [](KernelBuilder& k) { k.ffma(4, 1, 2, 255); }), "gpc_cache.perfect=true");
  check_shorter(straight(2, [](KernelBuilder& k) { k.iadd_constant(4, 1, 0, 0x210); }), "gpc_cache.perfect=true");
}

TEST_CASE("An ideal register file shortens code whose operands share a bank") {
  check_shorter(straight(64, [](KernelBuilder& k) { k.ffma(4, 0, 2, 6); }), "sm.sub_core.register_file.ideal=true");
}

TEST_CASE("An ideal result bus shortens code whose loaded and computed results share a bank") {
  // While one warp waits for its load, another's additions and multiplications keep the write port of the bank taken.
  KernelBuilder k;
  k.loop(8, [&] {
    k.lds(4, {.base = 0}).writes(0);
    for (int i = 0; i < 8; ++i) {
      k.iadd(6, 1, 2);
      k.ffma(8, 1, 2, 255);
    }
    k.iadd(10, 4, 1).waits(0);
  });
  k.exit();
  check_shorter(k, "sm.sub_core.result_bus.ideal=true", {.warps = 8}, perfect_front_end());
}

TEST_CASE("Ideal pipes shorten code of one slow pipe") {
  check_shorter(straight(32, [](KernelBuilder& k) { k.mufu(4, 1); }), "sm.execution.ideal=true");
}

TEST_CASE("Perfect constant caches shorten code that reads many constants") {
  std::uint32_t offset = 0;
  check_shorter(straight(16, [&](KernelBuilder& k) { k.iadd_constant(4, 1, 0, offset += 128); }),
                "sm.constant_caches.perfect=true");
}

TEST_CASE("A perfect L1 shortens a chain of misses") {
  check_shorter(chain(8, 128), "sm.l1.perfect=true");
}

TEST_CASE("Unlimited MSHRs shorten a flood of misses") {
  check_shorter(flood(), "sm.l1.unlimited_mshrs=true", {.warps = 8},
                perfect_front_end() + ideal_memory() + Overrides{"sm.l1.mshr_entries=4"});
}

TEST_CASE("A scoreboard lengthens code whose control bits state independence") {
  // The stall counts let dependent multiplications overlap; a scoreboard ignores them.
  const KernelBuilder k = straight(32, [](KernelBuilder& b) { b.op("DADD", 4, {4, 1}).stall(1); });
  CHECK(cycles(k, {"sm.sub_core.dependences=scoreboard"}) > cycles(k, {}));
}

TEST_CASE("A crossbar without latency shortens a chain of L2 accesses") {
  check_shorter(chain(8, 128), "crossbar.zero_latency=true");
}

TEST_CASE("A crossbar without bandwidth limits shortens a flood of stores") {
  KernelBuilder k;
  k.loop(16, [&] { k.store("STG.E.128", {.base = 0x10000, .lane_stride = 16, .round_stride = 512}, 4); });
  k.exit();
  check_shorter(k, "crossbar.unlimited_bandwidth=true", {.warps = 8},
                perfect_front_end() + Overrides{"l2.perfect=true", "l2.unlimited_bandwidth=true",
                                                "crossbar.port_request_bytes_per_cycle=16"});
}

TEST_CASE("A perfect L2 shortens a chain of cold accesses") {
  check_shorter(chain(8, 4096), "l2.perfect=true");
}

TEST_CASE("Unlimited MSHRs of L2 shorten a flood of misses") {
  check_shorter(
      flood(), "l2.unlimited_mshrs=true", {.warps = 8},
      perfect_front_end() + Overrides{"sm.l1.unlimited_mshrs=true", "l2.mshr_entries=1", "l2.far_mshr_entries=1"});
}

TEST_CASE("An L2 without bandwidth limits shortens a flood of wide loads") {
  KernelBuilder k;
  k.loop(8, [&] {
    k.load("LDG.E.128.STRONG.GPU", 4, {.base = 0x10000, .lane_stride = 16, .round_stride = 512}).writes(0);
  });
  k.exit().waits(0);
  check_shorter(k, "l2.unlimited_bandwidth=true", {.warps = 8},
                perfect_front_end() + Overrides{"l2.data_bytes_per_cycle=4", "l2.perfect=true"});
}

TEST_CASE("A connection of the L2 partitions without latency shortens a chain that crosses it") {
  check_shorter(chain(16, 128), "l2_fabric.zero_latency=true");
}

TEST_CASE("A connection of the L2 partitions without bandwidth limits shortens a flood that crosses it") {
  check_shorter(flood(), "l2_fabric.unlimited_bandwidth=true", {.warps = 8},
                perfect_front_end() + Overrides{"l2_fabric.slice_bytes_per_cycle=0.5"});
}

TEST_CASE("An ideal DRAM shortens a chain that opens a row each time") {
  check_shorter(chain(16, 8192), "dram.ideal=true", {}, {"dram.ideal_latency_cycles=1"});
}

TEST_CASE("The L2 request coalescer keeps repeated requests of SMs for the same lines from L2") {
  KernelBuilder k;
  k.loop(8, [&] { k.load("LDG.E.STRONG.GPU", 4, {.base = 0x10000, .round_stride = 128}).writes(0); });
  k.exit().waits(0);
  const KernelShape both_sms{.blocks = 2};
  const KernelRun separate = run(k, both_sms);
  const KernelRun merged = run(k, both_sms, {"crossbar.coalescer.enabled=true"});
  CHECK(separate["crossbar.merged_requests"] == 0);
  CHECK(merged["crossbar.merged_requests"] > 0);
  CHECK(merged["crossbar.request_bytes"] < separate["crossbar.request_bytes"]);
}

TEST_CASE("Every scheduling policy runs the same instructions") {
  KernelBuilder k;
  k.loop(8, [&] {
    k.ldg(4, {.base = 0x10000, .warp_stride = 128, .round_stride = 1024}).writes(0);
    k.iadd(5, 4, 4).waits(0);
    k.ffma(6, 5, 5, 6).stall(4);
  });
  k.exit();
  SyntheticKernel kernel(k, {.blocks = 4, .warps = 8});
  for (const char* policy : {"oldest_block", "cggty", "gto", "lrr", "two_level"}) {
    INFO(policy);
    const KernelRun result = run(kernel, {std::string("sm.sub_core.scheduler.policy=") + policy});
    CHECK(result["sm.sub_core.inst_executed"] == kernel.instructions());
  }
}

}  // namespace
}  // namespace warpsim::test
