// Approximate functions of single precision, and the few of double precision.
//
// Each is evaluated in double precision and rounded once, which is within the error that PTX allows; the range
// reduction of sine and cosine is that of the hardware, whose error grows with the argument.
#include <bit>
#include <cmath>
#include <cstdint>
#include <numbers>

#include "emulator/arithmetic_binders.h"
#include "emulator/float_rounding.h"
#include "emulator/lane_functions.h"

namespace warpsim {

namespace {

using ptx::DataType;

struct Reciprocal {
  static float of(float a) { return 1.0F / a; }
};
struct SquareRoot {
  static float of(float a) { return std::sqrt(a); }
};
struct ReciprocalSquareRoot {
  static float of(float a) {
    if (a == 0) {
      return std::copysign(HUGE_VALF, a);
    }
    return static_cast<float>(1.0 / std::sqrt(static_cast<double>(a)));
  }
};
// The hardware takes its argument in revolutions, a product rounded to single precision towards 0.
double revolution(float a) {
  constexpr auto kPerRadian = static_cast<float>(0.5 / std::numbers::pi);
  const double exact = static_cast<double>(a) * kPerRadian;
  const auto nearest = static_cast<float>(exact);
  const double turns = std::fabs(nearest) > std::fabs(exact) ? std::nextafter(nearest, 0.0F) : nearest;
  return 2 * std::numbers::pi * (turns - std::nearbyint(turns));
}
struct Sine {
  static float of(float a) { return a == 0 ? a : static_cast<float>(std::sin(revolution(a))); }
};
struct Cosine {
  static float of(float a) { return static_cast<float>(std::cos(revolution(a))); }
};
struct Logarithm {
  static float of(float a) { return static_cast<float>(std::log2(static_cast<double>(a))); }
};
struct Exponential {
  static float of(float a) { return static_cast<float>(std::exp2(static_cast<double>(a))); }
};
struct Tangent {
  static float of(float a) { return static_cast<float>(std::tanh(static_cast<double>(a))); }
};

// As the assembler makes it of a reciprocal and a product: divisors above 2^126 have the reciprocal 0, subnormal ones
// are scaled together with the dividend unless they are flushed.
struct Quotient {
  static float of(float a, float b) {
    constexpr float kLargest = 0x1p126F;
    constexpr float kSmallest = 0x1p-126F;
    const float magnitude = std::fabs(b);
    if (magnitude > kLargest) {
      return a * std::copysign(0.0F, b);
    }
    if (magnitude < kSmallest && magnitude > 0) {
      return static_cast<float>(static_cast<double>(a) / static_cast<double>(b));
    }
    return a * (1.0F / b);
  }
};
// The full range: correct to 2 units in the last place everywhere.
struct FullQuotient {
  static float of(float a, float b) { return static_cast<float>(static_cast<double>(a) / static_cast<double>(b)); }
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

Handler single_handler(Approximation what, bool flushes) {
  switch (what) {
    case Approximation::kReciprocal:
      return single<Reciprocal>(flushes);
    case Approximation::kSquareRoot:
      return single<SquareRoot>(flushes);
    case Approximation::kReciprocalSquareRoot:
      return single<ReciprocalSquareRoot>(flushes);
    case Approximation::kSine:
      return single<Sine>(flushes);
    case Approximation::kCosine:
      return single<Cosine>(flushes);
    case Approximation::kLogarithm:
      return single<Logarithm>(flushes);
    case Approximation::kExponential:
      return single<Exponential>(flushes);
    case Approximation::kTangent:
      break;
  }
  return single<Tangent>(flushes);
}

// Double precision has a result of 20 bits behind the binary point: the lower word of source and result counts as 0.
constexpr std::uint64_t kUpperWord = 0xffffffff00000000;
double upper_word(double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  constexpr std::uint64_t kExponent = 0x7ff0000000000000;
  constexpr std::uint64_t kSign = 0x8000000000000000;
  const bool subnormal = (bits & kExponent) == 0;
  return std::bit_cast<double>(subnormal ? bits & kSign : bits & kUpperWord);
}
struct CoarseReciprocal {
  static double of(double a) { return a == a ? upper_word(1 / upper_word(a)) : a; }
};
struct CoarseReciprocalSquareRoot {
  static double of(double a) {
    if (a != a) {
      return a;
    }
    const double source = upper_word(a);
    return source == 0 ? std::copysign(HUGE_VAL, source) : upper_word(1 / std::sqrt(source));
  }
};
// rsqrt.approx.f64 without .ftz is a sequence that is good to two units in the last place.
struct FineReciprocalSquareRoot {
  static double of(double a) { return a == 0 ? std::copysign(HUGE_VAL, a) : 1 / std::sqrt(a); }
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
