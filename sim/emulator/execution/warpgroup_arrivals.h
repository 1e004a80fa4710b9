// The barrier between the four warps of a warpgroup in machine code: WARPGROUP.ARRIVE counts an arrival of a warp and
// goes on, WARPGROUP.WAIT waits until the other warps of the group have arrived as often.
//
// Evidence: kernels of cuBLAS 13 for 9.0 write a tile with all warps of a group between the two instructions and one
// warp stores it afterwards, without any other barrier; results are those of an H100. Code of nvcc has no WAIT.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

namespace warpsim {

class WarpgroupArrivals {
 public:
  static constexpr std::uint32_t kWarps = 4;  // of a group

  void start(std::uint32_t warps) {
    arrivals_.assign(warps, 0);
    any_ = false;
  }
  void arrive(std::uint32_t warp) {
    ++arrivals_[warp];
    any_ = true;
  }
  // Whether a warp has arrived since the start.
  bool any() const { return any_; }
  // Nobody waits for a warp that has ended.
  void exited(std::uint32_t warp) { arrivals_[warp] = std::numeric_limits<std::uint32_t>::max(); }
  bool may_go_on(std::uint32_t warp) const {
    const std::uint32_t first = warp - warp % kWarps;
    const std::uint32_t end = std::min(first + kWarps, static_cast<std::uint32_t>(arrivals_.size()));
    return std::all_of(arrivals_.begin() + first, arrivals_.begin() + end,
                       [&](std::uint32_t arrived) { return arrived >= arrivals_[warp]; });
  }

 private:
  std::vector<std::uint32_t> arrivals_;  // by warp
  bool any_ = false;
};

}  // namespace warpsim
