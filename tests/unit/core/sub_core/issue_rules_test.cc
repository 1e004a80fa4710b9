// Which instructions issue together, and when: slots some cycles apart, pairs, double precision that takes all slots.
#include "core/sub_core/issue_rules.h"

#include <algorithm>
#include <catch2/catch.hpp>

#include "support/machine.h"

namespace warpsim::test {
namespace {

const Overrides kTwoClocks = {"sm.sub_core.issue.interval_cycles=2"};
const Overrides kAnyPair = {"sm.sub_core.issue.pairs=independent", "sm.sub_core.fetch.instructions_per_cycle=2"};
const Overrides kMathWithOther = {"sm.sub_core.issue.pairs=math_with_other",
                                  "sm.sub_core.fetch.instructions_per_cycle=2"};

KernelBuilder scoreboarded() {
  return KernelBuilder(KernelBuilder::Dependences::kScoreboard);
}

TEST_CASE("Issue slots are at multiples of their interval") {
  const IssueSlots slots({4, PairRule::kSingle, false});
  CHECK(slots.slot_at(8) == 8);
  CHECK(slots.slot_at(9) == 12);
  CHECK(slots.slot_at(11) == 12);
  CHECK(slots.after(12) == 16);
}

TEST_CASE("With slots two cycles apart a warp issues every second cycle at most") {
  KernelBuilder k = scoreboarded();
  for (std::uint8_t i = 0; i < 5; ++i) {
    k.ffma(static_cast<std::uint8_t>(10 + i), 1, 2, 3);
  }
  CHECK(gaps(k, kTwoClocks) == Gaps{2, 2, 2, 2});
}

TEST_CASE("A dependent instruction issues in the first slot after the latency") {
  KernelBuilder k = scoreboarded();
  k.ffma(4, 1, 2, 3);
  k.ffma(5, 4, 2, 3);
  CHECK(gaps(k, {"sm.execution.fp32.latency_cycles=7"}) == Gaps{7});
  CHECK(gaps(k, Overrides{"sm.execution.fp32.latency_cycles=7"} + kTwoClocks) == Gaps{8});
  // 22 clocks on a machine that issues every fourth one: 24.
  CHECK(gaps(k, {"sm.execution.fp32.latency_cycles=22", "sm.sub_core.issue.interval_cycles=4"}) == Gaps{24});
}

TEST_CASE("Two independent instructions of a warp issue in one slot if pairs are allowed") {
  KernelBuilder k = scoreboarded();
  for (std::uint8_t i = 0; i < 3; ++i) {
    k.iadd(static_cast<std::uint8_t>(10 + i), 1, 2);
    k.ffma(static_cast<std::uint8_t>(20 + i), 1, 2, 3);
  }
  CHECK(gaps(k, {}) == Gaps{1, 1, 1, 1, 1});
  CHECK(gaps(k, kAnyPair) == Gaps{0, 2, 0, 2, 0});  // the ALU accepts an addition every two cycles
}

TEST_CASE("A dependent instruction does not issue with the previous one") {
  KernelBuilder k = scoreboarded();
  k.iadd(10, 1, 2);
  k.ffma(11, 10, 2, 3);
  CHECK(gaps(k, kAnyPair) == Gaps{4});
}

TEST_CASE("Two instructions of one unit do not issue together when it has one instance") {
  KernelBuilder k = scoreboarded();
  k.iadd(10, 1, 2);
  k.iadd(11, 1, 2);
  CHECK(gaps(k, kAnyPair) == Gaps{2});
  CHECK(gaps(k, kAnyPair + Overrides{"sm.execution.units.alu.count=2"}) == Gaps{0});
}

TEST_CASE("If arithmetic only pairs with other instructions, two arithmetic instructions do not pair") {
  KernelBuilder k = scoreboarded();
  k.iadd(10, 1, 2);
  k.ffma(11, 1, 2, 3);
  k.lds(12, {.base = 0});
  CHECK(gaps(k, kMathWithOther) == Gaps{1, 0});
  CHECK(gaps(k, kAnyPair) == Gaps{0, 1});
}

TEST_CASE("With control words a pair is marked by the compiler with a stall count of zero") {
  for (const std::uint32_t stall : {0U, 1U}) {
    KernelBuilder k;
    k.iadd(10, 1, 2).stall(stall);
    k.ffma(11, 1, 2, 3).stall(1);
    CHECK(gaps(k, kAnyPair) == Gaps{stall});
  }
  // With a yield another warp should issue next; code ends with NOPs of that kind.
  KernelBuilder k;
  k.iadd(10, 1, 2).stall(0).yield();
  k.ffma(11, 1, 2, 3).stall(1);
  CHECK(gaps(k, kAnyPair) == Gaps{2});
}

TEST_CASE("Nothing issues with a branch or after the end of a warp") {
  KernelBuilder k = scoreboarded();
  k.loop(2, [&k] { k.iadd(10, 1, 2); });
  const Gaps found = gaps(k, kAnyPair);
  REQUIRE(found.size() == 3);
  CHECK(found[0] == 0);  // the branch issues with the addition
  CHECK(found[1] > 1);   // the next instruction does not
}

// The issue slots of another scheduler's warp in which a warp of integer additions could not issue.
struct LostSlots {
  Cycle lost = 0;
  Cycle of = 0;
};
LostSlots lost_slots(const char* other, bool takes_all) {
  KernelBuilder k = scoreboarded();
  k.only([](std::uint32_t warp) { return warp == 0; },
         [&] {
           for (std::uint8_t i = 0; i < 8; ++i) {
             k.op(other, static_cast<std::uint8_t>(20 + 2 * i), {2, 4});
           }
         });
  k.only([](std::uint32_t warp) { return warp == 1; },
         [&] {
           for (std::uint8_t i = 0; i < 64; ++i) {
             k.iadd(static_cast<std::uint8_t>(40 + i), 1, 2);
           }
         });
  SyntheticKernel kernel(k, {.warps = 2});
  run(kernel, perfect_front_end() + kTwoClocks +
                  Overrides{std::string("sm.sub_core.issue.fp64_takes_all_slots=") + (takes_all ? "true" : "false")});
  const std::vector<Cycle>& integers = kernel.warp(1).issued;
  const std::vector<Cycle>& others = kernel.warp(0).issued;
  const auto beside = [&](Cycle cycle) { return cycle > integers.front() && cycle < integers.back(); };
  const Cycle slots = (integers.back() - integers.front()) / 2;
  return {slots - (integers.size() - 1), static_cast<Cycle>(std::count_if(others.begin(), others.end(), beside))};
}

TEST_CASE("While one scheduler issues double precision the other does not issue") {
  const LostSlots doubles = lost_slots("DADD", true);
  CHECK(doubles.of >= 4);
  CHECK(doubles.lost == doubles.of);
  CHECK(lost_slots("DADD", false).lost == 0);
  CHECK(lost_slots("FADD", true).lost == 0);
}

}  // namespace
}  // namespace warpsim::test
