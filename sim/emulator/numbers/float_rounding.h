// Rounding, flushing and saturation of PTX's floating-point instructions.
//
// Directed rounding uses the host's: a RoundingScope encloses the loop over the lanes, so files that contain one are
// compiled with -frounding-math. Flushing and saturation act on bits, without branches, so that loops are vectorised.
#pragma once

#include <bit>
#include <cfenv>
#include <cstdint>

#include "emulator/operations/operation_builder.h"

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

inline constexpr std::uint32_t kSingleNan = 0x7fffffff;  // the only one that single-precision arithmetic produces
inline constexpr std::uint32_t kSingleSign = 0x80000000;
inline constexpr std::uint32_t kSingleExponent = 0x7f800000;

// Subnormal values become 0 of their sign.
inline float flushed(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  return std::bit_cast<float>((bits & kSingleExponent) != 0 ? bits : bits & kSingleSign);
}

// By bits, because with -frounding-math a comparison of the number prevents vectorisation of the loop.
inline float canonical(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  return std::bit_cast<float>((bits & ~kSingleSign) > kSingleExponent ? kSingleNan : bits);
}

// By bits for the same reason.
inline bool is_nan(double value) {
  return std::bit_cast<std::uint64_t>(value) << 1U > 0xffe0000000000000;
}
// A NaN of double precision passes through instructions with sign and payload, but quiet.
inline double quiet(double nan) {
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(nan) | 0x0008000000000000);
}

// The result, if it is a number; otherwise the NaN that passes: the last source's, or that of invalid operations if no
// source is a NaN.
inline double number_or_nan(double result, double first, double last) {
  const double invalid = std::bit_cast<double>(0xfff8000000000000);
  const double nan = is_nan(last) ? quiet(last) : is_nan(first) ? quiet(first) : invalid;
  return is_nan(result) ? nan : result;
}

// Flushing is decided as if the exponent had no bound: what would round to the least normal number
// from below only because subnormal ones have fewer digits becomes 0. `scaled` is the result's computation with sources
// scaled up so that it stays normal where that matters.
inline constexpr float kTinyScale = 0x1p64F;
inline float flushed_by(float scaled, float result) {
  const auto bits = std::bit_cast<std::uint32_t>(result);
  const std::uint32_t size = std::bit_cast<std::uint32_t>(scaled) & ~kSingleSign;
  constexpr std::uint32_t kLeastNormal = std::bit_cast<std::uint32_t>(0x1p-126F * kTinyScale);
  return std::bit_cast<float>(size < kLeastNormal ? bits & kSingleSign : bits);
}

// Into [0, 1]; NaN becomes +0.
template <class T>
T saturated_to_one(T value) {
  const T positive = value > T{0} ? value : T{0};
  return positive < T{1} ? positive : T{1};
}

// Treatment of sources and result in single precision.
template <bool kFlush, bool kSaturate>
struct SingleMode {
  static constexpr bool kFlushes = kFlush;
  static float source(float value) { return kFlush ? flushed(value) : value; }
  static float result(float value) {
    const float settled = kFlush ? flushed(value) : value;
    return kSaturate ? saturated_to_one(settled) : canonical(settled);
  }
};

}  // namespace warpsim
