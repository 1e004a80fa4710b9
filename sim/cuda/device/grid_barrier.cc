#include "cuda/device/grid_barrier.h"

#include <cstring>
#include <new>

namespace warpsim::cuda {

void GridBarrier::give_to(LaunchContext& launch) {
  if (at_ == 0) {
    at_ = memory_.allocate(kBytes, kBytes, "the barrier of cooperative grids");
  }
  if (at_ == 0) {
    throw std::bad_alloc();
  }
  launch.environment[1] = static_cast<std::uint32_t>(at_ >> 32U);
  launch.environment[2] = static_cast<std::uint32_t>(at_);
}

void GridBarrier::clear() {
  restore({});
}

GridBarrier::State GridBarrier::state() const {
  State state = {};
  std::memcpy(state.data(), memory_.host(at_, kBytes), kBytes);
  return state;
}

void GridBarrier::restore(const State& state) {
  std::memcpy(memory_.host(at_, kBytes), state.data(), kBytes);
}

}  // namespace warpsim::cuda
