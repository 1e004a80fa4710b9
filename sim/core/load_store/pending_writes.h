// Writes of each warp that memory has not acknowledged yet. A memory fence waits for them.
#pragma once

#include <cstdint>
#include <vector>

#include "base/check.h"

namespace warpsim {

class PendingWrites {
 public:
  // `warps`: number of warp slots of the SM; warps are named by sub-core * slots of a sub-core + slot.
  explicit PendingWrites(std::uint32_t warps) : pending_(warps, 0) {}

  bool none(std::uint32_t warp) const { return pending_[warp] == 0; }
  std::uint64_t total() const { return total_; }
  void add(std::uint32_t warp, std::uint32_t count) {
    pending_[warp] += count;
    total_ += count;
  }
  void remove(std::uint32_t warp, std::uint32_t count) {
    SIM_CHECK(pending_[warp] >= count, "more writes acknowledged than were pending");
    pending_[warp] -= count;
    total_ -= count;
    if (pending_[warp] == 0) {
      done_.push_back(warp);
    }
  }
  // Warps whose last pending write was acknowledged since clear_done().
  const std::vector<std::uint32_t>& done() const { return done_; }
  void clear_done() { done_.clear(); }

 private:
  std::vector<std::uint32_t> pending_;
  std::uint64_t total_ = 0;
  std::vector<std::uint32_t> done_;
};

}  // namespace warpsim
