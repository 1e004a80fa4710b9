// The warps of an SM that wait for the grids that their block has launched (cudaDeviceSynchronize() in kernels, of the
// first interface of dynamic parallelism).
//
// Modelled: such a warp waits until the device says that the grids are over. Not modelled: what the call costs beyond
// its issue. Evidence: CUDA C++ programming guide, dynamic parallelism. State: the waiting warps.
// Invariant: a waiting warp gets exactly one kWarpReady event, unless its block leaves the SM.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/types.h"
#include "core/sm/sm_event.h"

namespace warpsim {

class LaunchWaits {
 public:
  explicit LaunchWaits(SmEvents& events) : events_(&events) {}

  struct Warp {
    std::uint32_t block_slot = 0;
    std::uint32_t warp_in_block = 0;
    std::uint8_t sub_core = 0;
    std::uint8_t slot = 0;  // in the sub-core
  };
  void wait(const Warp& warp) { waiting_.push_back(warp); }
  bool empty() const { return waiting_.empty(); }
  bool waits(std::uint8_t sub_core, std::uint32_t slot) const {
    return std::ranges::any_of(waiting_,
                               [&](const Warp& warp) { return warp.sub_core == sub_core && warp.slot == slot; });
  }
  // The block slots of waiting warps, each once, in the order of their first waits.
  std::vector<std::uint32_t> blocks() const {
    std::vector<std::uint32_t> slots;
    for (const Warp& warp : waiting_) {
      if (std::ranges::find(slots, warp.block_slot) == slots.end()) {
        slots.push_back(warp.block_slot);
      }
    }
    return slots;
  }
  // What the warp waits for is over at `at`, later than everything that the SM has executed. It may not wait here.
  void end(std::uint32_t block_slot, std::uint32_t warp_in_block, Cycle at) {
    const auto found = std::ranges::find_if(waiting_, [&](const Warp& warp) {
      return warp.block_slot == block_slot && warp.warp_in_block == warp_in_block;
    });
    if (found != waiting_.end()) {
      events_->add(at, {SmEvent::Kind::kWarpReady, found->sub_core, found->slot, 0, 0});
      waiting_.erase(found);
    }
  }
  // The block leaves the SM.
  void forget(std::uint32_t block_slot) {
    std::erase_if(waiting_, [block_slot](const Warp& warp) { return warp.block_slot == block_slot; });
  }

 private:
  SmEvents* events_;
  std::vector<Warp> waiting_;
};

}  // namespace warpsim
