// Operations of machine code that PTX does not have: sums of three with carries, shifted sums, funnel shifts of any
// kind, wide products with carries, predicates as bits, values of uniform registers, convergence barriers.
//
// Code that was lifted from machine code (machine_code/lifted_module.h) uses them as `sass.<name>`. Semantics: the
// constant folding of Mesa's compiler for NVIDIA GPUs, which its authors compared with hardware (MIT licence), and
// NVIDIA's names of the modifiers.
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include "emulator/execution/warp_context.h"
#include "emulator/operations/lane_functions.h"
#include "emulator/operations/lane_masks.h"
#include "emulator/operations/machine_operands.h"
#include "emulator/operations/operation_table.h"
#include "emulator/operations/operation_variants.h"
#include "emulator/textures/texture_access.h"

namespace warpsim {

namespace {

using ptx::DataType;
using Word = std::uint32_t;
using Wide64 = std::uint64_t;

std::uint8_t take_signs(OperationBuilder& b) {
  unsigned bits = b.take("n0") ? kNegatesA : 0U;
  bits |= b.take("n1") ? kNegatesB : 0U;
  bits |= b.take("n2") ? kNegatesC : 0U;
  bits |= b.take("x") ? kTakesCarry : 0U;
  return static_cast<std::uint8_t>(bits);
}

// --- sums ---

Word sign_of(unsigned how, unsigned bit) {
  return (how & bit) != 0 ? ~Word{0} : Word{0};
}

void add_three(WarpContext& warp, const Operation& operation, LaneMask lanes) {
  const unsigned how = operation.variant;
  const Word sign_a = sign_of(how, kNegatesA);
  const Word sign_b = sign_of(how, kNegatesB);
  const Word sign_c = sign_of(how, kNegatesC);
  Word* const d = warp.write<Word>(operation.d);
  const Word* const a = warp.read<Word>(operation.a);
  const Word* const b = warp.read<Word>(operation.b);
  const Word* const c = warp.read<Word>(operation.c);
  set_lanes(d, lanes, [=](std::uint32_t lane) {
    return ((a[lane] ^ sign_a) - sign_a) + ((b[lane] ^ sign_b) - sign_b) + ((c[lane] ^ sign_c) - sign_c);
  });
}

void bind_add_three(OperationBuilder& b) {
  b.operation.variant = take_signs(b);
  bind_operands(b, {DataType::kB32, DataType::kB32, DataType::kB32, DataType::kB32});
  b.operation.run = best_for_host<add_three>();
  b.operation.form = HostForm::kAddThree;
}

// With carries out (sum from 2^32 and from 2^33 on) and in. A negated source is complemented; one is added for it
// unless carries are taken in. All in words, which are vectorised: the sum is 2^32 times the number of overflows higher
// than its word.
void add_three_carry(WarpContext& warp, const Operation& operation, LaneMask lanes) {
  const unsigned how = operation.variant;
  const bool takes = (how & kTakesCarry) != 0;
  const OperandPlace* const extra = warp.lists + operation.target;
  const LaneMask x = takes ? mask_of(warp, extra + 1) : 0;
  const LaneMask y = takes ? mask_of(warp, extra + 3) : 0;
  const Word signs[] = {sign_of(how, kNegatesA), sign_of(how, kNegatesB), sign_of(how, kNegatesC)};
  const Word ones = takes ? 0 : static_cast<Word>(std::popcount(how & (kNegatesA | kNegatesB | kNegatesC)));
  Word* const d = warp.write<Word>(operation.d);
  const Word* const a = warp.read<Word>(operation.a);
  const Word* const b = warp.read<Word>(operation.b);
  const Word* const c = warp.read<Word>(operation.c);
  std::array<Word, kWarpSize> sums;
  std::array<Word, kWarpSize> overflows;
  for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
    const Word one = a[lane] ^ signs[0];
    const Word two = one + (b[lane] ^ signs[1]);
    const Word three = two + (c[lane] ^ signs[2]);
    const Word small = ones + (x >> lane & 1U) + (y >> lane & 1U);
    const Word sum = three + small;
    overflows[lane] = Word{two < one} + Word{three < two} + Word{sum < three};
    sums[lane] = sum;
  }
  for_own_lanes(lanes, [&](std::uint32_t lane) { d[lane] = sums[lane]; });
  for (const Word least : {Word{1}, Word{2}}) {
    const OperandPlace place = least == 1 ? operation.p : extra[0];
    if (place != kNoPlace) {
      LaneTruths carries;
      for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
        carries[lane] = overflows[lane] >= least ? 1 : 0;
      }
      warp.set_predicate(place, lanes, mask_of_truths(carries));
    }
  }
}

void bind_add_three_carry(OperationBuilder& b) {
  b.operation.variant = take_signs(b);
  b.operation.d = b.destination(0, DataType::kB32);
  b.operation.p = predicate_or_none(b, 1);
  b.operation.a = b.source(3, DataType::kB32);
  b.operation.b = b.source(4, DataType::kB32);
  b.operation.c = b.source(5, DataType::kB32);
  ExtraPlaces extra(b);
  extra.add(predicate_or_none(b, 2));
  if ((b.operation.variant & kTakesCarry) != 0) {
    add_predicate_source(b, extra, 6);
    add_predicate_source(b, extra, 7);
  }
  b.operation.run = best_for_host<add_three_carry>();
  b.operation.form = HostForm::kAddThreeCarry;
}

void add_scaled(WarpContext& warp, const Operation& operation, LaneMask lanes) {
  const unsigned how = operation.variant;
  const auto part = static_cast<Scaled>(operation.count);
  const auto shift = static_cast<unsigned>(operation.offset);
  const bool takes = (how & kTakesCarry) != 0;
  const LaneMask carry = takes ? mask_of(warp, warp.lists + operation.target) : 0;
  const Word signs[] = {sign_of(how, kNegatesA), sign_of(how, kNegatesB)};
  const Word ones = takes ? 0 : static_cast<Word>(std::popcount(how & (kNegatesA | kNegatesB)));
  Word* const d = warp.write<Word>(operation.d);
  const Word* const a = warp.read<Word>(operation.a);
  const Word* const b = warp.read<Word>(operation.b);
  const Word* const c = warp.read<Word>(operation.c);
  std::array<Word, kWarpSize> values;
  if (part == Scaled::kLow) {
    for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
      values[lane] = a[lane] << shift;
    }
  } else {
    for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
      const Word upper = part == Scaled::kHighOfSigned ? 0 - (a[lane] >> 31U) : c[lane];
      values[lane] = static_cast<Word>((Wide64{upper} << 32U | a[lane]) << shift >> 32U);
    }
  }
  LaneTruths out;
  for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
    const Word one = values[lane] ^ signs[0];
    const Word two = one + (b[lane] ^ signs[1]);
    const Word sum = two + ones + (carry >> lane & 1U);
    out[lane] = ((two < one) | (sum < two)) ? 1 : 0;
    values[lane] = sum;
  }
  for_own_lanes(lanes, [&](std::uint32_t lane) { d[lane] = values[lane]; });
  if (operation.p != kNoPlace) {
    warp.set_predicate(operation.p, lanes, mask_of_truths(out));
  }
}

void bind_add_scaled(OperationBuilder& b) {
  b.operation.variant = take_signs(b);
  const Scaled part = b.take("sx32") ? Scaled::kHighOfSigned : b.take("hi") ? Scaled::kHigh : Scaled::kLow;
  b.operation.count = static_cast<std::uint8_t>(part);
  b.operation.offset = number_in(b, 's');
  b.operation.d = b.destination(0, DataType::kB32);
  b.operation.p = predicate_or_none(b, 1);
  b.operation.a = b.source(2, DataType::kB32);
  b.operation.b = b.source(3, DataType::kB32);
  b.operation.c = b.source(4, DataType::kB32);
  ExtraPlaces extra(b);
  if ((b.operation.variant & kTakesCarry) != 0) {
    add_predicate_source(b, extra, 5);
  }
  b.operation.run = best_for_host<add_scaled>();
  b.operation.form = HostForm::kAddScaled;
}

// --- a * b + {c}, 64 bits ---

void multiply_add_wide(WarpContext& warp, const Operation& operation, LaneMask lanes) {
  __extension__ using Sum = unsigned __int128;
  const unsigned how = operation.variant;
  const bool takes = (how & kTakesCarry) != 0;
  const OperandPlace* const extra = warp.lists + operation.target;
  const LaneMask carry = takes ? mask_of(warp, extra + kWideCarry) : 0;
  Word* const low = warp.write<Word>(operation.d);
  Word* const high = extra[kWideHigh] == kNoPlace ? nullptr : warp.write<Word>(extra[kWideHigh]);
  const Word* const a = warp.read<Word>(operation.a);
  const Word* const b = warp.read<Word>(operation.b);
  const Word* const c_low = warp.read<Word>(operation.c);
  const Word* const c_high = warp.read<Word>(extra[kWideAddendHigh]);
  LaneMask out = 0;
  for_lanes(lanes, [&](std::uint32_t lane) {
    const Wide64 product =
        (how & kSignedFactors) != 0
            ? static_cast<Wide64>(std::int64_t{static_cast<std::int32_t>(a[lane])} * static_cast<std::int32_t>(b[lane]))
            : Wide64{a[lane]} * b[lane];
    Wide64 c = Wide64{c_high[lane]} << 32U | c_low[lane];
    Sum sum = product;
    if ((how & kNegatesC) != 0) {
      c = ~c;
      sum += takes ? 0U : 1U;
    }
    sum += Sum{c} + (carry >> lane & 1U);
    if (high != nullptr) {
      high[lane] = static_cast<Word>(static_cast<Wide64>(sum) >> 32U);
    }
    low[lane] =
        static_cast<Word>(extra[kWideIsUpper] != 0 ? static_cast<Wide64>(sum) >> 32U : static_cast<Wide64>(sum));
    out |= static_cast<LaneMask>(sum >> 64U != 0) << lane;
  });
  set_if_any(warp, operation.p, lanes, out);
}

// The usual case: both halves of the result, nothing negated, no carries.
template <class Factor>
void multiply_add_pair(WarpContext& warp, const Operation& operation, LaneMask lanes) {
  const OperandPlace* const extra = warp.lists + operation.target;
  Word* const low = warp.write<Word>(operation.d);
  Word* const high = warp.write<Word>(extra[kWideHigh]);
  const Word* const a = warp.read<Word>(operation.a);
  const Word* const b = warp.read<Word>(operation.b);
  const Word* const c_low = warp.read<Word>(operation.c);
  const Word* const c_high = warp.read<Word>(extra[kWideAddendHigh]);
  for_own_lanes(lanes, [=](std::uint32_t lane) {
    using Wide = std::conditional_t<std::is_signed_v<Factor>, std::int64_t, Wide64>;
    const Wide product = Wide{static_cast<Factor>(a[lane])} * static_cast<Factor>(b[lane]);
    const Wide64 sum = static_cast<Wide64>(product) + (Wide64{c_high[lane]} << 32U | c_low[lane]);
    low[lane] = static_cast<Word>(sum);
    high[lane] = static_cast<Word>(sum >> 32U);
  });
}

// Operands: lower and upper half of the result (with .hi only the upper one, first), carry out, a, b, lower and upper
// half of c, carry in.
void bind_multiply_add_wide(OperationBuilder& b) {
  unsigned how = take_signs(b) & (kNegatesC | kTakesCarry);
  how |= b.take("signed") ? kSignedFactors : 0U;
  const bool upper = b.take("hi");
  b.operation.variant = static_cast<std::uint8_t>(how);
  b.operation.d = b.destination(0, DataType::kB32);
  b.operation.p = predicate_or_none(b, 2);
  b.operation.a = b.source(3, DataType::kB32);
  b.operation.b = b.source(4, DataType::kB32);
  b.operation.c = b.source(5, DataType::kB32);
  const OperandPlace high = upper || b.is_discarded(1) ? kNoPlace : b.destination(1, DataType::kB32);
  const OperandPlace c_high = b.source(6, DataType::kB32);
  ExtraPlaces extra(b);
  extra.add(high);
  extra.add(c_high);
  extra.add(upper ? 1 : 0);
  if ((how & kTakesCarry) != 0) {
    add_predicate_source(b, extra, 7);
  }
  if (!upper && high != kNoPlace && b.operation.p == kNoPlace && (how & ~kSignedFactors) == 0) {
    b.operation.run = (how & kSignedFactors) != 0 ? best_for_host<multiply_add_pair<std::int32_t>>()
                                                  : best_for_host<multiply_add_pair<Word>>();
  } else {
    b.operation.run = multiply_add_wide;
  }
  b.operation.form = HostForm::kMultiplyAddPair;
}

struct MachineOperationName {
  std::string_view name;
  Binder bind;
};
constexpr MachineOperationName kNames[] = {
    {"add3", bind_add_three}, {"add3c", bind_add_three_carry},     {"lea", bind_add_scaled},
    {"shf", bind_shift_pair}, {"madwide", bind_multiply_add_wide}, {"slow", bind_slow_path_test},
};

void bind_machine_operation(OperationBuilder& b) {
  const std::string_view name = b.take_next();
  for (const MachineOperationName& each : kNames) {
    if (each.name == name) {
      each.bind(b);
      return;
    }
  }
  if (!bind_machine_predicates(b, name) && !bind_machine_float(b, name) && !bind_machine_texture(b, name) &&
      !bind_machine_async_operation(b, name)) {
    bind_machine_warp_operation(b, name);
  }
}

constexpr OpcodeBinder kMachine[] = {{"sass", bind_machine_operation}};

}  // namespace

std::span<const OpcodeBinder> machine_operations() {
  return kMachine;
}

}  // namespace warpsim
