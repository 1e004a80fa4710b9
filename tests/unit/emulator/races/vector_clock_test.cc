#include "emulator/races/vector_clock.h"

#include <catch2/catch.hpp>

namespace warpsim {
namespace {

TEST_CASE("vector clock: the time of an unknown actor is 0") {
  VectorClock clock;
  CHECK(clock.empty());
  CHECK(clock.of(3, 5) == 0);
  clock.raise(3, 5, 7);
  CHECK(clock.of(3, 5) == 7);
  CHECK(clock.of(3, 4) == 0);
  CHECK(clock.of(3, 6) == 0);
  CHECK(clock.of(2, 5) == 0);
  clock.raise(3, 5, 6);
  CHECK(clock.of(3, 5) == 7);
}

TEST_CASE("vector clock: a merge keeps the later times of each block") {
  VectorClock a;
  a.raise(1, 0, 10);
  a.raise(1, 3, 5);
  a.raise(4, 0, 2);
  VectorClock b;
  b.raise(0, 1, 1);
  b.raise(1, 3, 9);
  b.raise(1, 5, 4);
  b.raise(6, 0, 8);
  a.join(b);
  CHECK(a.of(0, 1) == 1);
  CHECK(a.of(1, 0) == 10);
  CHECK(a.of(1, 3) == 9);
  CHECK(a.of(1, 5) == 4);
  CHECK(a.of(4, 0) == 2);
  CHECK(a.of(6, 0) == 8);
  CHECK(b.of(1, 0) == 0);
}

TEST_CASE("vector clock: one covers another if it has at least its time of every actor") {
  VectorClock a;
  a.raise(1, 0, 10);
  a.raise(4, 3, 2);
  VectorClock b;
  CHECK(a.covers(b));
  CHECK_FALSE(b.covers(a));
  b.raise(4, 3, 2);
  CHECK(a.covers(b));
  b.raise(4, 1, 1);
  CHECK_FALSE(a.covers(b));
  a.raise(4, 1, 5);
  CHECK(a.covers(b));
  b.raise(4, 4, 1);
  CHECK_FALSE(a.covers(b));
  VectorClock other_block;
  other_block.raise(2, 0, 1);
  CHECK_FALSE(a.covers(other_block));
  const VectorClock copy = a;
  CHECK(a.covers(copy));
}

TEST_CASE("vector clock: copies are independent") {
  VectorClock a;
  a.raise(1, 0, 10);
  VectorClock b = a;
  b.raise(1, 0, 11);
  CHECK(a.of(1, 0) == 10);
  VectorClock joined;
  joined.join(b);
  joined.raise(1, 1, 3);
  CHECK(b.of(1, 1) == 0);
}

}  // namespace
}  // namespace warpsim
