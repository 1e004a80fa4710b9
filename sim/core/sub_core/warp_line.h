// The queue of warps of one sub-core that wait for space in the same queue or pipe, in order of arrival.
//
// Modelled: first come, first served. Evidence: many warps of MUFU, SHFL or S2R share their pipe evenly
// (tests/hardware/pipe_sharing).
// Invariant: only the head may take the space; a warp that joins again keeps its place.
#pragma once

#include <cstdint>

#include "base/ring_buffer.h"
#include "core/sub_core/warp_scheduler.h"

namespace warpsim {

class WarpLine {
 public:
  bool empty() const { return members_ == 0; }
  // Empty lines have no head.
  std::uint32_t head() const { return order_.front(); }
  bool lets_through(std::uint32_t slot) const { return empty() || head() == slot; }
  void join(std::uint32_t slot) {
    if ((members_ >> slot & 1U) == 0) {
      members_ |= WarpMask{1} << slot;
      order_.push(static_cast<std::uint8_t>(slot));
    }
  }
  // The warp got what it waited for, if it waited.
  void served(std::uint32_t slot) {
    if ((members_ >> slot & 1U) != 0) {
      members_ &= ~(WarpMask{1} << slot);
      order_.pop();
    }
  }

 private:
  RingBuffer<std::uint8_t> order_{kMaxWarpsPerSubCore};
  WarpMask members_ = 0;
};

}  // namespace warpsim
