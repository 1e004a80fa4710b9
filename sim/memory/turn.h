// Whose turn it is among inputs that are served one after another: the position at which the service begins.
//
// The turn passes to the next position after a number of cycles in which something was served.
#pragma once

#include <cstddef>
#include <cstdint>

namespace warpsim {

class Turn {
 public:
  explicit Turn(std::size_t positions, std::uint32_t cycles = 1) : positions_(positions), cycles_(cycles) {}

  std::size_t first() const { return first_; }
  // Something was served in a cycle.
  void served() {
    if (++served_cycles_ < cycles_) {
      return;
    }
    served_cycles_ = 0;
    if (++first_ >= positions_) {
      first_ = 0;
    }
  }

 private:
  std::size_t positions_;
  std::uint32_t cycles_;
  std::uint32_t served_cycles_ = 0;
  std::size_t first_ = 0;
};

}  // namespace warpsim
