// Throughputs follow from the description: the limit is the slowest of issue, pipes, queues, lookups and lines in
// flight.
#include <algorithm>
#include <catch2/catch.hpp>

#include "support/machine.h"

namespace warpsim::test {
namespace {

// Cycles from the first issue of any warp to the last one, of warps that all run the same straight code.
Cycle span(const SyntheticKernel& kernel, std::uint32_t warps) {
  Cycle first = kNever;
  Cycle last = 0;
  for (std::uint32_t warp = 0; warp < warps; ++warp) {
    first = std::min(first, kernel.warp(warp).issued.front());
    last = std::max(last, kernel.warp(warp).issued.back());
  }
  return last - first;
}

// Writes the n-th instruction of a stream.
using Write = std::function<void(KernelBuilder&, std::uint32_t n)>;

Cycle span_of(const Write& write, std::uint32_t instructions, std::uint32_t warps, const Overrides& overrides) {
  KernelBuilder k;
  for (std::uint32_t i = 0; i < instructions; ++i) {
    write(k, i);
  }
  SyntheticKernel kernel(k, {.warps = warps});
  run(kernel, perfect_front_end() + overrides);
  return span(kernel, warps);
}

// Instructions per cycle of all warps together in the steady state: the cost of additional instructions, so that
// the filling of queues at the start does not count.
double per_cycle(const Write& write, std::uint32_t warps, const Overrides& overrides = {}) {
  constexpr std::uint32_t kFew = 64;
  constexpr std::uint32_t kMany = 192;
  const Cycle few = span_of(write, kFew, warps, overrides);
  const Cycle many = span_of(write, kMany, warps, overrides);
  return static_cast<double>(warps * (kMany - kFew)) / static_cast<double>(many - few);
}

TEST_CASE("Dependent FFMAs of n warps run at n quarters of an instruction per cycle until the sub-cores are full") {
  // One warp per sub-core up to four, two per sub-core at eight; a chain steps every four cycles.
  for (std::uint32_t warps = 1; warps <= 8; ++warps) {
    INFO(warps << " warps");
    const double rate = per_cycle([](KernelBuilder& k, std::uint32_t) { k.ffma(4, 4, 1, 2).stall(4); }, warps);
    CHECK(rate == Approx(warps / 4.0).epsilon(0.01));
  }
}

TEST_CASE("Independent FFMAs run at an instruction per cycle and sub-core") {
  for (std::uint32_t warps = 1; warps <= 8; ++warps) {
    INFO(warps << " warps");
    const double rate = per_cycle([](KernelBuilder& k, std::uint32_t) { k.ffma(4, 1, 2, 255); }, warps);
    // Beyond four warps the sub-cores with two finish last: the rate is that of all instructions over their time.
    const double longest = warps <= 4 ? 1 : 2;
    CHECK(rate == Approx(warps / longest).epsilon(0.01));
  }
}

TEST_CASE("64 warps issue as many instructions per cycle as there are sub-cores, whatever the slots of each") {
  for (const std::uint32_t sub_cores : {1U, 2U, 4U, 8U}) {
    INFO(sub_cores << " sub-cores");
    const Overrides machine = {"sm.sub_cores=" + std::to_string(sub_cores),
                               "sm.sub_core.warp_slots=" + std::to_string(64 / sub_cores),
                               "occupancy.warps_per_sm=64",
                               "occupancy.threads_per_block=2048",
                               "occupancy.registers_per_sm=65536",
                               "occupancy.registers_per_block=65536",
                               "occupancy.sub_partitions=" + std::to_string(sub_cores)};
    for (const char* policy : {"oldest_block", "cggty", "gto", "lrr", "two_level"}) {
      INFO(policy);
      const double rate = per_cycle([](KernelBuilder& k, std::uint32_t) { k.ffma(4, 1, 2, 255); }, 64,
                                    machine + Overrides{"sm.sub_core.scheduler.policy=" + std::string(policy)});
      CHECK(rate == Approx(sub_cores).epsilon(0.01));
    }
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
    CHECK(per_cycle(
              [&](KernelBuilder& k, std::uint32_t) {
                k.op(c.opcode, 4, {1, 2});
              },
              1) == Approx(c.rate).epsilon(0.01));
  }
}

TEST_CASE("One sub-core sends a memory instruction every four cycles to the SM's stage, four sub-cores one per cycle") {
  for (std::uint32_t warps = 1; warps <= 4; ++warps) {
    INFO(warps << " warps");
    CHECK(per_cycle([](KernelBuilder& k, std::uint32_t) { k.lds(4, {.base = 0}); }, warps) ==
          Approx(warps / 4.0).epsilon(0.01));
  }
}

TEST_CASE("Bank conflicts divide the rate of shared memory by their passes") {
  for (const std::int64_t ways : {2, 4, 8, 32}) {
    INFO(ways << " ways");
    const double rate =
        per_cycle([&](KernelBuilder& k, std::uint32_t) { k.lds(4, {.base = 0, .lane_stride = 4 * ways}); }, 4);
    CHECK(rate == Approx(1.0 / static_cast<double>(ways)).epsilon(0.01));
  }
}

TEST_CASE("Loads that hit scattered lines run at the tag lookups of four lines per cycle") {
  // 32 lines, all present: eight cycles per load. Lane l reads word 33 l: no conflict.
  const Write scattered = [](KernelBuilder& k, std::uint32_t) { k.ldg(4, {.base = 0, .lane_stride = 132}); };
  CHECK(per_cycle(scattered, 4, {"sm.l1.perfect=true"}) == Approx(1.0 / 8));
  CHECK(per_cycle(scattered, 4, {"sm.l1.perfect=true", "sm.load_store.tags_per_cycle=1"}) == Approx(1.0 / 32));
}

TEST_CASE("The rate of misses is lines in flight divided by their latency") {
  // Every load requests a sector of its own line. An MSHR freed by a response is taken in the same cycle; the request
  // is sent a cycle later and back after 50: 51 cycles per line and MSHR.
  for (const std::uint32_t mshrs : {1U, 2U, 4U}) {
    INFO(mshrs << " MSHRs");
    const Write miss = [](KernelBuilder& k, std::uint32_t n) {
      k.ldg(4, {.base = 0x10000 + n * Address{128}, .lane_stride = 0});
    };
    CHECK(per_cycle(miss, 1, {"sm.l1.mshr_entries=" + std::to_string(mshrs), "l2.perfect=true"}) ==
          Approx(mshrs / 51.0).epsilon(0.01));
  }
}

TEST_CASE("A stream of stores leaves an SM at the crossbar's rate") {
  // A full line is 128 bytes: four cycles on a port of 32 bytes per cycle, 32 cycles on one of 4.
  const Write store = [](KernelBuilder& k, std::uint32_t n) { k.stg({.base = 0x10000 + n * Address{128}}, 4); };
  const Overrides l2{"l2.perfect=true"};
  CHECK(per_cycle(store, 1, l2) == Approx(1.0 / 4).epsilon(0.01));
  CHECK(per_cycle(store, 1, l2 + Overrides{"crossbar.port_request_bytes_per_cycle=4"}) ==
        Approx(1.0 / 32).epsilon(0.01));
}

TEST_CASE("A stream of loads enters an SM at the crossbar's rate") {
  // 128 bytes per load on a port of 64 or 16 bytes per cycle. Loads are issued faster than they return: the time counts
  // until the last has returned.
  const auto elapsed = [](std::uint32_t loads, const std::string& port) {
    KernelBuilder k;
    for (std::uint32_t n = 0; n < loads; ++n) {
      k.load("LDG.E.STRONG.GPU", 4, {.base = 0x10000 + n * Address{512}, .warp_stride = 128}).writes(0);
    }
    k.exit().waits(0);
    const Overrides overrides{"l2.perfect=true", "sm.l1.unlimited_mshrs=true",
                              "crossbar.port_response_bytes_per_cycle=" + port};
    return run(k, {.warps = 4}, perfect_front_end() + overrides).result.elapsed_cycles;
  };
  CHECK(elapsed(192, "64") - elapsed(64, "64") == 128 * 4 * 2);
  CHECK(elapsed(192, "16") - elapsed(64, "16") == 128 * 4 * 8);
}

}  // namespace
}  // namespace warpsim::test
