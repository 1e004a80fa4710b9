// Floating-point operations of machine code that PTX does not have: products times a power of two, multiply-adds
// with negated parts, sums of quads.
//
// Results of both were compared with those of an H100 (tests/hardware/machine_instructions).
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <string_view>

#include "emulator/execution/warp_context.h"
#include "emulator/numbers/float_rounding.h"
#include "emulator/operations/lane_functions.h"
#include "emulator/operations/machine_operands.h"
#include "emulator/operations/operation_table.h"
#include "emulator/operations/operation_variants.h"

namespace warpsim {

namespace {

using ptx::DataType;

constexpr unsigned kFlushes = 1;
constexpr unsigned kSaturates = 2;

float source(std::uint32_t bits, bool flushes) {
  const auto value = std::bit_cast<float>(bits);
  return flushes ? flushed(value) : value;
}

// One rounding, of the exact product times the power of two: in double precision both are exact.
void multiply_scaled(WarpContext& warp, const Operation& operation, LaneMask lanes) {
  constexpr std::uint64_t kBias = 1023;
  constexpr std::uint64_t kUnscaled = 4;
  const double scale = std::bit_cast<double>((kBias + static_cast<std::uint64_t>(operation.offset) - kUnscaled) << 52U);
  const bool flushes = (operation.variant & kFlushes) != 0;
  const bool saturates = (operation.variant & kSaturates) != 0;
  const RoundingScope scope(static_cast<Rounding>(operation.count));
  std::uint32_t* const d = warp.write<std::uint32_t>(operation.d);
  const std::uint32_t* const a = warp.read<std::uint32_t>(operation.a);
  const std::uint32_t* const b = warp.read<std::uint32_t>(operation.b);
  for_own_lanes(lanes, [=](std::uint32_t lane) {
    const float x = source(a[lane], flushes);
    const float y = source(b[lane], flushes);
    const double exact = double{x} * double{y} * scale;
    float result = static_cast<float>(exact);
    if (flushes) {
      result = flushed_by(static_cast<float>(exact * double{kTinyScale}), result);
    }
    d[lane] = std::bit_cast<std::uint32_t>(saturates ? saturated_to_one(result) : canonical(result));
  });
}

std::uint8_t take_modes(OperationBuilder& b) {
  b.operation.count = static_cast<std::uint8_t>(take_rounding(b));
  const unsigned modes = (b.take("ftz") ? kFlushes : 0U) | (b.take("sat") ? kSaturates : 0U);
  return static_cast<std::uint8_t>(modes);
}

void bind_multiply_scaled(OperationBuilder& b) {
  b.operation.variant = take_modes(b);
  b.operation.offset = number_in(b, 's');
  bind_operands(b, {DataType::kF32, DataType::kF32, DataType::kF32});
  b.operation.run = multiply_scaled;
}

// A fused multiply-add of a negated product, to or from a negated addend, and of sources without their signs; signs are
// changed by bits, that of the product in the first source.
template <bool kFlush, bool kSaturate>
void multiply_add_signed(WarpContext& warp, const Operation& operation, LaneMask lanes) {
  using Mode = SingleMode<kFlush, kSaturate>;
  const std::uint32_t product = (operation.variant & kNegatesProduct) != 0 ? kSingleSign : 0;
  const std::uint32_t addend = (operation.variant & kNegatesAddend) != 0 ? kSingleSign : 0;
  const auto kept = [&](unsigned absolute) { return (operation.variant & absolute) != 0 ? ~kSingleSign : ~0U; };
  const std::uint32_t of_first = kept(kFirstAbsolute);
  const std::uint32_t of_second = kept(kSecondAbsolute);
  const std::uint32_t of_addend = kept(kAddendAbsolute);
  const RoundingScope scope(static_cast<Rounding>(operation.count));
  std::uint32_t* const d = warp.write<std::uint32_t>(operation.d);
  const std::uint32_t* const a = warp.read<std::uint32_t>(operation.a);
  const std::uint32_t* const b = warp.read<std::uint32_t>(operation.b);
  const std::uint32_t* const c = warp.read<std::uint32_t>(operation.c);
  set_lanes(d, lanes, [=](std::uint32_t lane) {
    const float x = Mode::source(std::bit_cast<float>((a[lane] & of_first) ^ product));
    const float y = Mode::source(std::bit_cast<float>(b[lane] & of_second));
    const float z = Mode::source(std::bit_cast<float>((c[lane] & of_addend) ^ addend));
    float result = std::fma(x, y, z);
    if constexpr (kFlush) {
      result = flushed_by(std::fma(x * kTinyScale, y, z * kTinyScale), result);
    }
    return std::bit_cast<std::uint32_t>(Mode::result(result));
  });
}

void bind_multiply_add_signed(OperationBuilder& b) {
  b.operation.count = static_cast<std::uint8_t>(take_rounding(b));
  const bool flushes = b.take("ftz");
  const bool saturates = b.take("sat");
  const unsigned signs = (b.take("product") ? kNegatesProduct : 0U) | (b.take("addend") ? kNegatesAddend : 0U) |
                         (b.take("abs0") ? kFirstAbsolute : 0U) | (b.take("abs1") ? kSecondAbsolute : 0U) |
                         (b.take("abs2") ? kAddendAbsolute : 0U);
  b.operation.variant = static_cast<std::uint8_t>(signs);
  bind_operands(b, {DataType::kF32, DataType::kF32, DataType::kF32, DataType::kF32});
  b.operation.run = flushes ? (saturates ? best_for_host<multiply_add_signed<true, true>>()
                                         : best_for_host<multiply_add_signed<true, false>>())
                            : (saturates ? best_for_host<multiply_add_signed<false, true>>()
                                         : best_for_host<multiply_add_signed<false, false>>());
  b.operation.form = HostForm::kFloatMultiplyAddSigned;
  b.operation.host_detail = float_detail(flushes, saturates);
}

// For each lane of a quad, two bits, those of the first lane on top: a + b, a - b, b - a, or b.
void add_in_quads(WarpContext& warp, const Operation& operation, LaneMask lanes) {
  constexpr std::array<float, 4> kOfA = {1, 1, -1, 0};
  constexpr std::array<float, 4> kOfB = {1, -1, 1, 1};
  const bool flushes = (operation.variant & kFlushes) != 0;
  const auto how = static_cast<std::uint32_t>(operation.offset);
  const RoundingScope scope(static_cast<Rounding>(operation.count));
  std::uint32_t* const d = warp.write<std::uint32_t>(operation.d);
  const std::uint32_t* const a = warp.read<std::uint32_t>(operation.a);
  const std::uint32_t* const b = warp.read<std::uint32_t>(operation.b);
  for_own_lanes(lanes, [=](std::uint32_t lane) {
    const std::uint32_t code = how >> 2U * (3 - lane % 4) & 3U;
    const float x = kOfA[code] == 0 ? 0 : kOfA[code] * source(a[lane], flushes);
    const float y = kOfB[code] * source(b[lane], flushes);
    const float sum = x + y;
    d[lane] = std::bit_cast<std::uint32_t>(canonical(flushes ? flushed(sum) : sum));
  });
}

void bind_add_in_quads(OperationBuilder& b) {
  b.operation.variant = take_modes(b);
  b.operation.offset = number_in(b, 's');
  bind_operands(b, {DataType::kF32, DataType::kF32, DataType::kF32});
  b.operation.run = add_in_quads;
}

}  // namespace

bool bind_machine_float(OperationBuilder& b, std::string_view name) {
  if (name == "fmul") {
    bind_multiply_scaled(b);
  } else if (name == "ffma") {
    bind_multiply_add_signed(b);
  } else if (name == "fswzadd") {
    bind_add_in_quads(b);
  } else {
    return false;
  }
  return true;
}

}  // namespace warpsim
