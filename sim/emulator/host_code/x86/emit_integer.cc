// Integer arithmetic.
#include "emulator/host_code/x86/forms.h"
#include "emulator/operations/operation_variants.h"

namespace warpsim {

namespace {

using Vector = HostEmitter::Vector;

// d = the upper or lower 8 words of a chunk of 16, as 8 lanes of 64 bits.
void widen(HostEmitter& e, const Vector& d, const Vector& words, bool upper, bool is_signed) {
  const Xbyak::Ymm half(d.getIdx());
  if (upper) {
    e.vextracti64x4(half, words, 1);
  }
  const Xbyak::Ymm from(upper ? d.getIdx() : words.getIdx());
  if (is_signed) {
    e.vpmovsxdq(d, from);
  } else {
    e.vpmovzxdq(d, from);
  }
}

void multiply_wide(HostEmitter& e, const Operation& operation, bool is_signed, bool adds) {
  for (unsigned i = 0; i < kWideChunks; ++i) {
    const Vector a = e.read(operation.a, i / 2);
    const Vector b = e.read(operation.b, i / 2);
    const Vector x = e.fresh();
    const Vector y = e.fresh();
    widen(e, x, a, i % 2 != 0, is_signed);
    widen(e, y, b, i % 2 != 0, is_signed);
    if (is_signed) {
      e.vpmuldq(x, x, y);
    } else {
      e.vpmuludq(x, x, y);
    }
    if (adds) {
      e.vpaddq(x, x, e.read(operation.c, i));
    }
    e.write(operation.d, i, x, kWideBytes);
  }
}

// The product of even lanes, and of odd lanes, as 8 lanes of 64 bits; their words are then put together again.
void multiply_add_pair(HostEmitter& e, const Operation& operation, bool is_signed) {
  const OperandPlace* const extra = e.list();
  const auto multiply = [&](const Vector& d, const Vector& x, const Vector& y) {
    if (is_signed) {
      e.vpmuldq(d, x, y);
    } else {
      e.vpmuludq(d, x, y);
    }
  };
  constexpr std::uint32_t kOdd = 0xaaaa;
  constexpr int kUpper = 32;
  std::array<std::array<int, 2>, kWordChunks> results{};
  e.mov(e.eax, kOdd);
  e.kmovw(e.k5, e.eax);
  for (unsigned i = 0; i < kWordChunks; ++i) {
    const Vector a = e.read(operation.a, i);
    const Vector b = e.read(operation.b, i);
    const Vector even = e.fresh();
    const Vector odd = e.fresh();
    const Vector t = e.fresh();
    multiply(even, a, b);
    e.vpsrlq(odd, a, kUpper);
    e.vpsrlq(t, b, kUpper);
    multiply(odd, odd, t);
    const Vector low = e.read(operation.c, i);
    const Vector high = e.read(extra[1], i);
    // {high, low} of even lanes, then of odd ones.
    e.vpsllq(t, high, kUpper);
    e.vpblendmd(t | e.k5, low, t);
    e.vpaddq(even, even, t);
    e.vpsrlq(t, low, kUpper);
    e.vpblendmd(t | e.k5, t, high);
    e.vpaddq(odd, odd, t);
    // Back to low words and high words.
    e.vpsllq(t, odd, kUpper);
    e.vpblendmd(t | e.k5, even, t);
    e.vpsrlq(even, even, kUpper);
    e.vpblendmd(even | e.k5, even, odd);
    results[i] = {t.getIdx(), even.getIdx()};
  }
  for (unsigned i = 0; i < kWordChunks; ++i) {
    e.write(operation.d, i, Vector(results[i][0]));
    e.write(extra[0], i, Vector(results[i][1]));
  }
}

void add_three(HostEmitter& e, const Operation& operation) {
  for (unsigned i = 0; i < kWordChunks; ++i) {
    const Vector d = e.fresh();
    const auto add = [&](bool first, OperandPlace place, unsigned negates) {
      const Vector source = e.read(place, i);
      const bool negated = (operation.variant & negates) != 0;
      if (first) {
        if (negated) {
          e.vpxord(d, d, d);
          e.vpsubd(d, d, source);
        } else {
          e.vmovdqa32(d, source);
        }
      } else if (negated) {
        e.vpsubd(d, d, source);
      } else {
        e.vpaddd(d, d, source);
      }
    };
    add(true, operation.a, kNegatesA);
    add(false, operation.b, kNegatesB);
    add(false, operation.c, kNegatesC);
    e.write(operation.d, i, d);
  }
}

// Sums and their overflows as the handler has them: each overflow is one more carry.
void add_three_carry(HostEmitter& e, const Operation& operation) {
  const OperandPlace* const extra = e.list();
  const bool takes = (operation.variant & kTakesCarry) != 0;
  const unsigned negated = operation.variant & (kNegatesA | kNegatesB | kNegatesC);
  const auto ones = static_cast<std::uint32_t>(takes ? 0 : __builtin_popcount(negated));
  std::array<int, kWordChunks> sums{};
  std::array<int, kWordChunks> overflows{};
  for (unsigned i = 0; i < kWordChunks; ++i) {
    const Vector sum = e.fresh();
    const Vector count = e.fresh();
    const Vector t = e.fresh();
    sums[i] = sum.getIdx();
    overflows[i] = count.getIdx();
    const auto source = [&](const Vector& into, OperandPlace place, unsigned bit) {
      if ((operation.variant & bit) != 0) {
        e.vpternlogd(into, into, into, 0xff);  // all ones
        e.vpxord(into, into, e.read(place, i));
        return into;
      }
      return e.read(place, i);
    };
    const auto count_overflow = [&](const Vector& before) {
      e.vpcmpud(e.k5, sum, before, 1);
      e.vpsubd(count | e.k5, count, e.constant(~0U, kWordBytes));
    };
    const Vector before = e.fresh();
    e.vpxord(count, count, count);
    e.vmovdqa32(before, source(t, operation.a, kNegatesA));
    e.vpaddd(sum, before, source(t, operation.b, kNegatesB));
    count_overflow(before);
    e.vmovdqa32(before, sum);
    e.vpaddd(sum, sum, source(t, operation.c, kNegatesC));
    count_overflow(before);
    if (!takes && ones == 0) {
      continue;
    }
    e.vmovdqa32(before, sum);
    if (takes) {
      for (const unsigned entry : {1U, 3U}) {
        e.read_predicate(e.eax, extra[entry], extra[entry + 1] != 0);
        if (i != 0) {
          e.shr(e.eax, 16);
        }
        e.kmovw(e.k6, e.eax);
        e.vpsubd(sum | e.k6, sum, e.constant(~0U, kWordBytes));
      }
    } else {
      e.vpaddd(sum, sum, e.constant(ones, kWordBytes));
    }
    count_overflow(before);
  }
  // Sources may be destinations: everything is read by now.
  for (const unsigned least : {1U, 2U}) {
    const OperandPlace place = least == 1 ? operation.p : extra[0];
    if (place != kNoPlace) {
      e.vpcmpud(e.k3, Vector(overflows[0]), e.constant(least, kWordBytes), 5);
      e.vpcmpud(e.k4, Vector(overflows[1]), e.constant(least, kWordBytes), 5);
      e.join_masks(kWordChunks);
      e.write_predicate(place, e.eax);
    }
  }
  for (unsigned i = 0; i < kWordChunks; ++i) {
    e.write(operation.d, i, Vector(sums[i]));
  }
}

void add_scaled(HostEmitter& e, const Operation& operation) {
  map_chunks(e, kWordChunks, kWordBytes, operation.a, operation.b,
             [&](const Vector& d, const Vector& a, const Vector& b) {
               e.vpslld(d, a, static_cast<std::uint8_t>(operation.offset));
               e.vpaddd(d, d, b);
             });
}

void multiply_add(HostEmitter& e, const Operation& operation, bool wide) {
  for (unsigned i = 0; i < (wide ? kWideChunks : kWordChunks); ++i) {
    const Vector a = e.read(operation.a, i);
    const Vector b = e.read(operation.b, i);
    const Vector c = e.read(operation.c, i);
    const Vector d = e.fresh();
    if (wide) {
      e.vpmullq(d, a, b);
      e.vpaddq(d, d, c);
    } else {
      e.vpmulld(d, a, b);
      e.vpaddd(d, d, c);
    }
    e.write(operation.d, i, d, wide ? kWideBytes : kWordBytes);
  }
}

void extend(HostEmitter& e, const Operation& operation, bool is_signed) {
  for (unsigned i = 0; i < kWideChunks; ++i) {
    const Vector a = e.read(operation.a, i / 2);
    const Vector d = e.fresh();
    widen(e, d, a, i % 2 != 0, is_signed);
    e.write(operation.d, i, d, kWideBytes);
  }
}

void truncate(HostEmitter& e, const Operation& operation) {
  for (unsigned i = 0; i < kWordChunks; ++i) {
    const Vector first = e.read(operation.a, 2 * i);
    const Vector second = e.read(operation.a, 2 * i + 1);
    const Vector d = e.fresh();
    const Vector t = e.fresh();
    e.vpmovqd(Xbyak::Ymm(d.getIdx()), first);
    e.vpmovqd(Xbyak::Ymm(t.getIdx()), second);
    e.vinserti64x4(d, d, Xbyak::Ymm(t.getIdx()), 1);
    e.write(operation.d, i, d);
  }
}

}  // namespace

bool emit_integer(HostEmitter& e) {
  const Operation& operation = e.operation();
  const auto words = [&](auto emit) { map_chunks(e, kWordChunks, kWordBytes, operation.a, operation.b, emit); };
  const auto wides = [&](auto emit) { map_chunks(e, kWideChunks, kWideBytes, operation.a, operation.b, emit); };
  switch (operation.form) {
    case HostForm::kAdd32:
      words([&](auto d, auto a, auto b) { e.vpaddd(d, a, b); });
      return true;
    case HostForm::kAdd64:
      wides([&](auto d, auto a, auto b) { e.vpaddq(d, a, b); });
      return true;
    case HostForm::kSubtract32:
      words([&](auto d, auto a, auto b) { e.vpsubd(d, a, b); });
      return true;
    case HostForm::kSubtract64:
      wides([&](auto d, auto a, auto b) { e.vpsubq(d, a, b); });
      return true;
    case HostForm::kMultiply32:
      words([&](auto d, auto a, auto b) { e.vpmulld(d, a, b); });
      return true;
    case HostForm::kMultiply64:
      wides([&](auto d, auto a, auto b) { e.vpmullq(d, a, b); });
      return true;
    case HostForm::kNegate32:
      map_chunks(e, kWordChunks, kWordBytes, operation.a, [&](auto d, auto a) {
        e.vpxord(d, d, d);
        e.vpsubd(d, d, a);
      });
      return true;
    case HostForm::kMinimumSigned32:
      words([&](auto d, auto a, auto b) { e.vpminsd(d, a, b); });
      return true;
    case HostForm::kMinimumUnsigned32:
      words([&](auto d, auto a, auto b) { e.vpminud(d, a, b); });
      return true;
    case HostForm::kMaximumSigned32:
      words([&](auto d, auto a, auto b) { e.vpmaxsd(d, a, b); });
      return true;
    case HostForm::kMaximumUnsigned32:
      words([&](auto d, auto a, auto b) { e.vpmaxud(d, a, b); });
      return true;
    case HostForm::kAddOffset32:
      map_chunks(e, kWordChunks, kWordBytes, operation.a, [&](auto d, auto a) {
        e.vpaddd(d, a, e.constant(static_cast<std::uint32_t>(operation.offset), kWordBytes));
      });
      return true;
    case HostForm::kAddOffset64:
      map_chunks(e, kWideChunks, kWideBytes, operation.a, [&](auto d, auto a) {
        e.vpaddq(d, a, e.constant(static_cast<std::uint64_t>(operation.offset), kWideBytes));
      });
      return true;
    case HostForm::kMultiplyAdd32:
      multiply_add(e, operation, false);
      return true;
    case HostForm::kMultiplyAdd64:
      multiply_add(e, operation, true);
      return true;
    case HostForm::kMultiplyWideSigned:
    case HostForm::kMultiplyAddWideSigned:
      multiply_wide(e, operation, true, operation.form == HostForm::kMultiplyAddWideSigned);
      return true;
    case HostForm::kMultiplyWideUnsigned:
    case HostForm::kMultiplyAddWideUnsigned:
      multiply_wide(e, operation, false, operation.form == HostForm::kMultiplyAddWideUnsigned);
      return true;
    case HostForm::kMultiplyAddPairSigned:
      multiply_add_pair(e, operation, true);
      return true;
    case HostForm::kMultiplyAddPairUnsigned:
      multiply_add_pair(e, operation, false);
      return true;
    case HostForm::kAddThree:
      add_three(e, operation);
      return true;
    case HostForm::kAddThreeCarry:
      add_three_carry(e, operation);
      return true;
    case HostForm::kAddScaled:
      add_scaled(e, operation);
      return true;
    case HostForm::kExtendSigned:
      extend(e, operation, true);
      return true;
    case HostForm::kExtendUnsigned:
      extend(e, operation, false);
      return true;
    case HostForm::kTruncate:
      truncate(e, operation);
      return true;
    default:
      return false;
  }
}

}  // namespace warpsim
