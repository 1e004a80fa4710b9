#include "mechanisms/warp_schedulers/criticality_aware.h"

#include <catch2/catch.hpp>

#include "support/mechanism_bench.h"

namespace warpsim::mechanism {
namespace {

using CriticalityBench = MechanismBench<CriticalityAware>;

// Warps in slots 0 to `warps` - 1, of one block, from cycle 0 on.
void arrive_in_order(CriticalityBench& scheduler, std::uint32_t warps) {
  for (std::uint32_t slot = 0; slot < warps; ++slot) {
    scheduler->warp_arrived(slot, 1, 0);
  }
}

TEST_CASE("The older of equally critical warps issues first") {
  CriticalityBench scheduler({4, 0});
  scheduler->warp_arrived(3, 1, 0);
  scheduler->warp_arrived(1, 1, 0);
  CHECK(scheduler->pick(0b1010, 5) == 3);
  CHECK(scheduler->pick(0b0010, 5) == 1);
}

TEST_CASE("The most critical warp goes on while it can") {
  CriticalityBench scheduler({4, 0});
  arrive_in_order(scheduler, 3);
  for (Cycle now = 1; now < 50; ++now) {
    CHECK(scheduler->pick(0b111, now) == 0);
    scheduler->issued({0, 0b111, now});
  }
  CHECK(scheduler.counter("critical_warp_changes") == 1);
}

TEST_CASE("A warp that is one instruction behind is as critical as one that waits for the cycles of one") {
  CriticalityBench scheduler({4, 0}, {{"cycles_per_instruction", 10}});
  arrive_in_order(scheduler, 3);
  scheduler->issued({2, 0b100, 100});
  scheduler->issued({2, 0b100, 101});  // 2 instructions
  scheduler->issued({1, 0b010, 110});  // 1 instruction, at 110 + n: 10 + n
  scheduler->issued({2, 0b100, 119});
  scheduler->issued({2, 0b100, 120});  // 4 instructions
  scheduler->issued({0, 0b001, 129});
  scheduler->issued({0, 0b001, 130});  // 2 instructions
  scheduler->issued({2, 0b100, 130});  // 5 instructions
  // At 140 warp 0 has 3 * 10 + 10, warp 1 has 4 * 10 + 30, warp 2 has 10.
  CHECK(scheduler->pick(0b011, 140) == 1);
  CHECK(scheduler->pick(0b111, 140) == 2);  // it goes on
  scheduler->issued({1, 0b010, 140});       // 2 instructions
  // At 150 warp 0 has 3 * 10 + 20, warp 1 has 3 * 10 + 10, warp 2 has 20.
  CHECK(scheduler->pick(0b101, 150) == 0);
}

TEST_CASE("Waiting decides between warps that have issued equally") {
  CriticalityBench scheduler({4, 0});
  arrive_in_order(scheduler, 3);
  scheduler->issued({1, 0b010, 10});
  scheduler->issued({2, 0b100, 20});
  scheduler->issued({0, 0b001, 30});
  CHECK(scheduler->pick(0b110, 31) == 1);
  CHECK(scheduler->pick(0b100, 31) == 2);
}

TEST_CASE("Without a weight of instructions only waiting counts") {
  CriticalityBench scheduler({4, 0}, {{"cycles_per_instruction", 0}});
  arrive_in_order(scheduler, 2);
  scheduler->issued({1, 0b10, 10});
  scheduler->issued({1, 0b10, 11});
  scheduler->issued({0, 0b01, 12});
  scheduler->issued({0, 0b01, 13, 0, false, false, true});
  CHECK(scheduler->pick(0b11, 14) == 1);
}

TEST_CASE("Warps are compared with their own block") {
  CriticalityBench scheduler({4, 0}, {{"cycles_per_instruction", 100}});
  scheduler->warp_arrived(0, 1, 0);
  scheduler->warp_arrived(1, 1, 0);
  scheduler->warp_arrived(2, 2, 0);
  for (Cycle now = 1; now <= 5; ++now) {
    scheduler->issued({0, 0b001, now});
  }
  scheduler->issued({1, 0b010, 6});  // 4 instructions behind
  scheduler->issued({0, 0b001, 7});
  // Block 2 has only warp 2, which waits for 10 cycles; warp 1 has 5 * 100 + 4.
  CHECK(scheduler->pick(0b110, 10) == 1);
  CHECK(scheduler->pick(0b100, 10) == 2);
}

TEST_CASE("The instructions of a warp that has left still count for its block") {
  CriticalityBench scheduler({4, 0}, {{"cycles_per_instruction", 100}});
  arrive_in_order(scheduler, 2);
  scheduler->warp_arrived(2, 2, 0);
  for (Cycle now = 1; now <= 5; ++now) {
    scheduler->issued({0, 0b001, now});
  }
  scheduler->warp_left(0);
  scheduler->issued({1, 0b010, 5});
  scheduler->issued({2, 0b100, 6, 0, false, false, true});
  CHECK(scheduler->pick(0b110, 400) == 1);  // 4 * 100 + 395, warp 2: 394
  scheduler->warp_arrived(0, 1, 400);       // 5 instructions behind
  CHECK(scheduler->pick(0b011, 400) == 1);  // warp 0: 500
  CHECK(scheduler->pick(0b101, 400) == 0);
}

TEST_CASE("A warp that yields leaves the choice to criticality") {
  CriticalityBench scheduler({4, 0});
  arrive_in_order(scheduler, 2);
  scheduler->issued({0, 0b11, 1, 0, false, false, true});
  CHECK(scheduler->pick(0b11, 2) == 1);
  CHECK(scheduler->pick(0b01, 2) == 0);
}

TEST_CASE("A warp in a used slot begins without instructions and without greed") {
  CriticalityBench scheduler({4, 0});
  arrive_in_order(scheduler, 2);
  for (Cycle now = 1; now <= 5; ++now) {
    scheduler->issued({0, 0b01, now});
  }
  scheduler->warp_left(0);
  scheduler->warp_arrived(0, 2, 100);
  CHECK(scheduler->pick(0b11, 100) == 1);
  scheduler->issued({1, 0b10, 101});
  CHECK(scheduler->pick(0b01, 102) == 0);
}

}  // namespace
}  // namespace warpsim::mechanism
