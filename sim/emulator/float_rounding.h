// Rounding, flushing and saturation of PTX's floating-point instructions.
//
// Directed rounding is the host's: a RoundingScope lies around the loop over the lanes, so files that have one are
// compiled with -frounding-math. Flushing and saturation act on bits, without branches, for loops to be vectorised.
#pragma once

#include <bit>
#include <cfenv>
#include <cstdint>

#include "emulator/operation_builder.h"

namespace warpsim {

enum class Rounding : std::uint8_t { kNearestEven, kZero, kDown, kUp, kNearestAway };

// .rn .rz .rm .rp; nearest if there is none of them.
inline Rounding take_rounding(OperationBuilder& b) {
  return b.take("rz")   ? Rounding::kZero
         : b.take("rm") ? Rounding::kDown
         : b.take("rp") ? Rounding::kUp
                        : (b.take("rn"), Rounding::kNearestEven);
}

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

inline constexpr std::uint32_t kSingleNan = 0x7fffffff;  // the only one that single-precision arithmetic makes
inline constexpr std::uint32_t kSingleSign = 0x80000000;
inline constexpr std::uint32_t kSingleExponent = 0x7f800000;

// Subnormal values become 0 of their sign.
inline float flushed(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  return std::bit_cast<float>((bits & kSingleExponent) != 0 ? bits : bits & kSingleSign);
}

// By bits, because with -frounding-math a comparison of the number keeps the loop from being vectorised.
inline float canonical(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  return std::bit_cast<float>((bits & ~kSingleSign) > kSingleExponent ? kSingleNan : bits);
}

// Into [0, 1]; NaN becomes +0.
template <class T>
T saturated_to_one(T value) {
  const T positive = value > T{0} ? value : T{0};
  return positive < T{1} ? positive : T{1};
}

// What an instruction does to sources and result in single precision.
template <bool kFlush, bool kSaturate>
struct SingleMode {
  static float source(float value) { return kFlush ? flushed(value) : value; }
  static float result(float value) {
    const float settled = kFlush ? flushed(value) : value;
    return kSaturate ? saturated_to_one(settled) : canonical(settled);
  }
};

}  // namespace warpsim
