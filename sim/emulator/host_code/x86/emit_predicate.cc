// Comparisons, selection by predicates, and logic of predicates.
#include "emulator/host_code/x86/forms.h"
#include "emulator/operations/comparison.h"
#include "emulator/operations/operation_variants.h"

namespace warpsim {

namespace {

using Vector = HostEmitter::Vector;
using Mask = HostEmitter::Mask;

// Predicates of vpcmpd and the like.
std::uint8_t integer_predicate(unsigned relations) {
  switch (relations) {
    case kEqual:
      return 0;
    case kLess:
      return 1;
    case kLess | kEqual:
      return 2;
    case kLess | kGreater:
      return 4;
    case kGreater | kEqual:
      return 5;
    default:
      return 6;  // kGreater
  }
}

// Those of vcmpps and vcmppd, without exceptions for quiet NaNs.
std::uint8_t float_predicate(unsigned relations) {
  switch (relations) {
    case kEqual:
      return 0x00;
    case kLess:
      return 0x11;
    case kLess | kEqual:
      return 0x12;
    case kUnordered:
      return 0x03;
    case kLess | kGreater | kUnordered:
      return 0x04;
    case kGreater | kEqual | kUnordered:
      return 0x15;
    case kGreater | kUnordered:
      return 0x16;
    case kLess | kEqual | kGreater:
      return 0x07;
    case kEqual | kUnordered:
      return 0x08;
    case kLess | kUnordered:
      return 0x19;
    case kLess | kEqual | kUnordered:
      return 0x1a;
    case kLess | kGreater:
      return 0x0c;
    case kGreater | kEqual:
      return 0x1d;
    default:
      return 0x1e;  // kGreater
  }
}

// From the comparison in eax, which stays, to edx.
void combine(HostEmitter& e, const Operation& operation, bool opposite) {
  const auto how = static_cast<Combination>(operation.variant);
  e.mov(e.edx, e.eax);
  if (opposite) {
    e.not_(e.edx);
  }
  if (how == Combination::kNone) {
    return;
  }
  e.read_predicate(e.esi, operation.c, operation.count != 0);
  if (how == Combination::kAnd) {
    e.and_(e.edx, e.esi);
  } else if (how == Combination::kOr) {
    e.or_(e.edx, e.esi);
  } else {
    e.xor_(e.edx, e.esi);
  }
}

// compare(k, a, b) for each chunk. Both results are formed before the first is written, which c may be.
template <class Compare>
void emit_comparison(HostEmitter& e, unsigned chunks, Compare compare) {
  const Operation& operation = e.operation();
  for (unsigned i = 0; i < chunks; ++i) {
    compare(Mask(static_cast<int>(3 + i)), e.read(operation.a, i), e.read(operation.b, i));
  }
  e.join_masks(chunks);
  if (operation.p != kNoPlace) {
    combine(e, operation, true);
    e.mov(e.r9d, e.edx);
  }
  combine(e, operation, false);
  e.write_predicate(operation.d, e.edx);
  if (operation.p != kNoPlace) {
    e.write_predicate(operation.p, e.r9d);
  }
}

void emit_select(HostEmitter& e, const Operation& operation, bool wide) {
  const unsigned chunks = wide ? kWideChunks : kWordChunks;
  const unsigned lanes = kWarpSize / chunks;
  e.read_predicate(e.eax, operation.c, operation.count != 0);
  e.kmovd(e.k5, e.eax);
  for (unsigned i = 0; i < chunks; ++i) {
    const Vector a = e.read(operation.a, i);
    const Vector b = e.read(operation.b, i);
    const Vector d = e.fresh();
    if (wide) {
      e.vpblendmq(d | e.k5, b, a);
    } else {
      e.vpblendmd(d | e.k5, b, a);
    }
    if (i + 1 < chunks) {
      e.kshiftrd(e.k5, e.k5, static_cast<std::uint8_t>(lanes));
    }
    e.write(operation.d, i, d, wide ? 8 : 4);
  }
}

template <class Combine>
void emit_logic(HostEmitter& e, const Operation& operation, Combine combine_sources) {
  e.read_predicate(e.eax, operation.a, (operation.count & kNegatesFirst) != 0);
  e.read_predicate(e.edx, operation.b, (operation.count & kNegatesSecond) != 0);
  combine_sources(e.eax, e.edx);
  e.write_predicate(operation.d, e.eax);
}

// The table's function of eax, edx and esi, to edi; r9d and r10d change.
void emit_table(HostEmitter& e, unsigned table) {
  constexpr unsigned kRows = 8;
  constexpr unsigned kAll = 0xff;
  if (table == 0 || table == kAll) {
    e.mov(e.edi, table == 0 ? 0 : 0xffffffffU);
    return;
  }
  e.xor_(e.edi, e.edi);
  for (unsigned row = 0; row < kRows; ++row) {
    if ((table >> row & 1U) == 0) {
      continue;
    }
    e.mov(e.r9d, e.eax);
    if ((row & 4U) == 0) {
      e.not_(e.r9d);
    }
    for (const unsigned bit : {2U, 1U}) {
      e.mov(e.r10d, bit == 2 ? e.edx : e.esi);
      if ((row & bit) == 0) {
        e.not_(e.r10d);
      }
      e.and_(e.r9d, e.r10d);
    }
    e.or_(e.edi, e.r9d);
  }
}

void emit_table_look_up(HostEmitter& e, const Operation& operation) {
  const OperandPlace* const extra = e.list();
  e.read_predicate(e.eax, extra[0], extra[1] != 0);
  e.read_predicate(e.edx, extra[2], extra[3] != 0);
  e.read_predicate(e.esi, extra[4], extra[5] != 0);
  if (operation.d != kNoPlace) {
    emit_table(e, operation.variant);
    e.write_predicate(operation.d, e.edi);
  }
  if (operation.p != kNoPlace) {
    emit_table(e, operation.count);
    e.write_predicate(operation.p, e.edi);
  }
}

}  // namespace

bool emit_predicate(HostEmitter& e) {
  const Operation& operation = e.operation();
  const std::uint8_t integers = integer_predicate(operation.host_detail);
  const std::uint8_t floats = float_predicate(operation.host_detail);
  switch (operation.form) {
    case HostForm::kCompareSigned32:
      emit_comparison(e, kWordChunks, [&](auto k, auto a, auto b) { e.vpcmpd(k, a, b, integers); });
      return true;
    case HostForm::kCompareUnsigned32:
      emit_comparison(e, kWordChunks, [&](auto k, auto a, auto b) { e.vpcmpud(k, a, b, integers); });
      return true;
    case HostForm::kCompareSigned64:
      emit_comparison(e, kWideChunks, [&](auto k, auto a, auto b) { e.vpcmpq(k, a, b, integers); });
      return true;
    case HostForm::kCompareUnsigned64:
      emit_comparison(e, kWideChunks, [&](auto k, auto a, auto b) { e.vpcmpuq(k, a, b, integers); });
      return true;
    case HostForm::kCompareFloat:
      emit_comparison(e, kWordChunks, [&](auto k, auto a, auto b) { e.vcmpps(k, a, b, floats); });
      return true;
    case HostForm::kCompareDouble:
      emit_comparison(e, kWideChunks, [&](auto k, auto a, auto b) { e.vcmppd(k, a, b, floats); });
      return true;
    case HostForm::kSelect32:
    case HostForm::kSelect64:
      emit_select(e, operation, operation.form == HostForm::kSelect64);
      return true;
    case HostForm::kPredicateAnd:
      emit_logic(e, operation, [&](auto a, auto b) { e.and_(a, b); });
      return true;
    case HostForm::kPredicateOr:
      emit_logic(e, operation, [&](auto a, auto b) { e.or_(a, b); });
      return true;
    case HostForm::kPredicateXor:
      emit_logic(e, operation, [&](auto a, auto b) { e.xor_(a, b); });
      return true;
    case HostForm::kPredicateNot:
      e.read_predicate(e.eax, operation.a, (operation.count & kNegatesFirst) == 0);
      e.write_predicate(operation.d, e.eax);
      return true;
    case HostForm::kPredicateMove:
      e.read_predicate(e.eax, operation.a, operation.variant != 0);
      e.write_predicate(operation.d, e.eax);
      return true;
    case HostForm::kPredicateLookUp:
      emit_table_look_up(e, operation);
      return true;
    default:
      return false;
  }
}

}  // namespace warpsim
