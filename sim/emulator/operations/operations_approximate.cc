// Approximate functions of single precision, and the few of double precision.
//
// Each is a result of the special function unit (interpolated_functions.h) with the assembler's surrounding code:
// scaling of sources that the unit would flush, a product for the quotient, Newton's steps for double precision.
// The functions here handle special sources; the form decides what is flushed.
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numbers>

#include "emulator/numbers/float_rounding.h"
#include "emulator/numbers/interpolated_functions.h"
#include "emulator/numbers/interpolated_lanes.h"
#include "emulator/operations/arithmetic_binders.h"
#include "emulator/operations/lane_functions.h"
#include "emulator/operations/lane_masks.h"

namespace warpsim {

namespace {

using ptx::DataType;

constexpr float kLeastNormal = 0x1p-126F;
constexpr float kTinySourceScale = 0x1p24F;  // makes every subnormal number normal
bool is_subnormal(float a) {
  return std::fabs(a) < kLeastNormal && a != 0;
}

struct Reciprocal {
  static float of(float a) {
    return a == 0 || !std::isfinite(a) ? 1.0F / a : static_cast<float>(interpolated::reciprocal(a));
  }
};
struct SquareRoot {
  static float of(float a) {
    return a > 0 && std::isfinite(a) ? static_cast<float>(interpolated::root(a)) : std::sqrt(a);
  }
};
struct ReciprocalSquareRoot {
  static float of(float a) {
    if (a == 0) {
      return std::copysign(HUGE_VALF, a);
    }
    return a > 0 && std::isfinite(a) ? static_cast<float>(interpolated::reciprocal_root(a)) : 1.0F / std::sqrt(a);
  }
};
// The unit takes angles in revolutions, a product rounded to single precision towards 0.
float revolutions(float a) {
  constexpr auto kPerRadian = static_cast<float>(0.5 / std::numbers::pi);
  const double exact = static_cast<double>(a) * kPerRadian;
  const auto nearest = static_cast<float>(exact);
  const auto bits = std::bit_cast<std::uint32_t>(nearest);
  return std::bit_cast<float>(std::fabs(nearest) > std::fabs(exact) ? bits - 1 : bits);
}
struct Sine {
  static float of(float a) { return std::isfinite(a) ? interpolated::sine(revolutions(a)) : a - a; }
};
struct Cosine {
  static float of(float a) { return std::isfinite(a) ? interpolated::cosine(revolutions(a)) : a - a; }
};
struct Logarithm {
  static float of(float a) {
    if (!(a > 0 && std::isfinite(a))) {
      return std::log2(a);
    }
    return is_subnormal(a) ? interpolated::logarithm(a * kTinySourceScale) - std::log2(kTinySourceScale)
                           : interpolated::logarithm(a);
  }
};
// A result that would be subnormal is the square of half the power.
struct Exponential {
  static float of(float a) {
    constexpr float kLeastOfNormal = -126;
    if (a < kLeastOfNormal) {
      const auto root = static_cast<float>(interpolated::power(a / 2));
      return root * root;
    }
    return a == a ? static_cast<float>(interpolated::power(a)) : a;
  }
};
struct Tangent {
  static float of(float a) { return a == a ? interpolated::tangent(a) : a; }
};

// The assembler's sequence of a reciprocal and a product: divisors above 2^126 have the reciprocal 0, subnormal ones
// are scaled together with the dividend unless they are flushed.
struct Quotient {
  static float of(float a, float b) {
    constexpr float kLargest = 0x1p126F;
    if (std::fabs(b) > kLargest) {
      return a * std::copysign(0.0F, b);
    }
    return is_subnormal(b) ? (a * kTinySourceScale) * Reciprocal::of(b * kTinySourceScale) : a * Reciprocal::of(b);
  }
};
// The full range: large divisors are also scaled.
struct FullQuotient {
  static float of(float a, float b) {
    constexpr float kLarge = 0x1p126F;
    constexpr float kLargeSourceScale = 0x1p-2F;
    return std::fabs(b) > kLarge ? (a * kLargeSourceScale) * Reciprocal::of(b * kLargeSourceScale) : Quotient::of(a, b);
  }
};

template <class Function, bool kFlush>
struct Moded {
  using Mode = SingleMode<kFlush, false>;
  template <class... T>
  static float of(T... sources) {
    return Mode::result(Function::of(Mode::source(sources)...));
  }
};

template <class Function>
Handler single(bool flushes) {
  return flushes ? map_one<Moded<Function, true>, float, float> : map_one<Moded<Function, false>, float, float>;
}

// Lane by lane if they are few, else all at once, and then alone those with special sources.
template <class Function, class Lanes, bool kFlush>
void interpolate(WarpContext& warp, const Operation& operation, LaneMask lanes) {
  constexpr int kFewLanes = 4;
  using One = Moded<Function, kFlush>;
  if (std::popcount(lanes) <= kFewLanes) {
    map_one<One, float, float>(warp, operation, lanes);
    return;
  }
  std::uint32_t* const d = warp.write<float>(operation.d);
  const std::uint32_t* const a = warp.read<float>(operation.a);
  interpolated::LaneWords sources;
  LaneTruths special;
  for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
    sources[lane] = std::bit_cast<std::uint32_t>(One::Mode::source(std::bit_cast<float>(a[lane])));
    special[lane] = Lanes::is_usual(sources[lane]) ? 0 : 1;
  }
  std::array<double, kWarpSize> exact;
  Lanes::compute(sources, exact);
  interpolated::LaneWords results;
  for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
    results[lane] = std::bit_cast<std::uint32_t>(One::Mode::result(static_cast<float>(exact[lane])));
  }
  for (LaneMask rest = mask_of_truths(special) & lanes; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(rest));
    results[lane] = std::bit_cast<std::uint32_t>(One::of(std::bit_cast<float>(a[lane])));
  }
  for_own_lanes(lanes, [&](std::uint32_t lane) { d[lane] = results[lane]; });
}

template <class Function, class Lanes>
Handler single_of_lanes(bool flushes) {
  return flushes ? best_for_host<interpolate<Function, Lanes, true>>()
                 : best_for_host<interpolate<Function, Lanes, false>>();
}

HostForm form_of(Approximation what) {
  switch (what) {
    case Approximation::kReciprocal:
      return HostForm::kReciprocal;
    case Approximation::kSquareRoot:
      return HostForm::kRoot;
    case Approximation::kReciprocalSquareRoot:
      return HostForm::kReciprocalRoot;
    case Approximation::kLogarithm:
      return HostForm::kLogarithm;
    case Approximation::kExponential:
      return HostForm::kPower;
    default:  // PTX's angles are in radians
      return HostForm::kNone;
  }
}

Handler single_handler(Approximation what, bool flushes) {
  switch (what) {
    case Approximation::kReciprocal:
      return single_of_lanes<Reciprocal, interpolated::Reciprocals>(flushes);
    case Approximation::kSquareRoot:
      return single_of_lanes<SquareRoot, interpolated::Roots<interpolated::RootTables>>(flushes);
    case Approximation::kReciprocalSquareRoot:
      return single_of_lanes<ReciprocalSquareRoot, interpolated::Roots<interpolated::RootReciprocalTables>>(flushes);
    case Approximation::kSine:
      return single<Sine>(flushes);
    case Approximation::kCosine:
      return single<Cosine>(flushes);
    case Approximation::kLogarithm:
      return single<Logarithm>(flushes);
    case Approximation::kExponential:
      return single_of_lanes<Exponential, interpolated::Powers>(flushes);
    case Approximation::kTangent:
      break;
  }
  return single<Tangent>(flushes);
}

// Double precision has a result of 20 bits after the binary point: the lower word of source and result counts as 0.
constexpr std::uint64_t kUpperWord = 0xffffffff00000000;
double upper_word(double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  constexpr std::uint64_t kExponent = 0x7ff0000000000000;
  constexpr std::uint64_t kSign = 0x8000000000000000;
  const bool subnormal = (bits & kExponent) == 0;
  return std::bit_cast<double>(subnormal ? bits & kSign : bits & kUpperWord);
}
constexpr double kUpperNan = std::bit_cast<double>(0x7fffffff00000000);
// A normal number as a fraction of [1, 4) and an even exponent.
struct ScaledInput {
  float fraction;
  int exponent;
};
ScaledInput scaled(double a) {
  constexpr unsigned kExponentPlace = 52;
  constexpr int kBias = 1023;
  const int exponent = (static_cast<int>(std::bit_cast<std::uint64_t>(a) >> kExponentPlace & 0x7ffU) - kBias) & ~1;
  return {static_cast<float>(a * interpolated::two_to(-exponent)), exponent};
}
struct CoarseReciprocal {
  static double of(double a) {
    const double source = upper_word(a);
    if (source == 0 || !std::isfinite(source)) {
      return a == a ? 1 / source : kUpperNan;
    }
    const ScaledInput parts = scaled(source);
    return upper_word(interpolated::reciprocal(parts.fraction) * interpolated::two_to(-parts.exponent));
  }
};
struct CoarseReciprocalSquareRoot {
  static double of(double a) {
    const double source = upper_word(a);
    if (a != a || source < 0) {
      return kUpperNan;
    }
    if (source == 0 || !std::isfinite(source)) {
      return source == 0 ? std::copysign(HUGE_VAL, source) : 0;
    }
    const ScaledInput parts = scaled(source);
    return upper_word(interpolated::reciprocal_root(parts.fraction) * interpolated::two_to(-parts.exponent / 2));
  }
};
// rsqrt.approx.f64 without .ftz: a step of third order after the coarse value.
struct FineReciprocalSquareRoot {
  static double of(double a) {
    if (!(a > 0 && std::isfinite(a))) {
      return a == 0 ? std::copysign(HUGE_VAL, a) : 1 / std::sqrt(a);
    }
    const int exponent = std::ilogb(a) & ~1;
    const double source = std::scalbn(a, -exponent);
    const double coarse = CoarseReciprocalSquareRoot::of(source);
    const double error = std::fma(source, -(coarse * coarse), 1.0);
    const double fine = std::fma(std::fma(error, 0.375, 0.5), error * coarse, coarse);
    return std::scalbn(fine, -exponent / 2);
  }
};

void bind_coarse_double(OperationBuilder& b, Approximation what) {
  bind_operands(b, {DataType::kF64, DataType::kF64});
  const bool flushes = b.take("ftz");
  if (what == Approximation::kReciprocal && flushes) {
    b.operation.run = map_one<CoarseReciprocal, double, double>;
  } else if (what == Approximation::kReciprocalSquareRoot) {
    b.operation.run = flushes ? map_one<CoarseReciprocalSquareRoot, double, double>
                              : map_one<FineReciprocalSquareRoot, double, double>;
  } else {
    b.fail("there is no such form for .f64");
  }
}

void bind_approx(OperationBuilder& b, Approximation what) {
  if (!b.take("approx")) {
    b.fail("expected .approx");
  }
  bind_approximation(b, what);
}

}  // namespace

void bind_approximation(OperationBuilder& b, Approximation what) {
  const bool has_half = what == Approximation::kExponential || what == Approximation::kTangent;
  const DataType type = b.take_type();
  if (type == DataType::kF64) {
    bind_coarse_double(b, what);
    return;
  }
  if (type != DataType::kF32) {
    if (!has_half) {
      b.fail("there is no form for this type");
    }
    bind_half_approximation(b, what, type);
    return;
  }
  const bool flushes = b.take("ftz");
  bind_operands(b, {DataType::kF32, DataType::kF32});
  b.operation.run = single_handler(what, flushes);
  b.operation.form = form_of(what);
}

void bind_approximate_division(OperationBuilder& b, bool full) {
  const bool flushes = b.take("ftz");
  constexpr DataType kType = DataType::kF32;
  bind_operands(b, {kType, kType, kType});
  b.operation.run =
      full ? (flushes ? map_two<Moded<FullQuotient, true>, float, float>
                      : map_two<Moded<FullQuotient, false>, float, float>)
           : (flushes ? map_two<Moded<Quotient, true>, float, float> : map_two<Moded<Quotient, false>, float, float>);
}

void bind_rsqrt(OperationBuilder& b) {
  bind_approx(b, Approximation::kReciprocalSquareRoot);
}

void bind_sin(OperationBuilder& b) {
  bind_approx(b, Approximation::kSine);
}

void bind_cos(OperationBuilder& b) {
  bind_approx(b, Approximation::kCosine);
}

void bind_lg2(OperationBuilder& b) {
  bind_approx(b, Approximation::kLogarithm);
}

void bind_ex2(OperationBuilder& b) {
  bind_approx(b, Approximation::kExponential);
}

void bind_tanh(OperationBuilder& b) {
  bind_approx(b, Approximation::kTangent);
}

}  // namespace warpsim
