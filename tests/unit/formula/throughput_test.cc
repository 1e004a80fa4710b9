// Throughputs follow from the description: what limits is the slowest of issue, pipes, queues, lookups and lines under
// way.
#include <algorithm>
#include <catch2/catch.hpp>

#include "support/machine.h"

namespace warpsim::test {
namespace {

constexpr std::uint32_t kRounds = 64;

// Cycles from the first issue of any warp to the last one, of warps that all run the same straight code.
Cycle span(const SyntheticKernel& kernel, std::uint32_t warps) {
  Cycle first = kNever;
  Cycle last = 0;
  for (std::uint32_t warp = 0; warp < warps; ++warp) {
    first = std::min(first, kernel.warp(warp).issued.front());
    last = std::max(last, kernel.warp(warp).issued.back());
  }
  return last - first + 1;
}

double per_cycle(const std::function<void(KernelBuilder&)>& write, std::uint32_t warps,
                 const Overrides& overrides = {}) {
  KernelBuilder k;
  for (std::uint32_t i = 0; i < kRounds; ++i) {
    write(k);
  }
  SyntheticKernel kernel(k, {.warps = warps});
  const KernelRun result = run(kernel, perfect_front_end() + overrides);
  return static_cast<double>(result["sm.sub_core.inst_executed"]) / static_cast<double>(span(kernel, warps));
}

TEST_CASE("Dependent FFMAs of n warps run at n quarters of an instruction a cycle until the sub-cores are full") {
  // One warp a sub-core up to four, two a sub-core at eight; a chain steps every four cycles.
  for (std::uint32_t warps = 1; warps <= 8; ++warps) {
    INFO(warps << " warps");
    const double rate = per_cycle([](KernelBuilder& k) { k.ffma(4, 4, 1, 2).stall(4); }, warps);
    CHECK(rate == Approx(warps / 4.0).epsilon(0.05));
  }
}

TEST_CASE("Independent FFMAs run at an instruction a cycle and sub-core") {
  for (std::uint32_t warps = 1; warps <= 8; ++warps) {
    INFO(warps << " warps");
    const double rate = per_cycle([](KernelBuilder& k) { k.ffma(4, 1, 2, 255); }, warps);
    // Beyond four warps the sub-cores with two finish last: the rate is that of all instructions over their time.
    const double longest = warps <= 4 ? 1 : 2;
    CHECK(rate == Approx(warps / longest).epsilon(0.08));
  }
}

TEST_CASE("The pipes' initiation intervals limit what one sub-core issues") {
  struct Case {
    const char* opcode;
    double rate;
  };
  for (const Case& c :
       {Case{"IADD3", 1.0 / 2}, Case{"IMAD", 1.0 / 2}, Case{"IMAD.WIDE", 1.0 / 4}, Case{"DADD", 1.0 / 2},
        Case{"MUFU.EX2", 1.0 / 8}, Case{"HMMA.16816.F32", 1.0 / 6}, Case{"DMMA.884", 1.0 / 16}}) {
    INFO(c.opcode);
    CHECK(per_cycle([&](KernelBuilder& k) { k.op(c.opcode, 4, {1, 2}); }, 1) == Approx(c.rate).epsilon(0.05));
  }
}

TEST_CASE("One sub-core brings a memory instruction every four cycles to the SM's stage, four sub-cores one a cycle") {
  for (std::uint32_t warps = 1; warps <= 4; ++warps) {
    INFO(warps << " warps");
    CHECK(per_cycle([](KernelBuilder& k) { k.lds(4, {.base = 0}); }, warps) == Approx(warps / 4.0).epsilon(0.08));
  }
}

TEST_CASE("Bank conflicts divide the rate of shared memory by their passes") {
  for (const std::int64_t ways : {2, 4, 8, 32}) {
    INFO(ways << " ways");
    const double rate = per_cycle([&](KernelBuilder& k) { k.lds(4, {.base = 0, .lane_stride = 4 * ways}); }, 4);
    CHECK(rate == Approx(1.0 / static_cast<double>(ways)).epsilon(0.05));
  }
}

TEST_CASE("Loads that hit scattered lines run at the tag lookups of four lines a cycle") {
  // 32 lines of L1, all present: eight cycles a load, one pass of the banks or more. Lane l reads word 33 l: no
  // conflict.
  const auto scattered = [](KernelBuilder& k) { k.ldg(4, {.base = 0, .lane_stride = 132}); };
  CHECK(per_cycle(scattered, 4, {"sm.l1.perfect=true"}) == Approx(1.0 / 9).epsilon(0.05));  // 33 lines
  CHECK(per_cycle(scattered, 4, {"sm.l1.perfect=true", "sm.load_store.tags_per_cycle=1"}) ==
        Approx(1.0 / 33).epsilon(0.05));
}

TEST_CASE("Lines under way divided by their latency is the rate of misses") {
  // Every load asks for a line of its own; with n MSHRs n lines are back every 57 cycles or so: from the stage to the
  // link 1, to L2 and back 50, and a cycle more until the freed MSHR is taken.
  for (const std::uint32_t mshrs : {1U, 2U, 4U}) {
    INFO(mshrs << " MSHRs");
    KernelBuilder k;
    k.loop(kRounds, [&] { k.ldg(4, {.base = 0x10000, .lane_stride = 0, .round_stride = 128}); });
    SyntheticKernel kernel(k, {});
    run(kernel, perfect_front_end() + Overrides{"sm.l1.mshr_entries=" + std::to_string(mshrs), "l2.perfect=true"});
    const double rate = kRounds / static_cast<double>(span(kernel, 1));
    CHECK(rate == Approx(mshrs / 51.0).epsilon(0.06));
  }
}

TEST_CASE("A stream of stores leaves an SM at the crossbar's rate") {
  // A full line is 128 bytes on a port of 32 bytes a cycle: four cycles each.
  KernelBuilder k;
  k.loop(kRounds, [&] { k.stg({.base = 0x10000, .round_stride = 128}, 4); });
  SyntheticKernel kernel(k, {});
  run(kernel, perfect_front_end() + Overrides{"l2.perfect=true"});
  CHECK(kRounds / static_cast<double>(span(kernel, 1)) == Approx(1.0 / 4).epsilon(0.35));
  SyntheticKernel narrow(k, {});
  run(narrow, perfect_front_end() + Overrides{"l2.perfect=true", "crossbar.port_request_bytes_per_cycle=4"});
  CHECK(kRounds / static_cast<double>(span(narrow, 1)) == Approx(1.0 / 32).epsilon(0.35));
}

}  // namespace
}  // namespace warpsim::test
