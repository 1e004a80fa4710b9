// Bitwise logic and permutations of bytes.
#include <array>
#include <cstdint>
#include <utility>

#include "emulator/operations/arithmetic_binders.h"
#include "emulator/operations/lane_functions.h"
#include "emulator/operations/lane_masks.h"
#include "emulator/operations/operation_variants.h"

namespace warpsim {

namespace {

using ptx::DataType;
using Word = std::uint32_t;

struct And {
  template <class T>
  static T of(T a, T b) {
    return static_cast<T>(a & b);
  }
};
struct Or {
  template <class T>
  static T of(T a, T b) {
    return static_cast<T>(a | b);
  }
};
struct Xor {
  template <class T>
  static T of(T a, T b) {
    return static_cast<T>(a ^ b);
  }
};
struct Not {
  template <class T>
  static T of(T a) {
    return static_cast<T>(~a);
  }
};
// Logical, not bitwise: 1 of 0, otherwise 0.
struct LogicalNot {
  template <class T>
  static T of(T a) {
    return a == 0 ? T{1} : T{0};
  }
};

// Predicates are masks of lanes.
LaneMask source_mask(const WarpContext& warp, OperandPlace place, bool negated) {
  const LaneMask mask = warp.predicate(place);
  return negated ? ~mask : mask;
}

template <class Function>
void combine_predicates(WarpContext& warp, const Operation& operation, LaneMask lanes) {
  const LaneMask a = source_mask(warp, operation.a, (operation.count & kNegatesFirst) != 0);
  const LaneMask b = source_mask(warp, operation.b, (operation.count & kNegatesSecond) != 0);
  warp.set_predicate(operation.d, lanes, Function::of(a, b));
}

void negate_predicate(WarpContext& warp, const Operation& operation, LaneMask lanes) {
  const LaneMask a = source_mask(warp, operation.a, (operation.count & kNegatesFirst) != 0);
  warp.set_predicate(operation.d, lanes, ~a);
}

std::uint8_t negated_sources(const OperationBuilder& b, std::size_t sources) {
  unsigned bits = b.negates(1) ? kNegatesFirst : 0;
  if (sources > 1 && b.negates(2)) {
    bits |= kNegatesSecond;
  }
  return static_cast<std::uint8_t>(bits);
}

// The forms of a function of bits, and of predicates.
struct LogicForms {
  HostForm of32;
  HostForm of64;
  HostForm of_predicates;
};

template <class Function>
void bind_logic(OperationBuilder& b, const LogicForms& forms) {
  const DataType type = b.take_type();
  if (type == DataType::kPredicate) {
    b.operation.d = b.predicate_destination(0);
    b.operation.a = b.predicate_source(1);
    b.operation.b = b.predicate_source(2);
    b.operation.count = negated_sources(b, 2);
    b.operation.run = combine_predicates<Function>;
    b.operation.form = forms.of_predicates;
    return;
  }
  bind_operands(b, {type, type, type});
  b.operation.run = for_bits(b, type, [](auto tag) -> Handler {
    using T = typename decltype(tag)::Type;
    return best_for_host<map_two<Function, T, T>>();
  });
  b.operation.form = form_by_width(type, forms.of32, forms.of64);
}

// --- lop3 ---

// The function whose value for bits (a, b, c) is bit 4a + 2b + c of the table.
// Holds each bit of the table as a word of zeros or ones.
struct TableRows {
  Word row[8];
  explicit constexpr TableRows(unsigned table) {
    for (unsigned i = 0; i < 8; ++i) {
      row[i] = 0 - static_cast<Word>(table >> i & 1U);
    }
  }
  // Bitwise: `one` where the selector is set.
  static constexpr Word choose(Word selector, Word zero, Word one) { return zero ^ (selector & (zero ^ one)); }
  constexpr Word look_up(Word a, Word b, Word c) const {
    const Word clear = choose(b, choose(c, row[0], row[1]), choose(c, row[2], row[3]));
    const Word set = choose(b, choose(c, row[4], row[5]), choose(c, row[6], row[7]));
    return choose(a, clear, set);
  }
};

// The table as a constant: compilers reduce it to the logic operations that it stands for.
template <std::size_t kTable>
void look_up_constant(WarpContext& warp, const Operation& operation, LaneMask lanes) {
  Word* const d = warp.write<Word>(operation.d);
  const Word* const a = warp.read<Word>(operation.a);
  const Word* const b = warp.read<Word>(operation.b);
  const Word* const c = warp.read<Word>(operation.c);
  set_lanes(d, lanes, [=](std::uint32_t lane) {
    constexpr TableRows kRows(kTable);
    return kRows.look_up(a[lane], b[lane], c[lane]);
  });
}

template <std::size_t... kTables>
constexpr std::array<Handler, sizeof...(kTables)> handlers_of_tables(std::index_sequence<kTables...>) {
  return {look_up_constant<kTables>...};
}
constexpr auto kLookUp = handlers_of_tables(std::make_index_sequence<256>());

template <std::size_t... kTables>
Handler best_look_up(std::uint8_t table, std::index_sequence<kTables...>) {
  static const Handler handlers[] = {best_for_host<look_up_constant<kTables>>()...};
  return handlers[table];
}

// Also sets p: whether the result is not 0, combined with a predicate.
template <bool kAnd>
void look_up_and_test(WarpContext& warp, const Operation& operation, LaneMask lanes) {
  kLookUp[operation.variant](warp, operation, lanes);
  const Word* const d = warp.read<Word>(operation.d);
  LaneTruths is_set;
  for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
    is_set[lane] = d[lane] != 0 ? 1 : 0;
  }
  const LaneMask nonzero = mask_of_truths(is_set);
  const LaneMask other = source_mask(warp, operation.e, operation.count != 0);
  warp.set_predicate(operation.p, lanes, kAnd ? nonzero & other : nonzero | other);
}

// --- prmt ---

enum class Permutation : std::uint8_t {
  kIndex,
  kForward4,
  kBackward4,
  kReplicate8,
  kClampLeft,
  kClampRight,
  kReplicate16
};

// Selector of four nibbles that has the mode's effect for the amount in the control word's two lowest bits.
Word selector_of(Permutation mode, Word control) {
  constexpr Word kForward[] = {0x3210, 0x4321, 0x5432, 0x6543};
  constexpr Word kBackward[] = {0x5670, 0x6701, 0x7012, 0x0123};
  constexpr Word kReplicated8[] = {0x0000, 0x1111, 0x2222, 0x3333};
  constexpr Word kLeft[] = {0x3210, 0x3211, 0x3222, 0x3333};
  constexpr Word kRight[] = {0x0000, 0x1110, 0x2210, 0x3210};
  constexpr Word kReplicated16[] = {0x1010, 0x3232, 0x1010, 0x3232};
  const Word amount = control & 3U;
  switch (mode) {
    case Permutation::kForward4:
      return kForward[amount];
    case Permutation::kBackward4:
      return kBackward[amount];
    case Permutation::kReplicate8:
      return kReplicated8[amount];
    case Permutation::kClampLeft:
      return kLeft[amount];
    case Permutation::kClampRight:
      return kRight[amount];
    case Permutation::kReplicate16:
      return kReplicated16[amount];
    case Permutation::kIndex:
      break;
  }
  return control;
}

template <Permutation kMode>
struct Permute {
  static Word of(Word a, Word b, Word c) {
    const std::uint64_t bytes = std::uint64_t{b} << 32U | a;
    const Word selector = selector_of(kMode, c);
    Word result = 0;
    for (unsigned i = 0; i < 4; ++i) {
      const Word nibble = selector >> (4 * i);
      Word byte = static_cast<Word>(bytes >> (8 * (nibble & 7U))) & 0xffU;
      if ((nibble & 8U) != 0) {
        byte = (byte & 0x80U) != 0 ? 0xffU : 0;  // its sign, replicated
      }
      result |= byte << (8 * i);
    }
    return result;
  }
};

// With the same selector in all lanes, each byte from the same place.
void permute_uniformly(WarpContext& warp, const Operation& operation, LaneMask lanes) {
  Word* const d = warp.write<Word>(operation.d);
  const Word* const sources[] = {warp.read<Word>(operation.a), warp.read<Word>(operation.b)};
  const Word selector = *warp.read<Word>(operation.c);
  std::array<Word, kWarpSize> result{};
  for (unsigned i = 0; i < 4; ++i) {
    const Word nibble = selector >> (4 * i);
    const Word* const source = sources[nibble >> 2U & 1U];
    const Word shift = 8 * (nibble & 3U);
    const bool is_sign = (nibble & 8U) != 0;
    for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
      const Word byte = source[lane] >> shift & 0xffU;
      result[lane] |= (is_sign ? (byte >> 7U) * 0xffU : byte) << (8 * i);
    }
  }
  for_own_lanes(lanes, [&](std::uint32_t lane) { d[lane] = result[lane]; });
}

template <Permutation kMode>
Handler permute_each() {
  return best_for_host<map_three<Permute<kMode>, Word, Word>>();
}

}  // namespace

void bind_and(OperationBuilder& b) {
  bind_logic<And>(b, {HostForm::kAnd32, HostForm::kAnd64, HostForm::kPredicateAnd});
}

void bind_or(OperationBuilder& b) {
  bind_logic<Or>(b, {HostForm::kOr32, HostForm::kOr64, HostForm::kPredicateOr});
}

void bind_xor(OperationBuilder& b) {
  bind_logic<Xor>(b, {HostForm::kXor32, HostForm::kXor64, HostForm::kPredicateXor});
}

void bind_not(OperationBuilder& b) {
  const DataType type = b.take_type();
  if (type == DataType::kPredicate) {
    b.operation.d = b.predicate_destination(0);
    b.operation.a = b.predicate_source(1);
    b.operation.count = negated_sources(b, 1);
    b.operation.run = negate_predicate;
    b.operation.form = HostForm::kPredicateNot;
    return;
  }
  bind_operands(b, {type, type});
  b.operation.run = for_bits(b, type, [](auto tag) -> Handler {
    using T = typename decltype(tag)::Type;
    return best_for_host<map_one<Not, T, T>>();
  });
  b.operation.form = form_by_width(type, HostForm::kNot32, HostForm::kNot64);
}

void bind_cnot(OperationBuilder& b) {
  const DataType type = b.take_type();
  bind_operands(b, {type, type});
  b.operation.run = for_bits(b, type, [](auto tag) -> Handler {
    using T = typename decltype(tag)::Type;
    return best_for_host<map_one<LogicalNot, T, T>>();
  });
}

void bind_lop3(OperationBuilder& b) {
  const bool ands = b.take("and");
  const bool ors = !ands && b.take("or");
  b.take("b32");
  bind_operands(b, {DataType::kB32, DataType::kB32, DataType::kB32, DataType::kB32});
  const ptx::Operand& table = b.operand(4);
  if (table.kind != ptx::Operand::Kind::kInteger || table.bits > 0xff) {
    b.fail("expected a table from 0 to 255 as fifth operand");
  }
  b.operation.variant = static_cast<std::uint8_t>(table.bits);
  if (!ands && !ors) {
    b.operation.run = best_look_up(b.operation.variant, std::make_index_sequence<256>());
    b.operation.form = HostForm::kLookUp;
    return;
  }
  b.operation.p = b.second_destination(0);
  if (b.operation.p == kNoPlace) {
    b.fail("expected d|p");
  }
  b.operation.e = b.predicate_source(5);
  b.operation.count = b.negates(5) ? 1 : 0;
  b.operation.run = ands ? best_for_host<look_up_and_test<true>>() : best_for_host<look_up_and_test<false>>();
  b.operation.form = ands ? HostForm::kLookUpAndTest : HostForm::kLookUpOrTest;
}

void bind_prmt(OperationBuilder& b) {
  b.take("b32");
  bind_operands(b, {DataType::kB32, DataType::kB32, DataType::kB32, DataType::kB32});
  const bool uniform = b.operand(3).kind == ptx::Operand::Kind::kInteger;
  b.operation.run = b.take("f4e")    ? permute_each<Permutation::kForward4>()
                    : b.take("b4e")  ? permute_each<Permutation::kBackward4>()
                    : b.take("rc8")  ? permute_each<Permutation::kReplicate8>()
                    : b.take("ecl")  ? permute_each<Permutation::kClampLeft>()
                    : b.take("ecr")  ? permute_each<Permutation::kClampRight>()
                    : b.take("rc16") ? permute_each<Permutation::kReplicate16>()
                    : uniform        ? permute_uniformly
                                     : permute_each<Permutation::kIndex>();
  if (b.operation.run == permute_uniformly) {
    b.operation.form = HostForm::kPermuteBytes;
  }
}

}  // namespace warpsim
