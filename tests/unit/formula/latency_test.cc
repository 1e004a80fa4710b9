// Latencies of dependent accesses follow from the description: a chain of loads, each of which waits for the previous
// one, issues at intervals of the configured latency.
#include <catch2/catch.hpp>
#include <numeric>

#include "support/machine.h"

namespace warpsim::test {
namespace {

// Cycles between the last two of `length` dependent accesses.
Cycle chased(const std::string& opcode, const Addresses& addresses, const Overrides& overrides, int length = 6) {
  KernelBuilder k;
  for (int i = 0; i < length; ++i) {
    k.load(opcode, 4, addresses).writes(0).waits(0);
  }
  k.exit();
  const std::vector<Cycle> gaps = first_warp(k, {}, perfect_front_end() + overrides).gaps();
  return gaps.at(static_cast<std::size_t>(length) - 2);
}

constexpr Address kData = 0x10000;

TEST_CASE("A chain of shared loads has one step per shared latency") {
  for (const Cycle latency : {Cycle{12}, Cycle{20}, Cycle{33}}) {
    CHECK(chased("LDS", {.base = 0}, {"sm.load_store.shared_latency_cycles=" + std::to_string(latency)}) == latency);
  }
}

TEST_CASE("A chain of L1 hits has one step per L1 latency") {
  for (const Cycle latency : {Cycle{12}, Cycle{30}, Cycle{41}}) {
    CHECK(chased("LDG.E", {.base = kData}, {"sm.l1.hit_latency_cycles=" + std::to_string(latency)}) == latency);
  }
}

TEST_CASE("A chain of L2 hits has the sum of the paths to L2 and back, L1's exit and its fill") {
  // 6 from issue to the link, 10 + 20 to the slice, 5 + 15 back, 10 for the fill.
  const Overrides l2{"l2.perfect=true"};
  const Addresses sector{.base = kData, .lane_stride = 0};
  CHECK(chased("LDG.E.STRONG.GPU", sector, l2) == 66);
  CHECK(chased("LDG.E.STRONG.GPU", sector, l2 + Overrides{"crossbar.request_port_latency_core_cycles=17"}) == 73);
  CHECK(chased("LDG.E.STRONG.GPU", sector, l2 + Overrides{"crossbar.request_slice_latency_cycles=23"}) == 69);
  CHECK(chased("LDG.E.STRONG.GPU", sector, l2 + Overrides{"crossbar.response_slice_latency_cycles=6"}) == 67);
  CHECK(chased("LDG.E.STRONG.GPU", sector, l2 + Overrides{"crossbar.response_port_latency_cycles=35"}) == 86);
  CHECK(chased("LDG.E.STRONG.GPU", sector, l2 + Overrides{"sm.l1.fill_latency_cycles=1"}) == 57);
  CHECK(chased("LDG.E.STRONG.GPU", sector, l2 + Overrides{"sm.load_store.address_latency_cycles=9"}) == 70);
}

TEST_CASE("A slower L2 clock stretches the parts of the path in its domain") {
  // At half the clock the 20 + 5 + 15 cycles of crossbar and slice take twice as long; the way to the crossbar counts
  // in core cycles. Arrivals wait for an edge of the other clock: up to a cycle of it each way.
  const Overrides slow{"l2.perfect=true", "clocks.l2_mhz=500"};
  const Cycle step = chased("LDG.E.STRONG.GPU", {.base = kData, .lane_stride = 0}, slow);
  CHECK(step >= 66 + 40);
  CHECK(step <= 66 + 40 + 2);
}

TEST_CASE("A chain of DRAM accesses has the DRAM's latency in addition to that of L2") {
  // One partition: no far partition. 66 cycles, 25 to the channel, and its time at 2000 MHz.
  const Overrides near{"address_map.num_partitions=1", "dram.ideal=true"};
  KernelBuilder k;
  for (Address i = 0; i < 4; ++i) {
    k.load("LDG.E.STRONG.GPU", 4, {.base = kData + i * 4096, .lane_stride = 0}).writes(0).waits(0);
  }
  k.exit();
  const auto cold = [&](const std::string& cycles) {
    return first_warp(k, {}, perfect_front_end() + near + Overrides{"dram.ideal_latency_cycles=" + cycles})
        .gaps()
        .at(2);
  };
  CHECK(cold("50") == 66 + 25 + 25);
  CHECK(cold("100") == 66 + 25 + 50);
}

TEST_CASE("A chain of atomics to one address has the latency of L2 and the operation") {
  const Cycle atomic = chased("ATOMG.E.ADD", {.base = kData}, {"l2.perfect=true"});
  CHECK(atomic >= 66);
  CHECK(atomic <= 66 + 16);
}

TEST_CASE("A chain of LDCs has one step per constant load latency") {
  for (const Cycle latency : {Cycle{20}, Cycle{30}}) {
    KernelBuilder k;
    for (int i = 0; i < 4; ++i) {
      k.ldc(4, 0, 0x210).writes(0).waits(0);
    }
    k.exit();
    const Overrides overrides{"sm.constant_caches.load_latency_cycles=" + std::to_string(latency)};
    CHECK(first_warp(k, {}, perfect_front_end() + overrides).gaps() ==
          std::vector<Cycle>{latency, latency, latency, 1});
  }
}

TEST_CASE("A chain of arithmetic has one step per latency of its timing class") {
  struct Case {
    const char* opcode;
    Cycle latency;
  };
  for (const Case& c : {Case{"IADD3", 4}, Case{"FFMA", 4}, Case{"IMAD.WIDE", 5}, Case{"HFMA2", 5}, Case{"DFMA", 8},
                        Case{"MUFU.EX2", 16}, Case{"POPC", 16}, Case{"SHFL.IDX", 20}, Case{"REDUX", 40}}) {
    INFO(c.opcode);
    KernelBuilder k(KernelBuilder::Dependences::kScoreboard);
    for (int i = 0; i < 4; ++i) {
      k.op(c.opcode, 4, {4});
    }
    const std::vector<Cycle> gaps = first_warp(k, {}, perfect_front_end()).gaps();
    CHECK(gaps == std::vector<Cycle>(3, c.latency));
  }
}

TEST_CASE("A barrier of one warp has one step per barrier latency") {
  KernelBuilder k;
  for (int i = 0; i < 4; ++i) {
    k.bar();
  }
  k.exit();
  CHECK(first_warp(k, {}, perfect_front_end()).gaps() == std::vector<Cycle>(4, 10));
}

}  // namespace
}  // namespace warpsim::test
