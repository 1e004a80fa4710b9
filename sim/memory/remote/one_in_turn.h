// Moves one message of several inputs that take turns: the input after the one that moved last is the first to try.
#pragma once

#include <cstddef>

namespace warpsim {

// move(input) moves a message, or returns false. `first`: the input that is the first to try. Returns whether one
// moved.
template <typename Move>
bool move_one_in_turn(std::size_t count, std::size_t& first, Move&& move) {
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t input = (first + i) % count;
    if (move(input)) {
      first = (input + 1) % count;
      return true;
    }
  }
  return false;
}

}  // namespace warpsim
