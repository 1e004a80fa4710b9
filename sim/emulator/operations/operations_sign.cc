// Floating-point instructions without rounding: signs, extremes, classes.
#include <bit>
#include <cmath>
#include <cstdint>

#include "emulator/numbers/float_rounding.h"
#include "emulator/operations/arithmetic_binders.h"
#include "emulator/operations/lane_functions.h"

namespace warpsim {

namespace {

using ptx::DataType;

template <class T>
struct FloatBits;
template <>
struct FloatBits<float> {
  using Bits = std::uint32_t;
  static constexpr Bits kSign = kSingleSign;
  static constexpr Bits kInfinity = kSingleExponent;
  static constexpr Bits kNan = kSingleNan;
};
template <>
struct FloatBits<double> {
  using Bits = std::uint64_t;
  static constexpr Bits kSign = 0x8000000000000000;
  static constexpr Bits kInfinity = 0x7ff0000000000000;
};

template <class T, bool kFlush>
T source(T value) {
  if constexpr (kFlush) {
    return flushed(value);
  } else {
    return value;
  }
}

template <class T>
T with_bits(typename FloatBits<T>::Bits bits) {
  return std::bit_cast<T>(bits);
}
template <class T>
typename FloatBits<T>::Bits sign_word_of(T value) {
  return std::bit_cast<typename FloatBits<T>::Bits>(value);
}

// NaNs are treated as in arithmetic: their signs stay.
template <class T>
T settled(T a, typename FloatBits<T>::Bits bits) {
  if constexpr (sizeof(T) == 8) {
    return is_nan(a) ? quiet(a) : with_bits<T>(bits);
  } else {
    return canonical(with_bits<T>(bits));
  }
}
template <class T, bool kFlush>
struct Absolute {
  static T of(T a) { return settled(a, sign_word_of(source<T, kFlush>(a)) & ~FloatBits<T>::kSign); }
};
template <class T, bool kFlush>
struct Negated {
  static T of(T a) { return settled(a, sign_word_of(source<T, kFlush>(a)) ^ FloatBits<T>::kSign); }
};
// The sign of the first source, the rest of the second.
template <class T>
struct CopySign {
  static T of(T a, T b) {
    return with_bits<T>((sign_word_of(a) & FloatBits<T>::kSign) | (sign_word_of(b) & ~FloatBits<T>::kSign));
  }
};

// PTX's order: -0 below +0; a number is preferred to a NaN or, with .NaN, the NaN to a number.
template <class T, bool kMaximum, bool kNan>
T extreme(T a, T b) {
  const bool a_wins = a == b ? ((sign_word_of(a) & FloatBits<T>::kSign) != 0) != kMaximum : (a < b) != kMaximum;
  const T number = a_wins ? a : b;
  const T one = std::isnan(a) ? b : std::isnan(b) ? a : number;
  const bool undefined = kNan ? std::isunordered(a, b) : std::isnan(one);
  if constexpr (sizeof(T) == 8) {
    return undefined ? quiet(std::isnan(b) ? b : a) : one;
  } else {
    return undefined ? with_bits<T>(FloatBits<T>::kNan) : one;
  }
}

template <class T, bool kMaximum, bool kNan, bool kFlush>
struct Extreme {
  static T of(T a, T b) { return extreme<T, kMaximum, kNan>(source<T, kFlush>(a), source<T, kFlush>(b)); }
  static T of(T a, T b, T c) { return of(of(a, b), c); }
};

// Of the magnitudes, with the exclusive or of the signs.
template <class Inner, bool kFlush>
struct SignedExtreme {
  static float of(float a, float b) {
    const std::uint32_t sign = (sign_word_of(a) ^ sign_word_of(b)) & kSingleSign;
    const float magnitude = Inner::of(Absolute<float, kFlush>::of(a), Absolute<float, kFlush>::of(b));
    return magnitude != magnitude ? magnitude : with_bits<float>(sign_word_of(magnitude) | sign);
  }
  static float of(float a, float b, float c) {
    const std::uint32_t sign = (sign_word_of(a) ^ sign_word_of(b) ^ sign_word_of(c)) & kSingleSign;
    const float magnitude =
        Inner::of(Absolute<float, kFlush>::of(a), Absolute<float, kFlush>::of(b), Absolute<float, kFlush>::of(c));
    return magnitude != magnitude ? magnitude : with_bits<float>(sign_word_of(magnitude) | sign);
  }
};

template <class Inner, bool kFlush>
struct MagnitudeExtreme {
  static float of(float a, float b, float c) {
    return Inner::of(Absolute<float, kFlush>::of(a), Absolute<float, kFlush>::of(b), Absolute<float, kFlush>::of(c));
  }
};

// Treatment of signs: nothing, .xorsign.abs, or .abs of three sources.
enum class Signs : std::uint8_t { kKept, kExclusiveOr, kNone };

template <class Function>
Handler two_or_three(bool three) {
  return three ? best_for_host<map_three<Function, float, float>>() : best_for_host<map_two<Function, float, float>>();
}

template <bool kMaximum, bool kNan, bool kFlush>
Handler single_extreme(Signs signs, bool three) {
  using Plain = Extreme<float, kMaximum, kNan, kFlush>;
  if (signs == Signs::kNone) {
    return best_for_host<map_three<MagnitudeExtreme<Plain, kFlush>, float, float>>();
  }
  return signs == Signs::kExclusiveOr ? two_or_three<SignedExtreme<Plain, kFlush>>(three) : two_or_three<Plain>(three);
}

template <bool kMaximum>
void bind_single_extreme(OperationBuilder& b) {
  const bool flushes = b.take("ftz");
  const bool nan = b.take("NaN");
  const bool three = b.operands() > 3;
  const bool exclusive_or = b.take("xorsign");
  const bool absolute = (exclusive_or || three) && b.take("abs");
  if (exclusive_or && !absolute) {
    b.fail("expected .xorsign.abs");
  }
  const Signs signs = exclusive_or ? Signs::kExclusiveOr : absolute ? Signs::kNone : Signs::kKept;
  constexpr DataType kType = DataType::kF32;
  bind_operands(b, {kType, kType, kType, three ? kType : DataType::kNone});
  b.operation.run = nan ? (flushes ? single_extreme<kMaximum, true, true>(signs, three)
                                   : single_extreme<kMaximum, true, false>(signs, three))
                        : (flushes ? single_extreme<kMaximum, false, true>(signs, three)
                                   : single_extreme<kMaximum, false, false>(signs, three));
  if (!nan && !three && signs == Signs::kKept) {
    b.operation.form = kMaximum ? HostForm::kFloatMaximum : HostForm::kFloatMinimum;
    b.operation.host_detail = float_detail(flushes, false);
  }
}

// --- testp ---

enum class Class : std::uint8_t { kFinite, kInfinite, kNumber, kNotANumber, kNormal, kSubnormal };

template <class T>
bool is_of(Class what, T value) {
  using Bits = FloatBits<T>;
  const auto magnitude = sign_word_of(value) & ~Bits::kSign;
  switch (what) {
    case Class::kFinite:
      return magnitude < Bits::kInfinity;
    case Class::kInfinite:
      return magnitude == Bits::kInfinity;
    case Class::kNumber:
      return magnitude <= Bits::kInfinity;
    case Class::kNotANumber:
      return magnitude > Bits::kInfinity;
    case Class::kNormal:  // zeros are
      return magnitude < Bits::kInfinity && (magnitude == 0 || (magnitude & Bits::kInfinity) != 0);
    case Class::kSubnormal:
      return magnitude != 0 && (magnitude & Bits::kInfinity) == 0;
  }
  return false;
}

template <class T>
void test(WarpContext& warp, const Operation& operation, LaneMask lanes) {
  const LaneWord<T>* const a = warp.read<T>(operation.a);
  const auto what = static_cast<Class>(operation.variant);
  LaneMask result = 0;
  for_lanes(lanes, [&](std::uint32_t lane) {
    result |= static_cast<LaneMask>(is_of(what, LaneStorage<T>::get(a[lane]))) << lane;
  });
  warp.set_predicate(operation.d, lanes, result);
}

Class take_class(OperationBuilder& b) {
  return b.take("finite")       ? Class::kFinite
         : b.take("infinite")   ? Class::kInfinite
         : b.take("number")     ? Class::kNumber
         : b.take("notanumber") ? Class::kNotANumber
         : b.take("normal")     ? Class::kNormal
         : b.take("subnormal")  ? Class::kSubnormal
                                : (b.fail("expected a class of numbers"), Class::kFinite);
}

}  // namespace

void bind_single_sign(OperationBuilder& b, Arithmetic what) {
  if (what == Arithmetic::kMin || what == Arithmetic::kMax) {
    what == Arithmetic::kMax ? bind_single_extreme<true>(b) : bind_single_extreme<false>(b);
    return;
  }
  const bool flushes = b.take("ftz");
  bind_operands(b, {DataType::kF32, DataType::kF32});
  b.operation.run = what == Arithmetic::kAbs
                        ? (flushes ? best_for_host<map_one<Absolute<float, true>, float, float>>()
                                   : best_for_host<map_one<Absolute<float, false>, float, float>>())
                        : (flushes ? best_for_host<map_one<Negated<float, true>, float, float>>()
                                   : best_for_host<map_one<Negated<float, false>, float, float>>());
}

void bind_double_sign(OperationBuilder& b, Arithmetic what) {
  constexpr DataType kType = DataType::kF64;
  if (what == Arithmetic::kMin || what == Arithmetic::kMax) {
    bind_operands(b, {kType, kType, kType});
    b.operation.run = what == Arithmetic::kMax
                          ? best_for_host<map_two<Extreme<double, true, false, false>, double, double>>()
                          : best_for_host<map_two<Extreme<double, false, false, false>, double, double>>();
    return;
  }
  bind_operands(b, {kType, kType});
  b.operation.run = what == Arithmetic::kAbs ? best_for_host<map_one<Absolute<double, false>, double, double>>()
                                             : best_for_host<map_one<Negated<double, false>, double, double>>();
  b.operation.form = what == Arithmetic::kAbs ? HostForm::kDoubleAbsolute : HostForm::kDoubleNegate;
}

void bind_copysign(OperationBuilder& b) {
  const DataType type = b.take_type();
  bind_operands(b, {type, type, type});
  b.operation.run = bytes_of(type) == 8 ? best_for_host<map_two<CopySign<double>, double, double>>()
                                        : best_for_host<map_two<CopySign<float>, float, float>>();
}

void bind_testp(OperationBuilder& b) {
  b.operation.variant = static_cast<std::uint8_t>(take_class(b));
  const DataType type = b.take_type();
  b.operation.d = b.predicate_destination(0);
  b.operation.a = b.source(1, type);
  b.operation.run = bytes_of(type) == 8 ? test<double> : test<float>;
}

}  // namespace warpsim
