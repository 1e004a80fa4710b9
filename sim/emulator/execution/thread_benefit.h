// Whether several threads execute a kernel faster than one alone, as measured while it executes. Threads that update
// the same few words take longer together than one of them: each update moves a line between their processors.
#pragma once

#include <cstdint>

namespace warpsim {

class ThreadBenefit {
 public:
  enum class By : std::uint8_t { kOne, kAll };

  // Who executes the next round.
  By next() const { return alone_left_ == 0 ? By::kAll : By::kOne; }
  // A round of so many operations took so long.
  void note(By by, std::uint64_t operations, double ns) {
    if (operations < kLeast) {
      return;
    }
    const double rate = static_cast<double>(operations) / (ns + 1);
    if (by == By::kOne) {
      rate_alone_ = rate;
      alone_left_ -= alone_left_ == 0 ? 0 : 1;
    } else if (rate < rate_alone_) {
      alone_left_ = kAlone;
    }
  }

 private:
  static constexpr std::uint64_t kLeast = 50'000;  // operations that are measured
  static constexpr std::uint32_t kAlone = 16;      // rounds before all threads are tried again
  std::uint32_t alone_left_ = 0;
  double rate_alone_ = 0;  // operations per nanosecond
};

}  // namespace warpsim
