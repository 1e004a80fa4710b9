#include "mechanisms/warp_schedulers/cache_conscious.h"

#include <catch2/catch.hpp>

#include "support/mechanism_bench.h"

namespace warpsim::mechanism {
namespace {

constexpr WarpMask kAll = 0xf;

// Four warps, in the order of their slots; a base score of 10 makes the cutoff 40.
struct Bench : MechanismBench<CacheConscious> {
  explicit Bench(const KeyValues& values = {{"base_score", 10}, {"throttle", 4}})
      : MechanismBench<CacheConscious>({4, 0}, values) {
    for (std::uint32_t slot = 0; slot < 4; ++slot) {
      (*this)->warp_arrived(slot, 0, 0);
    }
  }
  void issue(std::uint32_t slot, std::uint32_t times = 1) {
    for (std::uint32_t i = 0; i < times; ++i) {
      (*this)->issued({slot, kAll, 0});
    }
  }
  // The warp loses a line and misses it again.
  void lose(std::uint32_t slot, Cycle now) {
    (*this)->lost({slot, 0x1000});
    (*this)->looked_up({slot, 0x1000, false, now, 0});
  }
};

TEST_CASE("Cache-conscious: without losses no warp is withheld, and the order is that of gto") {
  Bench bench;
  CHECK(bench->withheld(kAll, 0) == 0);
  CHECK(bench->pick(0xe, 0) == 1);
  bench.issue(2);
  CHECK(bench->pick(0xe, 0) == 2);
  CHECK(bench->pick(0xa, 0) == 1);
  CHECK(bench->watches_l1());
  CHECK(bench->withholds());
}

// One loss in eight instructions: 1 / 8 * 4 * 40 = 20.
TEST_CASE("Cache-conscious: a loss raises the score of its warp, and the youngest others are withheld") {
  Bench bench;
  bench.issue(3, 8);
  bench.lose(3, 100);
  CHECK(bench.counter("lost_hits") == 1);
  CHECK(bench->withheld(kAll, 100) == 0x4);  // 20 + 10 + 10 are within 40
  CHECK(bench->withheld(0x3, 100) == 0);
  CHECK(bench->withheld(kAll, 109) == 0x4);  // 11 + 30
  CHECK(bench->withheld(kAll, 110) == 0);
}

TEST_CASE("Cache-conscious: the warp with the highest score always loads") {
  Bench bench;
  bench.issue(3, 2);
  bench.lose(3, 100);  // 80
  CHECK(bench->withheld(kAll, 100) == 0x7);
  CHECK(bench->withheld(kAll, 141) == 0x7);  // 39 and 10
  CHECK(bench->withheld(kAll, 150) == 0x6);  // 30 and 10
  CHECK(bench->withheld(kAll, 170) == 0);
}

TEST_CASE("Cache-conscious: only misses of lines that the warp itself has lost count, each once") {
  Bench bench;
  bench.issue(0, 8);
  bench->lost({1, 0x1000});
  bench->looked_up({0, 0x1000, false, 5, 0});
  bench->looked_up({1, 0x1000, true, 5, 0});
  bench->looked_up({1, 0x2000, false, 5, 0});
  CHECK(bench.counter("lost_hits") == 0);
  bench->looked_up({1, 0x1000, false, 5, 0});
  bench->looked_up({1, 0x1000, false, 6, 0});
  CHECK(bench.counter("lost_hits") == 1);
}

TEST_CASE("Cache-conscious: a warp remembers the lines that it lost last") {
  Bench bench({{"victim_tags", 2}});
  for (Address line = 1; line <= 3; ++line) {
    bench->lost({0, line * 128});
  }
  bench->looked_up({0, 128, false, 5, 0});
  CHECK(bench.counter("lost_hits") == 0);
  bench->looked_up({0, 256, false, 5, 0});
  bench->looked_up({0, 384, false, 5, 0});
  CHECK(bench.counter("lost_hits") == 2);
}

TEST_CASE("Cache-conscious: a warp that takes a slot has neither the score nor the losses of the one before") {
  Bench bench;
  bench.issue(3, 2);
  bench.lose(3, 100);
  bench->lost({3, 0x2000});
  bench->warp_left(3);
  CHECK(bench->withheld(0x7, 100) == 0);
  bench->warp_arrived(3, 1, 101);
  CHECK(bench->withheld(kAll, 101) == 0);
  bench->looked_up({3, 0x2000, false, 102, 0});
  CHECK(bench.counter("lost_hits") == 1);
}

TEST_CASE("Cache-conscious: a throttle of zero withholds nothing") {
  Bench bench({{"base_score", 10}, {"throttle", 0}});
  bench.issue(3, 2);
  bench.lose(3, 100);
  CHECK(bench->withheld(kAll, 100) == 0);
}

}  // namespace
}  // namespace warpsim::mechanism
