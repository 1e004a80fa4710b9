// Conversions among .f16, .bf16, .f32 and .f64. Compiled with -frounding-math.
#include <bit>
#include <cmath>
#include <cstdint>
#include <type_traits>

#include "emulator/numbers/half_float.h"
#include "emulator/operations/conversion.h"
#include "emulator/operations/lane_functions.h"

namespace warpsim {

namespace {

using ptx::DataType;

template <class T>
constexpr bool kIsHalf = std::is_same_v<T, Half> || std::is_same_v<T, Brain>;

template <class T>
auto number_of(T value) {
  if constexpr (kIsHalf<T>) {
    return to_single(value);
  } else {
    return value;
  }
}

// With the host's rounding, which is that of the instruction if D has more than 16 bits.
template <class D, class N>
D rounded(N value, Rounding rounding) {
  if constexpr (!kIsHalf<D>) {
    return static_cast<D>(value);
  } else if constexpr (std::is_same_v<N, float>) {
    return rounding == Rounding::kNearestEven ? to_half<D>(value) : to_half<D>(static_cast<double>(value), rounding);
  } else {
    return to_half<D>(value, rounding);
  }
}

// Modes in addition to rounding, by bits.
constexpr unsigned kFlush = 1;
constexpr unsigned kSaturate = 2;
constexpr unsigned kRelu = 4;
constexpr unsigned kFinite = 8;
constexpr unsigned kIntegralShift = 4;

template <class N>
N integral_value(Integral mode, N value) {
  switch (mode) {
    case Integral::kNearest:
      return std::nearbyint(value);
    case Integral::kZero:
      return std::trunc(value);
    case Integral::kDown:
      return std::floor(value);
    case Integral::kUp:
      return std::ceil(value);
    case Integral::kNone:
      break;
  }
  return value;
}

template <class T>
T flushed_if_single(T value) {
  if constexpr (std::is_same_v<T, float>) {
    return flushed(value);
  } else {
    return value;
  }
}

template <class D>
D settled(D value, unsigned modes) {
  if constexpr (kIsHalf<D>) {
    const unsigned size = value.bits & ~kHalfSign;
    const bool nan = size > D::kFormat.infinity;
    if ((modes & kFinite) != 0 && size == D::kFormat.infinity) {
      value.bits = static_cast<std::uint16_t>((value.bits & kHalfSign) | D::kFormat.largest);
    }
    if ((modes & kRelu) != 0 && (value.bits & kHalfSign) != 0 && !nan) {
      value.bits = 0;
    }
    if ((modes & kSaturate) != 0) {
      constexpr auto kOne = static_cast<std::uint16_t>(D::kFormat.bias << D::kFormat.fraction_bits);
      const bool zero = nan || (value.bits & kHalfSign) != 0;
      value.bits = zero ? std::uint16_t{0} : value.bits < kOne ? value.bits : kOne;
    }
    return value;
  } else {
    if ((modes & kFlush) != 0) {
      value = flushed_if_single(value);
    }
    return (modes & kSaturate) != 0 ? saturated_to_one(value) : value;
  }
}

// NaNs: double precision passes sign and first bits to the narrower type, quiet; .bf16 is the upper half of single
// precision, bit by bit; all others give the same NaN.
template <class D, class S>
D with_nan(D result, S source) {
  if constexpr (std::is_same_v<S, double> && !std::is_same_v<D, double>) {
    if (!is_nan(source)) {
      return result;
    }
    const auto bits = static_cast<std::uint32_t>(std::bit_cast<std::uint64_t>(source) >> 32U);
    const std::uint32_t sign = bits & kSingleSign;
    if constexpr (std::is_same_v<D, float>) {
      const auto payload = static_cast<std::uint32_t>(std::bit_cast<std::uint64_t>(source) >> 29U) & 0x3fffffU;
      return std::bit_cast<float>(sign | 0x7fc00000U | payload);
    } else {
      constexpr int kShift = 20 - D::kFormat.fraction_bits;
      constexpr std::uint32_t kFraction = (1U << D::kFormat.fraction_bits) - 1;
      constexpr std::uint32_t kQuiet = 1U << (D::kFormat.fraction_bits - 1);
      return {static_cast<std::uint16_t>(sign >> 16U | D::kFormat.infinity | kQuiet | (bits >> kShift & kFraction))};
    }
  } else if constexpr (std::is_same_v<D, float> && !std::is_same_v<S, Brain>) {
    return canonical(result);
  } else {
    return result;
  }
}

// Without modes, rounded to nearest: the most common conversions.
template <class D, class S>
struct Convert {
  static D of(S value) { return with_nan(rounded<D>(number_of(value), Rounding::kNearestEven), value); }
};

template <class D, class S>
void convert(WarpContext& warp, const Operation& operation, LaneMask lanes) {
  LaneWord<D>* const d = warp.write<D>(operation.d);
  const LaneWord<S>* const a = warp.read<S>(operation.a);
  const auto rounding = static_cast<Rounding>(operation.variant);
  const unsigned modes = operation.count;
  const auto mode = static_cast<Integral>(modes >> kIntegralShift);
  const RoundingScope scope(kIsHalf<D> ? Rounding::kNearestEven : rounding);
  for_own_lanes(lanes, [=](std::uint32_t lane) {
    const S source = LaneStorage<S>::get(a[lane]);
    auto value = number_of(source);
    // The conversion to halves does not flush, even if the instruction says so.
    if (!kIsHalf<D> && (modes & kFlush) != 0) {
      value = flushed_if_single(value);
      if constexpr (std::is_same_v<S, float>) {
        value = canonical(value);
      }
    }
    D result = with_nan(rounded<D>(integral_value(mode, value), rounding), source);
    if constexpr (std::is_same_v<D, float> && std::is_same_v<S, double>) {
      result = (modes & kFlush) != 0 ? flushed_by(static_cast<float>(value * kTinyScale), result) : result;
    }
    d[lane] = LaneStorage<D>::put(settled(result, modes));
  });
}

template <class D, class S>
Handler handler(bool plain) {
  return plain ? best_for_host<map_one<Convert<D, S>, D, S>>() : convert<D, S>;
}

template <class D>
Handler handler_from(DataType from, bool plain) {
  switch (from) {
    case DataType::kF16:
      return handler<D, Half>(plain);
    case DataType::kBf16:
      return handler<D, Brain>(plain);
    case DataType::kF32:
      return handler<D, float>(plain);
    default:
      return handler<D, double>(plain);
  }
}

HostForm form_of_conversion(DataType to, DataType from) {
  if (from == DataType::kF32) {
    return to == DataType::kF16    ? HostForm::kHalfOfFloat
           : to == DataType::kBf16 ? HostForm::kBrainOfFloat
                                   : HostForm::kNone;
  }
  if (to == DataType::kF32) {
    return from == DataType::kF16    ? HostForm::kFloatOfHalf
           : from == DataType::kBf16 ? HostForm::kFloatOfBrain
                                     : HostForm::kNone;
  }
  return HostForm::kNone;
}

}  // namespace

void bind_float_conversion(OperationBuilder& b, DataType to, DataType from, const ConversionModes& modes) {
  const unsigned flags = (modes.flushes ? kFlush : 0) | (modes.saturates ? kSaturate : 0) | (modes.relu ? kRelu : 0) |
                         (modes.finite ? kFinite : 0) | static_cast<unsigned>(modes.integral) << kIntegralShift;
  b.operation.variant = static_cast<std::uint8_t>(modes.rounding);
  b.operation.count = static_cast<std::uint8_t>(flags);
  b.operation.d = b.destination(0, to);
  b.operation.a = b.source(1, from);
  const bool plain = flags == 0 && modes.rounding == Rounding::kNearestEven;
  b.operation.form = plain ? form_of_conversion(to, from) : HostForm::kNone;
  switch (to) {
    case DataType::kF16:
      b.operation.run = handler_from<Half>(from, plain);
      return;
    case DataType::kBf16:
      b.operation.run = handler_from<Brain>(from, plain);
      return;
    case DataType::kF32:
      b.operation.run = handler_from<float>(from, plain);
      return;
    default:
      b.operation.run = handler_from<double>(from, plain);
  }
}

}  // namespace warpsim
