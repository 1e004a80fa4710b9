// Directions of rounding. Those of sums and products use the host's: a RoundingScope encloses them.
#pragma once

#include <cfenv>
#include <cstdint>

namespace warpsim {

enum class Rounding : std::uint8_t { kNearestEven, kZero, kDown, kUp, kNearestAway };

class RoundingScope {
 public:
  explicit RoundingScope(Rounding rounding) : changed_(rounding != Rounding::kNearestEven) {
    if (changed_) {
      std::fesetround(rounding == Rounding::kZero   ? FE_TOWARDZERO
                      : rounding == Rounding::kDown ? FE_DOWNWARD
                                                    : FE_UPWARD);
    }
  }
  ~RoundingScope() {
    if (changed_) {
      std::fesetround(FE_TONEAREST);
    }
  }
  RoundingScope(const RoundingScope&) = delete;
  RoundingScope& operator=(const RoundingScope&) = delete;

 private:
  bool changed_;
};

}  // namespace warpsim
