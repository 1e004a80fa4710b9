// Notes on stderr about long launches: after 60 s, then after each doubling of that time.
#pragma once

#include <chrono>
#include <functional>
#include <string>

#include "emulator/execution/launch_watch.h"

namespace warpsim::cuda {

class LaunchNotes {
 public:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::seconds kFirst{60};

  // A launch begins at `now`.
  explicit LaunchNotes(Clock::time_point now) : began_(now) {}
  // The line to print, or an empty text.
  std::string note(Clock::time_point now, const KernelProgress& progress);

 private:
  Clock::time_point began_;
  Clock::duration next_ = kFirst;
};

}  // namespace warpsim::cuda
