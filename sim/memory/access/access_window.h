// Windows of accesses whose lines L2 keeps longer, or replaces first (CUDA's access policy window): part of the lines
// of an address range has one priority, the others of the range another.
//
// Modelled: one window of a launch; the part is chosen by a hash of the line, so that a line is always in the same
// part, in sixteen steps whose shares the description states. Evidence: tests/hardware/l2_persistence (H100): `ratio`
// and `ratio.twice`; the priority that an instruction states itself is assumed to precede that of the window. State:
// the window of each seat. Invariant: windows change only while nothing is requested.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/types.h"
#include "memory/fast_divider.h"
#include "memory/mem_message.h"
#include "stats/launch_stats.h"

namespace warpsim {

struct AccessWindow {
  Address begin = 0;
  std::uint64_t bytes = 0;  // 0: there is none
  double hit_ratio = 1;     // 0 to 1
  LinePriority hit = LinePriority::kUnstated;
  LinePriority miss = LinePriority::kUnstated;
};

class AccessWindows {
 public:
  static constexpr std::uint32_t kSteps = 16;

  // `hit_permille`: of step i, the lines with the hits' priority, per thousand; a ratio r is step 16 r, at most the
  // last.
  explicit AccessWindows(const std::vector<std::uint32_t>& hit_permille);

  void set(LaunchSeat seat, const AccessWindow& window);
  // Whether any launch has had one.
  bool any() const { return any_; }
  LinePriority priority(LaunchSeat seat, Address line) const {
    const Window& window = windows_[seat];
    if (line - window.begin >= window.bytes) {
      return LinePriority::kUnstated;
    }
    return mix_bits(line / kLineBytes) % kHashes < window.hits ? window.hit : window.miss;
  }

 private:
  static constexpr std::uint32_t kHashes = 65'536;
  struct Window {
    Address begin = 0;  // of the first line
    std::uint64_t bytes = 0;
    std::uint32_t hits = 0;  // of the hashes
    LinePriority hit = LinePriority::kUnstated;
    LinePriority miss = LinePriority::kUnstated;
  };

  std::array<std::uint32_t, kSteps> hits_of_step_ = {};
  std::array<Window, kMaxLaunchSeats> windows_ = {};
  bool any_ = false;
};

}  // namespace warpsim
