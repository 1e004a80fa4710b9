// Conversions between integers, and between integers and floating-point numbers. Compiled with -frounding-math.
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <type_traits>

#include "emulator/code/function_decoder.h"
#include "emulator/numbers/half_float.h"
#include "emulator/operations/arithmetic_binders.h"
#include "emulator/operations/conversion.h"
#include "emulator/operations/lane_functions.h"

namespace warpsim {

namespace {

using ptx::DataType;

template <class Visit>
Handler for_any_integer(const OperationBuilder& b, DataType type, Visit&& visit) {
  switch (type) {
    case DataType::kB8:
    case DataType::kU8:
      return visit(TypeTag<std::uint8_t>{});
    case DataType::kS8:
      return visit(TypeTag<std::int8_t>{});
    default:
      return for_integer(b, type, visit);
  }
}

// --- integer to integer ---

template <class D>
struct Truncate {
  template <class S>
  static D of(S value) {
    return static_cast<D>(value);
  }
};

// Any widths of source, type, result and register, in 64 bits; for forms that compilers rarely emit.
struct IntegerPlan {
  std::uint8_t wide_source = 0;  // a register of 64 bits
  std::uint8_t source_bits = 0;
  std::uint8_t source_signed = 0;
  std::uint8_t bits = 0;
  std::uint8_t is_signed = 0;
  std::uint8_t written_bits = 0;
  std::uint8_t saturates = 0;
  std::uint8_t unused = 0;
};

// The lowest bits of the value, its sign extended.
std::int64_t extended(std::int64_t value, unsigned bits, bool is_signed) {
  const unsigned unused = 64 - bits;
  const std::uint64_t raised = static_cast<std::uint64_t>(value) << unused;
  return is_signed ? static_cast<std::int64_t>(raised) >> unused : static_cast<std::int64_t>(raised >> unused);
}

// Clamps to the range of the destination. A negative value comes from a signed source.
std::int64_t clamped(std::int64_t value, const IntegerPlan& plan) {
  const bool negative = plan.source_signed != 0 && value < 0;
  const unsigned magnitude_bits = plan.bits - (plan.is_signed != 0 ? 1U : 0U);
  if (negative) {
    const std::int64_t least =
        plan.is_signed != 0 ? -1 - static_cast<std::int64_t>((std::uint64_t{1} << magnitude_bits) - 1) : 0;
    return value < least ? least : value;
  }
  const std::uint64_t most = magnitude_bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << magnitude_bits) - 1;
  return static_cast<std::uint64_t>(value) > most ? static_cast<std::int64_t>(most) : value;
}

void convert_integer(WarpContext& warp, const Operation& operation, LaneMask lanes) {
  const auto plan = std::bit_cast<IntegerPlan>(operation.offset);
  for_lanes(lanes, [&](std::uint32_t lane) {
    const std::uint64_t word = plan.wide_source != 0 ? warp.read<std::uint64_t>(operation.a)[lane]
                                                     : warp.read<std::uint32_t>(operation.a)[lane];
    std::int64_t value = extended(static_cast<std::int64_t>(word), plan.source_bits, plan.source_signed != 0);
    if (plan.saturates != 0) {
      value = clamped(value, plan);
    }
    value = extended(value, plan.bits, plan.is_signed != 0);
    const auto written = static_cast<std::uint64_t>(extended(value, plan.written_bits, false));
    if (plan.written_bits == 64) {
      warp.write<std::uint64_t>(operation.d)[lane] = written;
    } else {
      warp.write<std::uint32_t>(operation.d)[lane] = static_cast<std::uint32_t>(written);
    }
  });
}

std::uint8_t format_bits(DataType type) {
  return static_cast<std::uint8_t>(8 * bytes_of(type));
}

void bind_integers(OperationBuilder& b, DataType to, DataType from, bool saturates) {
  const DataType target = register_type(b, 0, to);
  const DataType source = register_type(b, 1, from);
  b.operation.d = b.destination(0, target);
  b.operation.a = b.source(1, source);
  const bool narrow_source = bytes_of(source) == 8 && bytes_of(from) < 8;
  if (saturates || bytes_of(target) != bytes_of(to) || narrow_source) {
    b.operation.offset =
        std::bit_cast<std::int64_t>(IntegerPlan{bytes_of(source) == 8, format_bits(from), is_signed(from),
                                                format_bits(to), is_signed(to), format_bits(target), saturates, 0});
    b.operation.run = convert_integer;
    return;
  }
  b.operation.run = for_any_integer(b, from, [&](auto source_tag) -> Handler {
    using S = typename decltype(source_tag)::Type;
    return for_any_integer(b, to, [](auto tag) -> Handler {
      using D = typename decltype(tag)::Type;
      return best_for_host<map_one<Truncate<D>, D, S>>();
    });
  });
  if (bytes_of(from) == 8) {
    b.operation.form = form_by_width(to, HostForm::kTruncate, HostForm::kMove64);
  } else if (bytes_of(from) == 4) {
    b.operation.form =
        form_by_width(to, HostForm::kMove32, is_signed(from) ? HostForm::kExtendSigned : HostForm::kExtendUnsigned);
  }
}

// --- floating point to integer ---

// The source as a double, which holds all of them exactly.
template <class S, bool kFlush>
double widened(S value) {
  if constexpr (std::is_same_v<S, float>) {
    return kFlush ? flushed(value) : value;
  } else if constexpr (std::is_same_v<S, double>) {
    return value;
  } else {
    return to_single(value);
  }
}

template <Integral kMode>
double integral(double value) {
  switch (kMode) {
    case Integral::kNearest:
      return std::nearbyint(value);
    case Integral::kZero:
      return std::trunc(value);
    case Integral::kDown:
      return std::floor(value);
    default:
      return std::ceil(value);
  }
}

// The integer nearest to a whole number in the range of D; for a NaN, depending on the types (bind_to_integer).
template <class D>
D whole(double value, D of_nan) {
  constexpr double kBeyond = 2.0 * static_cast<double>(std::uint64_t{1} << (std::numeric_limits<D>::digits - 1));
  constexpr double kLeast = std::is_signed_v<D> ? -kBeyond : 0;
  if (value >= kBeyond) {
    return std::numeric_limits<D>::max();
  }
  if (value < kLeast) {
    return std::numeric_limits<D>::min();
  }
  return value == value ? static_cast<D>(value) : of_nan;
}

// Operation::count: bits of the register that is written; variant: a NaN becomes the highest bit, not 0.
template <class S, class D, Integral kMode, bool kFlush>
void to_integer(WarpContext& warp, const Operation& operation, LaneMask lanes) {
  using Written = std::conditional_t<sizeof(D) == 8, std::uint64_t, std::uint32_t>;
  Written* const d = warp.write<Written>(operation.d);
  const LaneWord<S>* const a = warp.read<S>(operation.a);
  const D of_nan = operation.variant != 0 ? static_cast<D>(std::uint64_t{1} << (8 * sizeof(D) - 1)) : D{0};
  const Written mask = ~Written{0} >> (8 * sizeof(Written) - operation.count);
  for_own_lanes(lanes, [=](std::uint32_t lane) {
    const double value = integral<kMode>(widened<S, kFlush>(LaneStorage<S>::get(a[lane])));
    d[lane] = static_cast<Written>(whole<D>(value, of_nan)) & mask;
  });
}

template <class S, Integral kMode>
Handler integer_handler(const OperationBuilder& b, DataType to, [[maybe_unused]] bool flushes) {
  return for_any_integer(b, to, [=](auto tag) -> Handler {
    using D = typename decltype(tag)::Type;
    if constexpr (std::is_same_v<S, float>) {
      return flushes ? to_integer<S, D, kMode, true> : to_integer<S, D, kMode, false>;
    } else {
      return to_integer<S, D, kMode, false>;
    }
  });
}

template <class S>
Handler integer_handler(const OperationBuilder& b, DataType to, Integral mode, bool flushes) {
  switch (mode) {
    case Integral::kNearest:
      return integer_handler<S, Integral::kNearest>(b, to, flushes);
    case Integral::kZero:
      return integer_handler<S, Integral::kZero>(b, to, flushes);
    case Integral::kDown:
      return integer_handler<S, Integral::kDown>(b, to, flushes);
    case Integral::kUp:
      return integer_handler<S, Integral::kUp>(b, to, flushes);
    case Integral::kNone:
      break;
  }
  b.fail("expected .rni, .rzi, .rmi or .rpi");
}

void bind_to_integer(OperationBuilder& b, DataType to, DataType from, const ConversionModes& modes) {
  const DataType target = register_type(b, 0, to);
  b.operation.d = b.destination(0, bytes_of(to) == 8 ? to : target);
  b.operation.a = b.source(1, from);
  b.operation.count = format_bits(bytes_of(to) == 8 ? to : target);
  b.operation.variant = bytes_of(to) == 8 || from == DataType::kF64 ? 1 : 0;
  b.operation.run = from == DataType::kF32   ? integer_handler<float>(b, to, modes.integral, modes.flushes)
                    : from == DataType::kF64 ? integer_handler<double>(b, to, modes.integral, modes.flushes)
                    : from == DataType::kF16 ? integer_handler<Half>(b, to, modes.integral, modes.flushes)
                                             : integer_handler<Brain>(b, to, modes.integral, modes.flushes);
  // Flushing changes nothing where subnormal numbers become 0 anyway.
  const bool flushes = modes.flushes && modes.integral != Integral::kZero && modes.integral != Integral::kNearest;
  if (from == DataType::kF32 && bytes_of(to) == 4 && bytes_of(target) == 4 && !flushes) {
    b.operation.form = is_signed(to) ? HostForm::kSignedOfFloat : HostForm::kUnsignedOfFloat;
    b.operation.host_detail = static_cast<std::uint8_t>(modes.integral);
  }
}

// --- integer to floating point ---

template <class S, class D, bool kSaturate>
void from_integer(WarpContext& warp, const Operation& operation, LaneMask lanes) {
  LaneWord<D>* const d = warp.write<D>(operation.d);
  const LaneWord<S>* const a = warp.read<S>(operation.a);
  const auto rounding = static_cast<Rounding>(operation.variant);
  const RoundingScope scope(rounding);
  for_own_lanes(lanes, [=](std::uint32_t lane) {
    const D value = static_cast<D>(LaneStorage<S>::get(a[lane]));
    d[lane] = LaneStorage<D>::put(kSaturate ? saturated_to_one(value) : value);
  });
}

template <class S, class H, bool kSaturate>
void half_from_integer(WarpContext& warp, const Operation& operation, LaneMask lanes) {
  LaneWord<H>* const d = warp.write<H>(operation.d);
  const LaneWord<S>* const a = warp.read<S>(operation.a);
  const auto rounding = static_cast<Rounding>(operation.variant);
  for_own_lanes(lanes, [=](std::uint32_t lane) {
    S value = LaneStorage<S>::get(a[lane]);
    if (kSaturate) {
      value = value > 0 ? S{1} : S{0};
    }
    if (value == 0) {
      d[lane] = 0;
      return;
    }
    const bool negative = value < 0;
    // NOLINTNEXTLINE(bugprone-signed-char-misuse): the sign is extended on purpose
    const auto bits = static_cast<std::uint64_t>(value);
    d[lane] = encode(H::kFormat, {negative, negative ? 0 - bits : bits, 0}, rounding);
  });
}

template <class S, bool kSaturate>
Handler float_handler(const OperationBuilder& b, DataType to) {
  switch (to) {
    case DataType::kF32:
      return from_integer<S, float, kSaturate>;
    case DataType::kF64:
      return from_integer<S, double, kSaturate>;
    case DataType::kF16:
      return half_from_integer<S, Half, kSaturate>;
    case DataType::kBf16:
      return half_from_integer<S, Brain, kSaturate>;
    default:
      b.fail("integers cannot be converted to this type");
  }
}

void bind_from_integer(OperationBuilder& b, DataType to, DataType from, const ConversionModes& modes) {
  b.operation.d = b.destination(0, to);
  b.operation.a = b.source(1, from);
  b.operation.variant = static_cast<std::uint8_t>(modes.rounding);
  b.operation.run = for_any_integer(b, from, [&](auto tag) -> Handler {
    using S = typename decltype(tag)::Type;
    return modes.saturates ? float_handler<S, true>(b, to) : float_handler<S, false>(b, to);
  });
  if (to == DataType::kF32 && !modes.saturates && bytes_of(from) == 4) {
    b.operation.form = is_signed(from) ? HostForm::kFloatOfSigned : HostForm::kFloatOfUnsigned;
  }
}

bool is_floating_format(DataType type) {
  return type == DataType::kF16 || type == DataType::kBf16 || type == DataType::kF32 || type == DataType::kF64;
}

}  // namespace

bool is_signed(DataType type) {
  return type == DataType::kS8 || type == DataType::kS16 || type == DataType::kS32 || type == DataType::kS64;
}

DataType register_type(OperationBuilder& b, std::size_t number, DataType otherwise) {
  const ptx::Operand& operand = b.operand(number);
  return operand.kind == ptx::Operand::Kind::kRegister ? b.function().source().registers[operand.number].type
                                                       : otherwise;
}

ConversionModes take_conversion_modes(OperationBuilder& b) {
  ConversionModes modes;
  modes.integral = b.take("rni")   ? Integral::kNearest
                   : b.take("rzi") ? Integral::kZero
                   : b.take("rmi") ? Integral::kDown
                   : b.take("rpi") ? Integral::kUp
                                   : Integral::kNone;
  modes.rounding = b.take("rna") ? Rounding::kNearestAway : take_rounding(b);
  modes.flushes = b.take("ftz");
  modes.saturates = b.take("sat");
  modes.relu = b.take("relu");
  modes.finite = b.take("satfinite");
  return modes;
}

void bind_cvt(OperationBuilder& b) {
  if (b.take("pack")) {
    bind_pack(b);
    return;
  }
  const ConversionModes modes = take_conversion_modes(b);
  const std::string_view to_word = b.take_next();
  const std::string_view from_word = b.take_next();
  const std::optional<DataType> to = ptx::data_type_of(to_word);
  const std::optional<DataType> from = ptx::data_type_of(from_word);
  if (!to || !from || *to == DataType::kF16x2 || *to == DataType::kBf16x2) {
    bind_format_conversion(b, to_word, from_word, modes);
    return;
  }
  if (!is_floating_format(*to) && !is_floating_format(*from)) {
    bind_integers(b, *to, *from, modes.saturates);
    return;
  }
  if (!is_floating_format(*to)) {
    bind_to_integer(b, *to, *from, modes);
  } else if (!is_floating_format(*from)) {
    bind_from_integer(b, *to, *from, modes);
  } else {
    bind_float_conversion(b, *to, *from, modes);
  }
}

}  // namespace warpsim
