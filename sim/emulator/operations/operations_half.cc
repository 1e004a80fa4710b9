// Half precision: .f16 and .bf16, one or two in a register.
//
// Sums and products are formed in single precision, which has more than twice the digits, so that rounding twice equals
// rounding once; multiply-adds are formed in double precision with the last bit set to odd.
#include <bit>
#include <cmath>
#include <cstdint>

#include "emulator/numbers/half_float.h"
#include "emulator/numbers/interpolated_functions.h"
#include "emulator/operations/arithmetic_binders.h"
#include "emulator/operations/lane_functions.h"

namespace warpsim {

namespace {

using ptx::DataType;

// Treatment of a result.
enum class Finish : std::uint8_t { kNone, kSaturate, kRelu };

template <class H>
bool is_half_nan(H value) {
  return (value.bits & ~kHalfSign) > H::kFormat.infinity;
}

template <class H, Finish kFinish>
H finished(H value) {
  const bool negative = (value.bits & kHalfSign) != 0;
  const bool nan = is_half_nan(value);
  if constexpr (kFinish == Finish::kSaturate) {
    constexpr auto kOne = static_cast<std::uint16_t>(H::kFormat.bias << H::kFormat.fraction_bits);
    return {static_cast<std::uint16_t>(negative || nan ? 0 : value.bits < kOne ? value.bits : kOne)};
  } else if constexpr (kFinish == Finish::kRelu) {
    return {static_cast<std::uint16_t>(nan ? kHalfNan : negative ? 0 : value.bits)};
  } else {
    return value;
  }
}

// `wide` rounds to the nearest half like the exact result.
struct HalfAdd {
  static constexpr HostForm kForm = HostForm::kHalvesAdd;
  template <class H>
  static float wide(H a, H b) {
    return to_single(a) + to_single(b);
  }
};
struct HalfSub {
  static constexpr HostForm kForm = HostForm::kHalvesSubtract;
  template <class H>
  static float wide(H a, H b) {
    return to_single(a) - to_single(b);
  }
};
struct Mul {
  static constexpr HostForm kForm = HostForm::kHalvesMultiply;
  template <class H>
  static float wide(H a, H b) {
    return to_single(a) * to_single(b);
  }
};
struct Fma {
  static constexpr HostForm kForm = HostForm::kHalvesMultiplyAdd;
  template <class H>
  static float wide(H a, H b, H c) {
    return multiply_add_to_odd(to_single(a), to_single(b), to_single(c));
  }
};
// A source that is the mark of an out-of-bounds load makes the result 0.
struct FmaInBounds {
  template <class H>
  static H of(H a, H b, H c) {
    constexpr unsigned kOutside = 0x7ff7;  // in both formats
    const bool outside = (a.bits & ~kHalfSign) == kOutside || (b.bits & ~kHalfSign) == kOutside;
    return outside ? H{} : to_half<H>(Fma::wide(a, b, c));
  }
};
struct Absolute {
  template <class H>
  static H of(H a) {
    return {static_cast<std::uint16_t>(is_half_nan(a) ? kHalfNan : a.bits & ~kHalfSign)};
  }
};
struct Negated {
  template <class H>
  static H of(H a) {
    return {static_cast<std::uint16_t>(is_half_nan(a) ? kHalfNan : a.bits ^ kHalfSign)};
  }
};
// The result of the special function unit, truncated.
struct Exponential {
  template <class H>
  static H of(H a) {
    if (is_half_nan(a)) {
      return {kHalfNan};
    }
    const double power = interpolated::power(to_single(a));
    constexpr double kOverflow = std::bit_cast<double>(static_cast<std::uint64_t>(1023 + H::kFormat.bias + 1) << 52U);
    return power < kOverflow ? to_half<H>(power, Rounding::kZero) : H{static_cast<std::uint16_t>(H::kFormat.infinity)};
  }
};
struct Tangent {
  template <class H>
  static H of(H a) {
    return is_half_nan(a) ? H{kHalfNan}
                          : to_half<H>(static_cast<double>(interpolated::tangent(to_single(a))), Rounding::kZero);
  }
};

template <bool kMaximum, bool kNan>
struct Extreme {
  template <class H>
  static H of(H a, H b) {
    const float x = to_single(a);
    const float y = to_single(b);
    const bool a_negative = (a.bits & kHalfSign) != 0;
    const bool a_wins = x == y ? a_negative != kMaximum : (x < y) != kMaximum;
    const std::uint16_t number = a_wins ? a.bits : b.bits;
    const std::uint16_t one = x != x ? b.bits : y != y ? a.bits : number;
    const bool undefined = kNan ? (x != x || y != y) : (x != x && y != y);
    return {undefined ? kHalfNan : one};
  }
};
// Of the magnitudes, with the exclusive or of the signs.
template <class Inner>
struct SignedExtreme {
  template <class H>
  static H of(H a, H b) {
    const unsigned sign = (a.bits ^ b.bits) & kHalfSign;
    const H size = Inner::of(Absolute::of(a), Absolute::of(b));
    return {static_cast<std::uint16_t>(size.bits == kHalfNan ? kHalfNan : size.bits | sign)};
  }
};

template <class Function, class H, bool kFlush, Finish kFinish>
struct Moded {
  static H source(H value) { return kFlush ? flushed(value) : value; }
  static H result(H value) { return finished<H, kFinish>(kFlush ? flushed(value) : value); }
  // Flushed if it is subnormal without a bound of the exponent (flushed_by in float_rounding.h).
  static H rounded(float wide) {
    const H value = to_half<H>(wide);
    if constexpr (kFlush) {
      constexpr auto kOne = static_cast<std::uint16_t>(H::kFormat.bias << H::kFormat.fraction_bits);
      constexpr float kScale = std::bit_cast<float>(static_cast<std::uint32_t>(126 + H::kFormat.bias) << 23U);
      const bool tiny = (to_half<H>(wide * kScale).bits & ~kHalfSign) < kOne;
      return {static_cast<std::uint16_t>(tiny ? value.bits & kHalfSign : value.bits)};
    } else {
      return value;
    }
  }
  template <class... T>
  static H of(T... sources) {
    if constexpr (requires { Function::wide(sources...); }) {
      return result(rounded(Function::wide(source(sources)...)));
    } else {
      return result(Function::of(source(sources)...));
    }
  }
};
template <class Function, class H>
struct Both {
  template <class... T>
  static Twice<H> of(T... sources) {
    return {Function::of(sources.low...), Function::of(sources.high...)};
  }
};

template <class Function, class T, int kSources>
Handler handler_of() {
  if constexpr (kSources == 1) {
    return best_for_host<map_one<Function, T, T>>();
  } else if constexpr (kSources == 2) {
    return best_for_host<map_two<Function, T, T>>();
  } else {
    return best_for_host<map_three<Function, T, T>>();
  }
}

template <class Function, int kSources, bool kFlush, Finish kFinish>
Handler handler(DataType type) {
  using OfHalf = Moded<Function, Half, kFlush, kFinish>;
  using OfBrain = Moded<Function, Brain, kFlush, kFinish>;
  switch (type) {
    case DataType::kF16:
      return handler_of<OfHalf, Half, kSources>();
    case DataType::kF16x2:
      return handler_of<Both<OfHalf, Half>, Twice<Half>, kSources>();
    case DataType::kBf16:
      return handler_of<OfBrain, Brain, kSources>();
    default:
      return handler_of<Both<OfBrain, Brain>, Twice<Brain>, kSources>();
  }
}

struct Modes {
  bool flushes = false;
  Finish finish = Finish::kNone;
};
// `kFinishes`: results may be saturated and, of three sources, negative ones replaced with zero.
template <class Function, int kSources, bool kFinishes>
Handler handler(DataType type, Modes modes) {
  if constexpr (kFinishes) {
    if (modes.finish == Finish::kSaturate) {
      return modes.flushes ? handler<Function, kSources, true, Finish::kSaturate>(type)
                           : handler<Function, kSources, false, Finish::kSaturate>(type);
    }
  }
  if constexpr (kFinishes && kSources == 3) {
    if (modes.finish == Finish::kRelu) {
      return modes.flushes ? handler<Function, kSources, true, Finish::kRelu>(type)
                           : handler<Function, kSources, false, Finish::kRelu>(type);
    }
  }
  return modes.flushes ? handler<Function, kSources, true, Finish::kNone>(type)
                       : handler<Function, kSources, false, Finish::kNone>(type);
}

// The single-register type that holds the operands: a pair is any 32 bits.
DataType operand_type(DataType type) {
  return bytes_of(type) == 4 ? DataType::kB32 : DataType::kB16;
}

template <class Function, int kSources, bool kFinishes>
void bind_arithmetic(OperationBuilder& b, DataType type) {
  Modes modes;
  b.take("rn");
  modes.flushes = b.take("ftz");
  if constexpr (kFinishes) {
    modes.finish = b.take("sat") ? Finish::kSaturate : Finish::kNone;
    if (kSources == 3 && b.take("relu")) {
      modes.finish = Finish::kRelu;
    }
  }
  const DataType held = operand_type(type);
  bind_operands(b, {held, held, kSources > 1 ? held : DataType::kNone, kSources > 2 ? held : DataType::kNone});
  b.operation.run = handler<Function, kSources, kFinishes>(type, modes);
  if constexpr (requires { Function::kForm; }) {
    if (type == DataType::kF16x2 && !modes.flushes && modes.finish == Finish::kNone) {
      b.operation.form = Function::kForm;
    }
  }
}

template <bool kMaximum>
Handler extreme(DataType type, Modes modes, bool nan, bool signs) {
  using Number = Extreme<kMaximum, false>;
  using Nan = Extreme<kMaximum, true>;
  if (signs) {
    return nan ? handler<SignedExtreme<Nan>, 2, false>(type, modes)
               : handler<SignedExtreme<Number>, 2, false>(type, modes);
  }
  return nan ? handler<Nan, 2, false>(type, modes) : handler<Number, 2, false>(type, modes);
}

void bind_extreme(OperationBuilder& b, DataType type, bool maximum) {
  Modes modes;
  modes.flushes = b.take("ftz");
  const bool nan = b.take("NaN");
  const bool signs = b.take("xorsign");
  if (signs && !b.take("abs")) {
    b.fail("expected .xorsign.abs");
  }
  const DataType held = operand_type(type);
  bind_operands(b, {held, held, held});
  b.operation.run = maximum ? extreme<true>(type, modes, nan, signs) : extreme<false>(type, modes, nan, signs);
}

}  // namespace

void bind_half(OperationBuilder& b, Arithmetic what, DataType type) {
  switch (what) {
    case Arithmetic::kAdd:
      bind_arithmetic<HalfAdd, 2, true>(b, type);
      return;
    case Arithmetic::kSub:
      bind_arithmetic<HalfSub, 2, true>(b, type);
      return;
    case Arithmetic::kMul:
      bind_arithmetic<Mul, 2, true>(b, type);
      return;
    case Arithmetic::kMad:
      b.take("oob") ? bind_arithmetic<FmaInBounds, 3, true>(b, type) : bind_arithmetic<Fma, 3, true>(b, type);
      return;
    case Arithmetic::kAbs:
      bind_arithmetic<Absolute, 1, false>(b, type);
      return;
    case Arithmetic::kNeg:
      bind_arithmetic<Negated, 1, false>(b, type);
      return;
    case Arithmetic::kMin:
    case Arithmetic::kMax:
      bind_extreme(b, type, what == Arithmetic::kMax);
      return;
    case Arithmetic::kDiv:
      b.fail("there is no form for half precision");
  }
}

void bind_half_approximation(OperationBuilder& b, Approximation what, DataType type) {
  if (what == Approximation::kTangent) {
    bind_arithmetic<Tangent, 1, false>(b, type);
  } else {
    bind_arithmetic<Exponential, 1, false>(b, type);
  }
}

}  // namespace warpsim
