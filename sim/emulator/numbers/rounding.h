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
      set(rounding == Rounding::kZero ? FE_TOWARDZERO : rounding == Rounding::kDown ? FE_DOWNWARD : FE_UPWARD);
    }
  }
  ~RoundingScope() {
    if (changed_) {
      set(FE_TONEAREST);
    }
  }
  RoundingScope(const RoundingScope&) = delete;
  RoundingScope& operator=(const RoundingScope&) = delete;

 private:
  // On x86-64 only the vector unit's mode: nothing here uses the older unit, whose mode takes longer to change. What is
  // computed in the scope is loaded and stored there.
  static void set(int mode) {
#if defined(__x86_64__)
    constexpr unsigned kModes = 0x6000;
    constexpr unsigned kPlace = 3;  // of FE_ constants, which are modes of the older unit
    __asm__ volatile("" ::: "memory");
    __builtin_ia32_ldmxcsr((__builtin_ia32_stmxcsr() & ~kModes) | static_cast<unsigned>(mode) << kPlace);
    __asm__ volatile("" ::: "memory");
#else
    std::fesetround(mode);
#endif
  }

  bool changed_;
};

}  // namespace warpsim
