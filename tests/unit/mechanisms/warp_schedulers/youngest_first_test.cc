#include "mechanisms/warp_schedulers/youngest_first.h"

#include <catch2/catch.hpp>

#include "support/mechanism_bench.h"

namespace warpsim::mechanism {
namespace {

using YoungestBench = MechanismBench<YoungestFirst>;

// Slot 2 is the oldest, slot 1 the youngest.
void arrive_2031(YoungestBench& scheduler) {
  for (const std::uint32_t slot : {2U, 0U, 3U, 1U}) {
    scheduler->warp_arrived(slot, 0, 0);
  }
}

TEST_CASE("The youngest warp issues first, whatever its slot") {
  YoungestBench scheduler({4, 0});
  arrive_2031(scheduler);
  CHECK(scheduler->pick(0b1111, 10) == 1);
  CHECK(scheduler->pick(0b1101, 10) == 3);
  CHECK(scheduler->pick(0b0101, 10) == 0);
  CHECK(scheduler->pick(0b0100, 10) == 2);
}

TEST_CASE("The warp that issued last goes on before a younger one") {
  YoungestBench scheduler({4, 0});
  arrive_2031(scheduler);
  scheduler->issued({2, 0b0100, 10});
  CHECK(scheduler->pick(0b1111, 11) == 2);
  CHECK(scheduler->pick(0b1011, 11) == 1);
  CHECK(scheduler->pick(0b1111, 12) == 2);
}

TEST_CASE("A warp that yields goes on only if it is alone") {
  YoungestBench scheduler({4, 0});
  arrive_2031(scheduler);
  scheduler->issued({1, 0b1111, 10, 0, false, false, true});
  CHECK(scheduler->pick(0b1111, 11) == 3);
  CHECK(scheduler->pick(0b0010, 11) == 1);
  scheduler->issued({3, 0b1111, 11});
  CHECK(scheduler->pick(0b0111, 12) == 1);
}

TEST_CASE("A warp in a used slot is the youngest and not greedy") {
  YoungestBench scheduler({4, 0});
  arrive_2031(scheduler);
  scheduler->issued({2, 0b1111, 10});
  scheduler->warp_left(2);
  scheduler->warp_arrived(2, 1, 20);
  CHECK(scheduler->pick(0b1111, 21) == 2);
  scheduler->issued({0, 0b0001, 21});
  scheduler->warp_left(0);
  scheduler->warp_arrived(0, 2, 22);
  scheduler->warp_arrived(5, 2, 22);
  CHECK(scheduler->pick(0b100001, 23) == 5);
}

TEST_CASE("A warp in the slot of one that yielded does not yield") {
  YoungestBench scheduler({4, 0});
  arrive_2031(scheduler);
  scheduler->issued({1, 0b1111, 10, 0, false, false, true});
  scheduler->warp_left(1);
  scheduler->warp_arrived(1, 1, 20);
  CHECK(scheduler->pick(0b1111, 21) == 1);
}

TEST_CASE("The youngest of 64 warps may be in the last slot") {
  YoungestBench scheduler({64, 0});
  for (std::uint32_t slot = 0; slot < 64; ++slot) {
    scheduler->warp_arrived(slot, 0, 0);
  }
  CHECK(scheduler->pick(~WarpMask{0}, 1) == 63);
  scheduler->issued({63, ~WarpMask{0}, 1});
  CHECK(scheduler->pick(~WarpMask{0}, 2) == 63);
}

}  // namespace
}  // namespace warpsim::mechanism
