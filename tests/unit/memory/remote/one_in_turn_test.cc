#include "memory/remote/one_in_turn.h"

#include <catch2/catch.hpp>

namespace warpsim {
namespace {

TEST_CASE("One input moves at a time, and the next one is the first to try then") {
  std::size_t first = 1;
  const auto all = [](std::size_t /*input*/) { return true; };
  CHECK(move_one_in_turn(3, first, all));
  CHECK(first == 2);
  CHECK(move_one_in_turn(3, first, all));
  CHECK(first == 0);
  CHECK(move_one_in_turn(3, first, [](std::size_t input) { return input == 1; }));
  CHECK(first == 2);
  CHECK_FALSE(move_one_in_turn(3, first, [](std::size_t /*input*/) { return false; }));
  CHECK(first == 2);
  CHECK_FALSE(move_one_in_turn(0, first, all));
}

}  // namespace
}  // namespace warpsim
