// The barrier of a device's cooperative grids: memory that the driver gives to each of them, and that
// cooperative_groups::grid_group uses. There is one such grid at a time.
#pragma once

#include <array>
#include <cstddef>

#include "emulator/execution/launch_context.h"
#include "emulator/memory/device_memory.h"

namespace warpsim::cuda {

class GridBarrier {
 public:
  // The memory outlives it.
  explicit GridBarrier(DeviceMemory& memory) : memory_(memory) {}

  // The grid of this launch uses the barrier. Throws std::bad_alloc.
  void give_to(LaunchContext& launch);
  // Before a grid begins that uses it.
  void clear();

  // The state of the barrier, for a grid that is executed while another one runs.
  static constexpr std::size_t kBytes = 16;
  using State = std::array<std::byte, kBytes>;
  State state() const;
  void restore(const State& state);

 private:
  DeviceMemory& memory_;
  Address at_ = 0;  // 0: no grid has used it
};

}  // namespace warpsim::cuda
