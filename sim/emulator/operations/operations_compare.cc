// Comparison.
//
// A comparison is made for all lanes, the results form a mask; the use of the mask (combined with a predicate,
// written as predicate or as number) is the same for all types.
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "emulator/numbers/float_rounding.h"
#include "emulator/numbers/half_float.h"
#include "emulator/operations/arithmetic_binders.h"
#include "emulator/operations/comparison.h"
#include "emulator/operations/lane_functions.h"
#include "emulator/operations/lane_masks.h"
#include "emulator/operations/operation_variants.h"

namespace warpsim {

namespace {

using ptx::DataType;
using Word = std::uint32_t;

// The format of a source in its register, and the compared part.
template <class T>
struct Value {
  using Stored = T;
  static T of(T value) { return value; }
};
struct FlushedSingle {
  using Stored = float;
  static float of(float value) { return flushed(value); }
};
template <class H, bool kFlush>
struct HalfValue {
  using Stored = H;
  static float of(H value) { return to_single(kFlush ? flushed(value) : value); }
};
template <class H, bool kFlush, bool kHigh>
struct PartOfPair {
  using Stored = Word;
  static float of(Word pair) {
    const H half{static_cast<std::uint16_t>(kHigh ? pair >> 16U : pair)};
    return to_single(kFlush ? flushed(half) : half);
  }
};

using Comparator = LaneMask (*)(const WarpContext& warp, const Operation& operation);

template <class Source, unsigned kRelations>
LaneMask compare(const WarpContext& warp, const Operation& operation) {
  using Stored = typename Source::Stored;
  const LaneWord<Stored>* const a = warp.read<Stored>(operation.a);
  const LaneWord<Stored>* const b = warp.read<Stored>(operation.b);
  LaneTruths is_true;
  for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
    is_true[lane] =
        holds<kRelations>(Source::of(LaneStorage<Stored>::get(a[lane])), Source::of(LaneStorage<Stored>::get(b[lane])));
  }
  return mask_of_truths(is_true);
}

LaneMask combined(const WarpContext& warp, const Operation& operation, LaneMask mask) {
  const auto how = static_cast<Combination>(operation.variant);
  if (how == Combination::kNone) {
    return mask;
  }
  const LaneMask predicate = warp.predicate(operation.c);
  const LaneMask other = operation.count != 0 ? ~predicate : predicate;  // !c
  return how == Combination::kAnd ? mask & other : how == Combination::kOr ? mask | other : mask ^ other;
}

// d and p: the comparison and its opposite, each combined.
template <Comparator kCompare>
void set_predicates(WarpContext& warp, const Operation& operation, LaneMask lanes) {
  const LaneMask mask = kCompare(warp, operation);
  const LaneMask opposite = combined(warp, operation, ~mask);
  warp.set_predicate(operation.d, lanes, combined(warp, operation, mask));
  if (operation.p != kNoPlace) {
    warp.set_predicate(operation.p, lanes, opposite);
  }
}

// For a pair: d is the low half's comparison, p the high half's.
template <Comparator kLow, Comparator kHigh>
void set_pair_predicates(WarpContext& warp, const Operation& operation, LaneMask lanes) {
  const LaneMask high = combined(warp, operation, kHigh(warp, operation));
  warp.set_predicate(operation.d, lanes, combined(warp, operation, kLow(warp, operation)));
  if (operation.p != kNoPlace) {
    warp.set_predicate(operation.p, lanes, high);
  }
}

// Operation::offset: the number that means true.
template <Comparator kCompare>
void set_number(WarpContext& warp, const Operation& operation, LaneMask lanes) {
  const LaneMask mask = combined(warp, operation, kCompare(warp, operation));
  Word* const d = warp.write<Word>(operation.d);
  const Word is_true = static_cast<Word>(operation.offset);
  for_own_lanes(lanes, [=](std::uint32_t lane) { d[lane] = (mask >> lane & 1U) != 0 ? is_true : 0; });
}

template <Comparator kLow, Comparator kHigh>
void set_pair(WarpContext& warp, const Operation& operation, LaneMask lanes) {
  const LaneMask low = combined(warp, operation, kLow(warp, operation));
  const LaneMask high = combined(warp, operation, kHigh(warp, operation));
  Word* const d = warp.write<Word>(operation.d);
  const Word is_true = static_cast<Word>(operation.offset);
  for_own_lanes(lanes, [=](std::uint32_t lane) {
    d[lane] = ((low >> lane & 1U) != 0 ? is_true : 0) | ((high >> lane & 1U) != 0 ? is_true << 16U : 0);
  });
}

// The two uses of a comparison, for all types of sources.
struct Handlers {
  Handler predicate;
  Handler number;
};

template <class Source, unsigned kRelations>
Handlers handlers_of() {
  constexpr Comparator kCompare = compare<Source, kRelations>;
  return {best_for_host<set_predicates<kCompare>>(), best_for_host<set_number<kCompare>>()};
}

template <class Source>
Handlers integer_handlers(const OperationBuilder& b, unsigned relations) {
  switch (relations) {
    case kEqual:
      return handlers_of<Source, kEqual>();
    case kLess | kGreater:
      return handlers_of<Source, (kLess | kGreater)>();
    case kLess:
      return handlers_of<Source, kLess>();
    case kLess | kEqual:
      return handlers_of<Source, (kLess | kEqual)>();
    case kGreater:
      return handlers_of<Source, kGreater>();
    case kGreater | kEqual:
      return handlers_of<Source, (kGreater | kEqual)>();
    default:
      b.fail("integers are always ordered");
  }
}

// Sources of Maker<relations>::handlers() for each of the 14 comparisons of floating-point numbers.
template <template <unsigned> class Maker>
Handlers for_relations(const OperationBuilder& b, unsigned relations) {
  switch (relations) {
    case kEqual:
      return Maker<kEqual>::handlers();
    case kLess:
      return Maker<kLess>::handlers();
    case kGreater:
      return Maker<kGreater>::handlers();
    case kLess | kEqual:
      return Maker<(kLess | kEqual)>::handlers();
    case kGreater | kEqual:
      return Maker<(kGreater | kEqual)>::handlers();
    case kLess | kGreater:
      return Maker<(kLess | kGreater)>::handlers();
    case kUnordered:
      return Maker<kUnordered>::handlers();
    case kEqual | kUnordered:
      return Maker<(kEqual | kUnordered)>::handlers();
    case kLess | kUnordered:
      return Maker<(kLess | kUnordered)>::handlers();
    case kGreater | kUnordered:
      return Maker<(kGreater | kUnordered)>::handlers();
    case kLess | kEqual | kUnordered:
      return Maker<(kLess | kEqual | kUnordered)>::handlers();
    case kGreater | kEqual | kUnordered:
      return Maker<(kGreater | kEqual | kUnordered)>::handlers();
    case kLess | kGreater | kUnordered:
      return Maker<(kLess | kGreater | kUnordered)>::handlers();
    case kLess | kEqual | kGreater:
      return Maker<(kLess | kEqual | kGreater)>::handlers();
    default:
      b.fail("there is no such comparison");
  }
}

template <class Source>
struct FloatMaker {
  template <unsigned kRelations>
  struct Of {
    static Handlers handlers() { return handlers_of<Source, kRelations>(); }
  };
};
template <class H, bool kFlush>
struct PairMaker {
  template <unsigned kRelations>
  struct Of {
    static Handlers handlers() {
      constexpr Comparator kLow = compare<PartOfPair<H, kFlush, false>, kRelations>;
      constexpr Comparator kHigh = compare<PartOfPair<H, kFlush, true>, kRelations>;
      return {set_pair_predicates<kLow, kHigh>, set_pair<kLow, kHigh>};
    }
  };
};

template <class Source>
Handlers float_handlers(const OperationBuilder& b, unsigned relations) {
  return for_relations<FloatMaker<Source>::template Of>(b, relations);
}
template <class H>
Handlers half_handlers(const OperationBuilder& b, unsigned relations, bool flushes) {
  return flushes ? float_handlers<HalfValue<H, true>>(b, relations) : float_handlers<HalfValue<H, false>>(b, relations);
}
template <class H>
Handlers pair_handlers(const OperationBuilder& b, unsigned relations, bool flushes) {
  return flushes ? for_relations<PairMaker<H, true>::template Of>(b, relations)
                 : for_relations<PairMaker<H, false>::template Of>(b, relations);
}

Handlers handlers_for(OperationBuilder& b, DataType type, unsigned relations) {
  const bool flushes = b.take("ftz");
  switch (type) {
    case DataType::kB16:
    case DataType::kU16:
      return integer_handlers<Value<std::uint16_t>>(b, relations);
    case DataType::kB32:
    case DataType::kU32:
      return integer_handlers<Value<std::uint32_t>>(b, relations);
    case DataType::kB64:
    case DataType::kU64:
      return integer_handlers<Value<std::uint64_t>>(b, relations);
    case DataType::kS16:
      return integer_handlers<Value<std::int16_t>>(b, relations);
    case DataType::kS32:
      return integer_handlers<Value<std::int32_t>>(b, relations);
    case DataType::kS64:
      return integer_handlers<Value<std::int64_t>>(b, relations);
    case DataType::kF32:
      return flushes ? float_handlers<FlushedSingle>(b, relations) : float_handlers<Value<float>>(b, relations);
    case DataType::kF64:
      return float_handlers<Value<double>>(b, relations);
    case DataType::kF16:
      return half_handlers<Half>(b, relations, flushes);
    case DataType::kBf16:
      return half_handlers<Brain>(b, relations, flushes);
    case DataType::kF16x2:
      return pair_handlers<Half>(b, relations, flushes);
    case DataType::kBf16x2:
      return pair_handlers<Brain>(b, relations, flushes);
    default:
      b.fail("values of this type cannot be compared");
  }
}

HostForm form_of_comparison(DataType type) {
  switch (type) {
    case DataType::kB32:
    case DataType::kU32:
      return HostForm::kCompareUnsigned32;
    case DataType::kS32:
      return HostForm::kCompareSigned32;
    case DataType::kB64:
    case DataType::kU64:
      return HostForm::kCompareUnsigned64;
    case DataType::kS64:
      return HostForm::kCompareSigned64;
    case DataType::kF32:
      return HostForm::kCompareFloat;
    case DataType::kF64:
      return HostForm::kCompareDouble;
    default:
      return HostForm::kNone;
  }
}

unsigned take_comparison(OperationBuilder& b) {
  const std::optional<unsigned> relations = comparison_of(b.take_next());
  if (!relations) {
    b.fail("expected a comparison");
  }
  return *relations;
}

void take_combination(OperationBuilder& b) {
  const Combination how = b.take("and")   ? Combination::kAnd
                          : b.take("or")  ? Combination::kOr
                          : b.take("xor") ? Combination::kXor
                                          : Combination::kNone;
  b.operation.variant = static_cast<std::uint8_t>(how);
  b.operation.count = 0;
  if (how != Combination::kNone) {
    b.operation.c = b.predicate_source(3);
    b.operation.count = b.negates(3) ? 1 : 0;
  }
}

void bind_sources(OperationBuilder& b, DataType type) {
  const DataType held = bytes_of(type) == 4 && type != DataType::kF32 ? DataType::kB32 : type;
  b.operation.a = b.source(1, held);
  b.operation.b = b.source(2, held);
}

// The value that a set instruction writes for true.
std::int64_t true_number(const OperationBuilder& b, DataType type) {
  switch (type) {
    case DataType::kF32:
      return 0x3f800000;
    case DataType::kF16:
    case DataType::kF16x2:
      return 0x3c00;
    case DataType::kBf16:
    case DataType::kBf16x2:
      return 0x3f80;
    case DataType::kU16:
    case DataType::kS16:
      return 0xffff;
    case DataType::kU32:
    case DataType::kS32:
      return 0xffffffff;
    default:
      b.fail("the result of a comparison is a number of 16 or 32 bits");
  }
}

}  // namespace

void bind_setp(OperationBuilder& b) {
  const unsigned relations = take_comparison(b);
  take_combination(b);
  const DataType type = b.take_type();
  b.operation.d = b.predicate_destination(0);
  b.operation.p = b.second_destination(0);
  bind_sources(b, type);
  const bool flushes = std::ranges::find(b.instruction().modifiers, "ftz") != b.instruction().modifiers.end();
  b.operation.run = handlers_for(b, type, relations).predicate;
  b.operation.form = flushes ? HostForm::kNone : form_of_comparison(type);
  b.operation.host_detail = static_cast<std::uint8_t>(relations);
}

void bind_set(OperationBuilder& b) {
  const unsigned relations = take_comparison(b);
  take_combination(b);
  const DataType result = b.take_type();
  const DataType type = b.take_type();
  b.operation.d = b.destination(0, bytes_of(result) == 4 ? DataType::kB32 : DataType::kB16);
  b.operation.offset = true_number(b, result);
  if (type == DataType::kF16x2 || type == DataType::kBf16x2) {
    b.operation.offset &= 0xffff;  // of each half
  }
  bind_sources(b, type);
  b.operation.run = handlers_for(b, type, relations).number;
}

}  // namespace warpsim
