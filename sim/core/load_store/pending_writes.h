// Writes of each warp that memory has not acknowledged yet. A memory fence waits for them. Writes to memory of another
// GPU or of the host are acknowledged twice: that they are on their way, for fences of the GPU, and that they have
// arrived, for those of the system.
#pragma once

#include <cstdint>
#include <vector>

#include "base/check.h"

namespace warpsim {

class PendingWrites {
 public:
  // `warps`: number of warp slots of the SM; warps are named by sub-core * slots of a sub-core + slot.
  explicit PendingWrites(std::uint32_t warps) : pending_(warps, 0), posted_(warps, 0) {}

  bool none(std::uint32_t warp) const { return pending_[warp] == 0; }
  // Of the whole system: none is on its way either.
  bool none_anywhere(std::uint32_t warp) const { return none(warp) && posted_[warp] == 0; }
  // Pending or on their way.
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
  // Pending ones are on their way to another memory.
  void post(std::uint32_t warp, std::uint32_t count) {
    posted_[warp] += count;
    total_ += count;
    remove(warp, count);
  }
  // Some of these have arrived.
  void arrive(std::uint32_t warp, std::uint32_t count) {
    SIM_CHECK(posted_[warp] >= count, "more writes have arrived than were on their way");
    posted_[warp] -= count;
    total_ -= count;
    if (posted_[warp] == 0) {
      arrived_.push_back(warp);
    }
  }
  // Warps whose last pending write was acknowledged since clear_done().
  const std::vector<std::uint32_t>& done() const { return done_; }
  // Those whose last write on its way has arrived.
  const std::vector<std::uint32_t>& arrived() const { return arrived_; }
  void clear_done() {
    done_.clear();
    arrived_.clear();
  }

 private:
  std::vector<std::uint32_t> pending_;
  std::vector<std::uint32_t> posted_;
  std::uint64_t total_ = 0;
  std::vector<std::uint32_t> done_;
  std::vector<std::uint32_t> arrived_;
};

}  // namespace warpsim
