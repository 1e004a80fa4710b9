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
    case HostForm::kAddThree:
      add_three(e, operation);
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
