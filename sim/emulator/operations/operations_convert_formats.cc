// Conversions of pairs and to and from formats of less than 16 bits; cvt.pack.
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "emulator/numbers/half_float.h"
#include "emulator/operations/conversion.h"
#include "emulator/operations/lane_functions.h"

namespace warpsim {

namespace {

using ptx::DataType;
using Word = std::uint32_t;

enum class Encoding : std::uint8_t { kHalf, kBrain, kSingle, kTensor, kE4m3, kE5m2, kE2m3, kE3m2, kE2m1, kUe8m0 };

struct Format {
  std::string_view word;
  Encoding encoding;
  std::uint8_t count;  // of elements
  std::uint8_t bits;   // of an element in the register
};
constexpr auto kFormats = std::to_array<Format>({
    {"f16x2", Encoding::kHalf, 2, 16},
    {"bf16x2", Encoding::kBrain, 2, 16},
    {"f32", Encoding::kSingle, 1, 32},
    {"tf32", Encoding::kTensor, 1, 32},
    {"e4m3x2", Encoding::kE4m3, 2, 8},
    {"e5m2x2", Encoding::kE5m2, 2, 8},
    {"e2m3x2", Encoding::kE2m3, 2, 8},
    {"e3m2x2", Encoding::kE3m2, 2, 8},
    {"e2m1x2", Encoding::kE2m1, 2, 4},
    {"ue8m0x2", Encoding::kUe8m0, 2, 8},
});

const FloatFormat& float_format(Encoding encoding) {
  switch (encoding) {
    case Encoding::kHalf:
      return kHalfFormat;
    case Encoding::kBrain:
      return kBrainFormat;
    case Encoding::kTensor:
      return kTensorFormat;
    case Encoding::kE4m3:
      return kE4m3Format;
    case Encoding::kE5m2:
      return kE5m2Format;
    case Encoding::kE2m3:
      return kE2m3Format;
    case Encoding::kE3m2:
      return kE3m2Format;
    case Encoding::kE2m1:
      return kE2m1Format;
    default:
      return kSingleFormat;
  }
}

// Packed into Operation::offset.
struct Plan {
  Encoding to = Encoding::kHalf;
  Encoding from = Encoding::kSingle;
  Rounding rounding = Rounding::kNearestEven;
  bool relu = false;
  bool finite = false;
  bool flushes = false;
  std::uint8_t to_bits = 16;
  std::uint8_t from_bits = 32;
};

// A power of two without sign: only the exponent. Zero and values below 2^-127 become 2^-127.
Word encode_exponent(double value, const Plan& plan) {
  constexpr Word kNan = 0xff;
  constexpr Word kLargest = 0xfe;
  constexpr int kBias = 127;
  const double size = std::bit_cast<double>(std::bit_cast<std::uint64_t>(value) << 1U >> 1U);
  if (size != size) {
    return kNan;
  }
  if (size < 0x1p-127) {
    return 0;
  }
  if (size >= 0x1p128) {
    return plan.finite ? kLargest : kNan;
  }
  const ExactNumber number = exact(size);
  const int top = 63 - std::countl_zero(number.integer);
  const bool exact_power = std::has_single_bit(number.integer);
  const int grows = plan.rounding == Rounding::kUp && !exact_power ? 1 : 0;
  const auto result = static_cast<Word>(top + number.exponent + kBias + grows);
  return result > kLargest ? (plan.finite ? kLargest : kNan) : result;
}

double decode_element(Encoding encoding, Word bits) {
  if (encoding == Encoding::kSingle) {
    return std::bit_cast<float>(bits);
  }
  if (encoding == Encoding::kUe8m0) {
    constexpr Word kNan = 0xff;
    constexpr std::uint64_t kRebias = 1023 - 127;
    return std::bit_cast<double>(bits == kNan ? 0x7ff8000000000000 : (bits + kRebias) << 52U);
  }
  return decode(float_format(encoding), bits);
}

Word encode_element(double value, const Plan& plan) {
  if (plan.to == Encoding::kUe8m0) {
    return encode_exponent(value, plan);
  }
  const FloatFormat& format = float_format(plan.to);
  const bool nan = value != value;
  constexpr unsigned kTensorShift = 13;
  if (nan) {
    return plan.to == Encoding::kTensor ? kTensorFormat.nan << kTensorShift
           : format.has_nan             ? format.nan
                                        : format.largest;
  }
  const Word sign_bit = Word{1} << (format.bits - 1);
  Word result = encode(format, value, plan.rounding);
  if (plan.finite && (result & (sign_bit - 1)) > format.largest) {
    result = (result & sign_bit) | format.largest;
  }
  if (plan.relu && (result & sign_bit) != 0) {
    result = 0;
  }
  return plan.to == Encoding::kTensor ? result << kTensorShift : result;
}

double source_element(Word bits, const Plan& plan) {
  const double value = decode_element(plan.from, bits);
  return plan.flushes && plan.from == Encoding::kSingle ? flushed(static_cast<float>(value)) : value;
}

Word low_bits(Word word, unsigned bits) {
  return bits < 32 ? word & ((Word{1} << bits) - 1) : word;
}

// .rna treats a NaN as bits, and truncates them.
Word tensor_away(Word bits, Word converted) {
  return (bits & ~kSingleSign) > kSingleExponent ? bits >> 13U << 13U : converted;
}

// One element, or a pair from one register.
template <unsigned kCount>
void convert_register(WarpContext& warp, const Operation& operation, LaneMask lanes) {
  const auto plan = std::bit_cast<Plan>(operation.offset);
  Word* const d = warp.write<Word>(operation.d);
  const Word* const a = warp.read<Word>(operation.a);
  for_lanes(lanes, [=](std::uint32_t lane) {
    Word result = 0;
    for (unsigned i = 0; i < kCount; ++i) {
      const Word bits = low_bits(a[lane] >> (i * plan.from_bits), plan.from_bits);
      result |= encode_element(source_element(bits, plan), plan) << (i * plan.to_bits);
    }
    const bool away = plan.to == Encoding::kTensor && plan.rounding == Rounding::kNearestAway;
    d[lane] = away ? tensor_away(a[lane], result) : result;
  });
}

// A pair from two registers, the first of which is the upper element.
void convert_pair(WarpContext& warp, const Operation& operation, LaneMask lanes) {
  const auto plan = std::bit_cast<Plan>(operation.offset);
  Word* const d = warp.write<Word>(operation.d);
  const Word* const a = warp.read<Word>(operation.a);
  const Word* const b = warp.read<Word>(operation.b);
  for_lanes(lanes, [=](std::uint32_t lane) {
    const Word high = encode_element(source_element(a[lane], plan), plan);
    d[lane] = high << plan.to_bits | encode_element(source_element(b[lane], plan), plan);
  });
}

template <class H>
struct JoinPair {
  static Twice<H> of(float a, float b) { return {to_half<H>(b), to_half<H>(a)}; }
};

const Format* find_format(std::string_view word) {
  const auto* const found = std::ranges::find(kFormats, word, &Format::word);
  return found == kFormats.end() ? nullptr : found;
}

// The whole register for the bits of a format.
DataType held_type(const Format& format) {
  switch (format.count * format.bits) {
    case 8:
      return DataType::kB8;
    case 16:
      return DataType::kB16;
    default:
      return DataType::kB32;
  }
}

}  // namespace

void bind_format_conversion(OperationBuilder& b, std::string_view to, std::string_view from,
                            const ConversionModes& modes) {
  const Format* const target = find_format(to);
  const Format* const source = find_format(from);
  if (target == nullptr || source == nullptr) {
    b.fail("there is no conversion between these types");
  }
  b.operation.d = b.destination(0, held_type(*target));
  b.operation.a = b.source(1, held_type(*source));
  b.operation.offset = std::bit_cast<std::int64_t>(Plan{target->encoding, source->encoding, modes.rounding, modes.relu,
                                                        modes.finite, modes.flushes, target->bits, source->bits});
  if (target->count == 1) {
    b.operation.run = convert_register<1>;
  } else if (source->count == 2) {
    b.operation.run = convert_register<2>;
  } else {
    b.operation.b = b.source(2, DataType::kB32);
    const bool plain = modes.rounding == Rounding::kNearestEven && !modes.relu && !modes.finite && !modes.flushes;
    b.operation.run = convert_pair;
    if (plain && target->encoding == Encoding::kHalf) {
      b.operation.run = best_for_host<map_two<JoinPair<Half>, Twice<Half>, float>>();
      b.operation.form = HostForm::kHalvesOfFloats;
    } else if (plain && target->encoding == Encoding::kBrain) {
      b.operation.run = best_for_host<map_two<JoinPair<Brain>, Twice<Brain>, float>>();
      b.operation.form = HostForm::kBrainsOfFloats;
    }
  }
}

namespace {

// cvt.pack: two integers saturated to so many bits, below the bits of `c`.
struct PackPlan {
  std::uint8_t bits = 16;
  bool is_signed = false;
  bool source_signed = true;
  bool has_rest = false;
  std::uint32_t unused = 0;
};

Word packed(Word value, const PackPlan& plan) {
  const auto wide = plan.source_signed ? std::int64_t{static_cast<std::int32_t>(value)} : std::int64_t{value};
  const std::int64_t beyond = std::int64_t{1} << (plan.bits - (plan.is_signed ? 1U : 0U));
  const std::int64_t clamped = std::clamp(wide, plan.is_signed ? -beyond : 0, beyond - 1);
  return low_bits(static_cast<Word>(clamped), plan.bits);
}

void pack(WarpContext& warp, const Operation& operation, LaneMask lanes) {
  const auto plan = std::bit_cast<PackPlan>(operation.offset);
  Word* const d = warp.write<Word>(operation.d);
  const Word* const a = warp.read<Word>(operation.a);
  const Word* const b = warp.read<Word>(operation.b);
  const Word* const c = warp.read<Word>(plan.has_rest ? operation.c : operation.a);
  for_lanes(lanes, [=](std::uint32_t lane) {
    const Word rest = plan.has_rest ? c[lane] << (2 * plan.bits) : 0;
    d[lane] = rest | packed(a[lane], plan) << plan.bits | packed(b[lane], plan);
  });
}

}  // namespace

void bind_pack(OperationBuilder& b) {
  b.take("sat");
  const std::string_view word = b.take_next();
  if (word.size() < 2 || (word.front() != 'u' && word.front() != 's')) {
    b.fail("expected a type of 2, 4, 8 or 16 bits");
  }
  const std::string_view digits = word.substr(1);
  PackPlan plan;
  plan.is_signed = word.front() == 's';
  plan.bits = digits == "16" ? 16 : digits == "8" ? 8 : digits == "4" ? 4 : digits == "2" ? 2 : 0;
  if (plan.bits == 0) {
    b.fail("expected a type of 2, 4, 8 or 16 bits");
  }
  const DataType source = b.take_type();
  plan.source_signed = source == DataType::kS32;
  plan.has_rest = plan.bits < 16 || b.operands() > 3;
  if (plan.has_rest) {
    b.take("b32");
  }
  bind_operands(b, {DataType::kB32, source, source, plan.has_rest ? DataType::kB32 : DataType::kNone});
  b.operation.offset = std::bit_cast<std::int64_t>(plan);
  b.operation.run = pack;
}

}  // namespace warpsim
