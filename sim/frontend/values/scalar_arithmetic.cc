#include "frontend/values/scalar_arithmetic.h"

#include <algorithm>

namespace warpsim {
namespace {

using Result = ScalarResult;
using Sources = ScalarSources;

std::uint64_t varies(const Sources& sources) {
  std::uint64_t bit = 0;
  for (const SymbolicValue& value : sources.low) {
    bit |= value.symbol & 1U;
  }
  for (const SymbolicValue& value : sources.high) {
    bit |= value.symbol & 1U;
  }
  return bit;
}

bool all_constant(const Sources& sources) {
  return std::ranges::all_of(sources.low, [](const auto& v) { return v.is_constant(); }) &&
         std::ranges::all_of(sources.high, [](const auto& v) { return v.is_constant(); });
}

SymbolicValue number(std::uint32_t value, const Sources& sources) {
  return {varies(sources), 0, value};
}

SymbolicValue unknown(const Sources& sources, std::uint32_t origin, std::uint32_t salt) {
  std::array<SymbolicValue, 11> inputs{};
  std::ranges::copy(sources.low, inputs.begin());
  std::ranges::copy(sources.high, inputs.begin() + 4);
  for (std::size_t i = 0; i < sources.predicates.size(); ++i) {
    inputs[8 + i].offset = static_cast<std::uint32_t>(sources.predicates[i]);
  }
  return new_symbol(origin, inputs, salt);
}

Result unknown_pair(const Sources& sources, std::uint32_t origin) {
  Result result;
  result.words = {unknown(sources, origin, 0), unknown(sources, origin, 1)};
  return result;
}

std::uint64_t pair(const SymbolicValue& low, const SymbolicValue& high) {
  return std::uint64_t{high.offset} << 32U | low.offset;
}

// Carry out of the low words where they are constant, -1 otherwise. Adding 0 never carries.
int carry_of(const Sources& sources) {
  std::uint64_t sum = 0;
  std::uint32_t unknowns = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    unknowns += sources.low[i].is_constant() ? 0 : 1;
    sum += sources.low[i].offset;
  }
  if (unknowns == 0) {
    return sum >> 32U != 0 ? 1 : 0;
  }
  return unknowns == 1 && sum == 0 ? 0 : -1;
}

// A small constant added to the low word of an address is assumed not to carry: regions of unknown tensors do not
// cross 4 GiB borders.
Result add_terms(const ScalarInstruction& instruction, const Sources& sources, std::uint32_t origin) {
  Result result;
  SymbolicValue sum = add(add(sources.low[0], sources.low[1], origin), sources.low[2], origin);
  if (instruction.carry_in && sources.predicates[0] == 1) {
    sum = add(sum, SymbolicValue::constant(1), origin);
  }
  result.words[0] = sum;
  if (instruction.whole_pair) {
    SymbolicValue high = add(add(sources.high[0], sources.high[1], origin), sources.high[2], origin);
    if (all_constant(sources)) {
      const std::uint64_t total = pair(sources.low[0], sources.high[0]) + pair(sources.low[1], sources.high[1]) +
                                  pair(sources.low[2], sources.high[2]);
      high.offset = static_cast<std::uint32_t>(total >> 32U);
    }
    result.words[1] = high;
  }
  result.predicates[0] = carry_of(sources);
  return result;
}

Result multiply_wide(const ScalarInstruction& instruction, const Sources& sources, std::uint32_t origin) {
  if (!all_constant(sources)) {
    Result result = unknown_pair(sources, origin);
    result.words[0] = add(multiply(sources.low[0], sources.low[1], origin), sources.low[2], origin);
    return result;
  }
  const std::uint64_t a = sources.low[0].offset;
  const std::uint64_t b = sources.low[1].offset;
  const auto extend = [](std::uint64_t v) {
    return static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(v)});
  };
  const std::uint64_t product = instruction.is_signed ? extend(a) * extend(b) : a * b;
  const std::uint64_t sum = product + pair(sources.low[2], sources.high[2]);
  Result result;
  result.words = {number(static_cast<std::uint32_t>(sum), sources),
                  number(static_cast<std::uint32_t>(sum >> 32U), sources)};
  return result;
}

// LEA: (a << shift) + b; LEA.HI: b + the upper word of (c:a << shift).
SymbolicValue lea(const ScalarInstruction& instruction, const Sources& sources, std::uint32_t origin) {
  if (!instruction.high_word) {
    if (!sources.low[2].is_constant()) {
      return unknown(sources, origin, 0);
    }
    const std::uint32_t factor = 1U << (sources.low[2].offset & 31U);
    return add(multiply(sources.low[0], SymbolicValue::constant(factor), origin), sources.low[1], origin);
  }
  if (!all_constant(sources)) {
    return unknown(sources, origin, 0);
  }
  const std::uint64_t shifted = pair(sources.low[0], sources.low[2]) << (sources.low[3].offset & 31U);
  return number(static_cast<std::uint32_t>(shifted >> 32U) + sources.low[1].offset, sources);
}

// SHF low, shift, high.
SymbolicValue shift(const ScalarInstruction& instruction, const Sources& sources, std::uint32_t origin) {
  const SymbolicValue& amount = sources.low[1];
  if (!all_constant(sources)) {
    const bool plain_left = instruction.shift_left && !instruction.high_word && amount.is_constant();
    return plain_left
               ? multiply(sources.low[0], SymbolicValue::constant(amount.offset > 31 ? 0 : 1U << amount.offset), origin)
               : unknown(sources, origin, 0);
  }
  const std::uint32_t limit = instruction.shift_wide ? 63 : 32;
  const std::uint32_t by = std::min(amount.offset & (instruction.shift_wide ? 63U : 0xffU), limit);
  // Without .HI a 32-bit right shift moves only the low word; with it only the high word affects the result.
  const std::uint64_t value = pair(sources.low[0], sources.low[2]);
  std::uint64_t moved = 0;
  if (instruction.shift_left) {
    moved = by >= 64 ? 0 : value << by;
  } else if (instruction.is_signed) {
    moved = static_cast<std::uint64_t>(static_cast<std::int64_t>(value) >> by);
  } else {
    moved = value >> by;
  }
  if (!instruction.shift_left && !instruction.high_word && !instruction.shift_wide) {
    moved = by >= 32 ? sources.low[2].offset : moved & 0xffffffffU;
  }
  return number(static_cast<std::uint32_t>(instruction.high_word ? moved >> 32U : moved), sources);
}

std::uint32_t look_up(std::uint8_t lut, std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  std::uint32_t result = 0;
  for (std::uint32_t i = 0; i < 8; ++i) {
    if ((lut >> i & 1U) != 0) {
      result |= ((i & 4U) != 0 ? a : ~a) & ((i & 2U) != 0 ? b : ~b) & ((i & 1U) != 0 ? c : ~c);
    }
  }
  return result;
}

Result logic(const ScalarInstruction& instruction, const Sources& sources, std::uint32_t origin) {
  constexpr std::uint8_t kAnd = 0xc0;
  constexpr std::uint8_t kNotA = 0x0f;
  const SymbolicValue& a = sources.low[0];
  const SymbolicValue& b = sources.low[1];
  const SymbolicValue& c = sources.low[2];
  Result result;
  if (a.is_constant() && b.is_constant() && c.is_constant()) {
    result.words[0] = number(look_up(instruction.lut[0], a.offset, b.offset, c.offset), sources);
  } else if (instruction.lut[0] == kAnd) {
    result.words[0] = bit_and(a, b, origin);
  } else if (instruction.lut[0] == kNotA) {
    result.words[0] = invert(a);
  } else {
    result.words[0] = unknown(sources, origin, 0);
  }
  const SymbolicValue& word = result.words[0];
  result.predicates[0] = word.is_constant() ? (word.offset != 0 ? 1 : 0) : -1;
  return result;
}

SymbolicValue permute(const Sources& sources, std::uint32_t origin) {
  // PRMT a, selector, b
  if (!all_constant(sources)) {
    return unknown(sources, origin, 0);
  }
  const std::uint64_t bytes = pair(sources.low[0], sources.low[2]);
  std::uint32_t result = 0;
  for (std::uint32_t i = 0; i < 4; ++i) {
    const std::uint32_t selector = sources.low[1].offset >> (4 * i) & 15U;
    std::uint32_t byte = static_cast<std::uint32_t>(bytes >> (8 * (selector & 7U))) & 0xffU;
    if ((selector & 8U) != 0) {
      byte = (byte & 0x80U) != 0 ? 0xffU : 0;
    }
    result |= byte << (8 * i);
  }
  return number(result, sources);
}

SymbolicValue select(const Sources& sources, std::uint32_t origin) {
  if (sources.low[0] == sources.low[1]) {
    return sources.low[0];
  }
  return sources.predicates[0] < 0 ? unknown(sources, origin, 0) : sources.low[sources.predicates[0] == 1 ? 0 : 1];
}

bool compare_numbers(Comparison comparison, bool is_signed, std::uint32_t a, std::uint32_t b) {
  const bool less = is_signed ? static_cast<std::int32_t>(a) < static_cast<std::int32_t>(b) : a < b;
  switch (comparison) {
    case Comparison::kFalse:
      return false;
    case Comparison::kLess:
      return less;
    case Comparison::kEqual:
      return a == b;
    case Comparison::kLessEqual:
      return less || a == b;
    case Comparison::kGreater:
      return !less && a != b;
    case Comparison::kNotEqual:
      return a != b;
    case Comparison::kGreaterEqual:
      return !less;
    case Comparison::kTrue:
      return true;
  }
  return false;
}

int combine(std::uint8_t how, int a, int b) {
  if (how == 0 && (a == 0 || b == 0)) {
    return 0;
  }
  if (how == 1 && (a == 1 || b == 1)) {
    return 1;
  }
  if (a < 0 || b < 0) {
    return -1;
  }
  return how == 0 ? a & b : how == 1 ? a | b : a ^ b;
}

Result compare(const ScalarInstruction& instruction, const Sources& sources) {
  const SymbolicValue& a = sources.low[0];
  const SymbolicValue& b = sources.low[1];
  int holds = -1;
  if (a.is_constant() && b.is_constant()) {
    holds = compare_numbers(instruction.comparison, instruction.is_signed, a.offset, b.offset) ? 1 : 0;
  }
  const int other = sources.predicates[0];
  Result result;
  result.predicates[0] = combine(instruction.combine, holds, other);
  result.predicates[1] = combine(instruction.combine, holds < 0 ? -1 : 1 - holds, other);
  return result;
}

Result predicate_logic(const ScalarInstruction& instruction, const Sources& sources) {
  Result result;
  for (std::size_t which = 0; which < 2; ++which) {
    int value = -2;
    for (std::uint32_t i = 0; i < 8; ++i) {
      const auto fits = [&](std::size_t p, std::uint32_t bit) {
        const int wanted = (i & bit) != 0 ? 1 : 0;
        return sources.predicates[p] < 0 || sources.predicates[p] == wanted;
      };
      if (fits(0, 4) && fits(1, 2) && fits(2, 1)) {
        const int here = instruction.lut[which] >> i & 1;
        value = value == -2 || value == here ? here : -1;
      }
    }
    result.predicates[which] = value;
  }
  return result;
}

}  // namespace

ScalarResult compute_scalar(const ScalarInstruction& instruction, const ScalarSources& sources, std::uint32_t origin) {
  Result result;
  switch (instruction.op) {
    case ScalarOp::kMove:
      result.words[0] = sources.low[0];
      break;
    case ScalarOp::kAdd:
      return add_terms(instruction, sources, origin);
    case ScalarOp::kMultiply:
      result.words[0] = add(multiply(sources.low[0], sources.low[1], origin), sources.low[2], origin);
      break;
    case ScalarOp::kMultiplyWide:
      return multiply_wide(instruction, sources, origin);
    case ScalarOp::kLea:
      result.words[0] = lea(instruction, sources, origin);
      break;
    case ScalarOp::kShift:
      result.words[0] = shift(instruction, sources, origin);
      break;
    case ScalarOp::kLogic:
      return logic(instruction, sources, origin);
    case ScalarOp::kPermute:
      result.words[0] = permute(sources, origin);
      break;
    case ScalarOp::kSelect:
      result.words[0] = select(sources, origin);
      break;
    case ScalarOp::kCompare:
      return compare(instruction, sources);
    case ScalarOp::kPredicateLogic:
      return predicate_logic(instruction, sources);
    default:
      return unknown_pair(sources, origin);
  }
  return result;
}

}  // namespace warpsim
