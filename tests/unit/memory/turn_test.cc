#include "memory/turn.h"

#include <catch2/catch.hpp>

namespace warpsim {
namespace {

TEST_CASE("A turn passes on after its cycles, around all positions") {
  Turn turn(2, 3);
  for (const std::size_t first : {0U, 0U, 0U, 1U, 1U, 1U, 0U}) {
    CHECK(turn.first() == first);
    turn.served();
  }
}

TEST_CASE("A turn without positions stays where it is") {
  Turn turn(0);
  turn.served();
  CHECK(turn.first() == 0);
}

}  // namespace
}  // namespace warpsim
