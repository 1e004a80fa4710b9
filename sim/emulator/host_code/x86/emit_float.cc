// Single and double precision, rounded to nearest, and conversions to single precision.
#include "emulator/host_code/x86/forms.h"
#include "emulator/numbers/float_rounding.h"
#include "emulator/operations/conversion.h"
#include "emulator/operations/operation_variants.h"

namespace warpsim {

namespace {

using Vector = HostEmitter::Vector;

bool is_to_nearest(std::uint8_t rounding) {
  return static_cast<Rounding>(rounding) == Rounding::kNearestEven;
}

// A source of an operation that flushes: subnormal values become 0 of their sign.
Vector flushed_source(HostEmitter& e, const Vector& source, bool flushes) {
  if (!flushes) {
    return source;
  }
  const Vector d = e.fresh();
  e.vmovdqa32(d, source);
  e.vptestnmd(e.k5, source, e.constant(kSingleExponent, kWordBytes));
  e.vpandd(d | e.k5, source, e.constant(kSingleSign, kWordBytes));
  return d;
}

// Results that are subnormal or the least normal number are left to the handler (flushed_by): then k5 has their lanes.
void leave_tiny_results(HostEmitter& e, const Vector& result, const Vector& t, unsigned chunk) {
  constexpr std::uint32_t kLeastNormal = 0x00800000;
  e.vpandd(t, result, e.constant(~kSingleSign, kWordBytes));
  e.vpsubd(t, t, e.constant(1, kWordBytes));  // 0 becomes the largest
  if (e.is_masked()) {
    e.vpcmpud(e.k5 | e.lanes_of(chunk, kWordBytes), t, e.constant(kLeastNormal, kWordBytes), 1);
  } else {
    e.vpcmpud(e.k5, t, e.constant(kLeastNormal, kWordBytes), 1);
  }
  e.kortestw(e.k5, e.k5);
  e.jnz(e.slow_path());
}

// compute(chunk, d) sets d; all chunks are computed before the first result is written.
template <class Compute>
bool emit_single(HostEmitter& e, std::uint8_t rounding, Compute compute) {
  const Operation& operation = e.operation();
  const bool flushes = (operation.host_detail & kFloatFlushes) != 0;
  if (!is_to_nearest(rounding) || (operation.host_detail & kFloatSaturates) != 0) {
    return false;
  }
  std::array<int, kWordChunks> results{};
  for (unsigned i = 0; i < kWordChunks; ++i) {
    const Vector d = e.fresh();
    const Vector t = e.fresh();
    compute(i, d, flushes);
    if (flushes) {
      leave_tiny_results(e, d, t, i);
    }
    make_canonical(e, d);
    results[i] = d.getIdx();
  }
  for (unsigned i = 0; i < kWordChunks; ++i) {
    e.write(operation.d, i, Vector(results[i]));
  }
  return true;
}

template <class Instruction>
bool emit_two(HostEmitter& e, Instruction instruction) {
  const Operation& operation = e.operation();
  return emit_single(e, operation.variant, [&](unsigned i, const Vector& d, bool flushes) {
    const Vector a = flushed_source(e, e.read(operation.a, i), flushes);
    const Vector b = flushed_source(e, e.read(operation.b, i), flushes);
    instruction(d, a, b);
  });
}

bool emit_multiply_add(HostEmitter& e) {
  const Operation& operation = e.operation();
  return emit_single(e, operation.variant, [&](unsigned i, const Vector& d, bool flushes) {
    const Vector a = flushed_source(e, e.read(operation.a, i), flushes);
    const Vector b = flushed_source(e, e.read(operation.b, i), flushes);
    const Vector c = flushed_source(e, e.read(operation.c, i), flushes);
    e.vmovdqa32(d, c);
    e.vfmadd231ps(d, a, b);
  });
}

bool emit_multiply_add_signed(HostEmitter& e) {
  const Operation& operation = e.operation();
  return emit_single(e, operation.count, [&](unsigned i, const Vector& d, bool flushes) {
    const auto source = [&](OperandPlace place, unsigned absolute, unsigned negates) {
      Vector value = e.read(place, i);
      const bool is_absolute = (operation.variant & absolute) != 0;
      const bool is_negated = negates != 0 && (operation.variant & negates) != 0;
      if (is_absolute || is_negated) {
        const Vector changed = e.fresh();
        if (is_absolute) {
          e.vpandd(changed, value, e.constant(~kSingleSign, kWordBytes));
          value = changed;
        }
        if (is_negated) {
          e.vpxord(changed, value, e.constant(kSingleSign, kWordBytes));
          value = changed;
        }
      }
      return flushed_source(e, value, flushes);
    };
    const Vector a = source(operation.a, kFirstAbsolute, kNegatesProduct);
    const Vector b = source(operation.b, kSecondAbsolute, 0);
    const Vector c = source(operation.c, kAddendAbsolute, kNegatesAddend);
    e.vmovdqa32(d, c);
    e.vfmadd231ps(d, a, b);
  });
}

// NaNs are left to the handler: the host has another order of them.
bool emit_extreme(HostEmitter& e, bool is_maximum) {
  constexpr std::uint8_t kSignOfChosen = 4;  // vrangeps, which has -0 below +0
  const Operation& operation = e.operation();
  const bool flushes = (operation.host_detail & kFloatFlushes) != 0;
  std::array<int, kWordChunks> results{};
  for (unsigned i = 0; i < kWordChunks; ++i) {
    const Vector a = flushed_source(e, e.read(operation.a, i), flushes);
    const Vector b = flushed_source(e, e.read(operation.b, i), flushes);
    const Vector d = e.fresh();
    if (e.is_masked()) {
      e.vcmpps(e.k5 | e.lanes_of(i, kWordBytes), a, b, kEitherIsNan);
    } else {
      e.vcmpps(e.k5, a, b, kEitherIsNan);
    }
    e.kortestw(e.k5, e.k5);
    e.jnz(e.slow_path());
    e.vrangeps(d, a, b, static_cast<std::uint8_t>(kSignOfChosen | (is_maximum ? 1U : 0U)));
    results[i] = d.getIdx();
  }
  for (unsigned i = 0; i < kWordChunks; ++i) {
    e.write(operation.d, i, Vector(results[i]));
  }
  return true;
}

// --- double precision: results that are NaNs are left to the handler ---

void leave_nans(HostEmitter& e, const std::array<int, kWideChunks>& results) {
  // All lanes, also those that do not take part: their sources are numbers or not, both are right.
  for (unsigned i = 0; i < kWideChunks; i += 2) {
    e.vcmppd(i == 0 ? e.k5 : e.k6, Vector(results[i]), Vector(results[i + 1]), kEitherIsNan);
  }
  e.kortestb(e.k5, e.k6);
  e.jnz(e.slow_path());
}

template <class Compute>
bool emit_doubles(HostEmitter& e, Compute compute) {
  const Operation& operation = e.operation();
  std::array<int, kWideChunks> results{};
  for (unsigned i = 0; i < kWideChunks; ++i) {
    const Vector d = e.fresh();
    compute(i, d);
    results[i] = d.getIdx();
  }
  leave_nans(e, results);
  for (unsigned i = 0; i < kWideChunks; ++i) {
    e.write(operation.d, i, Vector(results[i]), kWideBytes);
  }
  return true;
}

// In words: unpacking their low and high words within quarters of a chunk orders the lanes otherwise, which does not
// matter to the arithmetic, and shuffling two such chunks undoes it.
template <class Compute>
bool emit_doubles_in_words(HostEmitter& e, unsigned sources, Compute compute) {
  const Operation& operation = e.operation();
  if (!is_to_nearest(operation.variant)) {
    return false;
  }
  const OperandPlace* const places = e.list();
  std::array<int, kWideChunks> results{};
  for (unsigned i = 0; i < kWideChunks; ++i) {
    std::array<Vector, 3> values;
    for (unsigned source = 0; source < sources; ++source) {
      const Vector low = e.read(places[2 * source + 2], i / 2);
      const Vector high = e.read(places[2 * source + 3], i / 2);
      values[source] = e.fresh();
      if (i % 2 == 0) {
        e.vpunpckldq(values[source], low, high);
      } else {
        e.vpunpckhdq(values[source], low, high);
      }
    }
    const Vector d = values[0];
    compute(d, values);
    results[i] = d.getIdx();
    for (unsigned source = 1; source < sources; ++source) {
      e.release(values[source]);
    }
  }
  leave_nans(e, results);
  constexpr std::uint8_t kLowWords = 0x88;
  constexpr std::uint8_t kHighWords = 0xdd;
  for (unsigned i = 0; i < kWordChunks; ++i) {
    const Vector first(results[std::size_t{2} * i]);
    const Vector second(results[std::size_t{2} * i + 1]);
    const Vector low = e.fresh();
    e.vshufps(low, first, second, kLowWords);
    e.vshufps(second, first, second, kHighWords);
    e.write(places[0], i, low);
    e.write(places[1], i, second);
  }
  return true;
}

// --- conversions ---

// What the host converts otherwise: numbers beyond the greatest integer, for unsigned ones also negative numbers, and
// NaNs, which become 0.
bool emit_conversion_to_integer(HostEmitter& e, bool is_signed) {
  const Operation& operation = e.operation();
  constexpr std::uint32_t kTwoTo31 = 0x4f000000;
  constexpr std::uint32_t kGreatest = 0x7fffffff;
  constexpr std::uint8_t kAtLeast = 0x1d;
  constexpr std::uint8_t kNotAtLeast = 0x19;
  constexpr std::uint8_t kWithoutException = 8;
  const auto mode = static_cast<Integral>(operation.host_detail);
  const std::uint8_t rounding = mode == Integral::kNearest ? 0
                                : mode == Integral::kDown  ? 1
                                : mode == Integral::kUp    ? 2
                                                           : 3;
  map_chunks(e, kWordChunks, kWordBytes, operation.a, [&](const Vector& d, const Vector& a) {
    const Vector whole = e.fresh();
    e.vrndscaleps(whole, a, static_cast<std::uint8_t>(rounding | kWithoutException));
    if (is_signed) {
      e.vcvttps2dq(d, whole);
      e.vcmpps(e.k5, whole, e.constant(kTwoTo31, kWordBytes), kAtLeast);
      e.vpbroadcastd(d | e.k5, e.constant_word(kGreatest));
      e.vcmpps(e.k5, whole, whole, kEitherIsNan);
    } else {
      e.vcvttps2udq(d, whole);
      e.vcmpps(e.k5, whole, e.constant(0, kWordBytes), kNotAtLeast);
    }
    e.vpxord(whole, whole, whole);
    e.vmovdqa32(d | e.k5, whole);
    e.release(whole);
  });
  return true;
}

bool emit_conversion(HostEmitter& e, bool is_signed) {
  const Operation& operation = e.operation();
  if (!is_to_nearest(operation.variant)) {
    return false;
  }
  map_chunks(e, kWordChunks, kWordBytes, operation.a, [&](const Vector& d, const Vector& a) {
    if (is_signed) {
      e.vcvtdq2ps(d, a);
    } else {
      e.vcvtudq2ps(d, a);
    }
  });
  return true;
}

}  // namespace

bool emit_float(HostEmitter& e) {
  switch (e.operation().form) {
    case HostForm::kFloatAdd:
      return emit_two(e, [&](auto d, auto a, auto b) { e.vaddps(d, a, b); });
    case HostForm::kFloatSubtract:
      return emit_two(e, [&](auto d, auto a, auto b) { e.vsubps(d, a, b); });
    case HostForm::kFloatMultiply:
      return emit_two(e, [&](auto d, auto a, auto b) { e.vmulps(d, a, b); });
    case HostForm::kFloatMultiplyAdd:
      return emit_multiply_add(e);
    case HostForm::kFloatMultiplyAddSigned:
      return emit_multiply_add_signed(e);
    case HostForm::kFloatMinimum:
      return emit_extreme(e, false);
    case HostForm::kFloatMaximum:
      return emit_extreme(e, true);
    case HostForm::kSignedOfFloat:
      return emit_conversion_to_integer(e, true);
    case HostForm::kUnsignedOfFloat:
      return emit_conversion_to_integer(e, false);
    case HostForm::kFloatOfSigned:
      return emit_conversion(e, true);
    case HostForm::kFloatOfUnsigned:
      return emit_conversion(e, false);
    default:
      return false;
  }
}

bool emit_double(HostEmitter& e) {
  const Operation& operation = e.operation();
  const auto read = [&](OperandPlace place, unsigned i) { return e.read(place, i); };
  using Values = std::array<Vector, 3>;
  constexpr std::uint64_t kDoubleSign = 0x8000000000000000;
  const bool to_nearest = is_to_nearest(operation.variant);
  switch (operation.form) {
    case HostForm::kDoubleNegate:
      return emit_doubles(
          e, [&](unsigned i, auto d) { e.vpxorq(d, read(operation.a, i), e.constant(kDoubleSign, kWideBytes)); });
    case HostForm::kDoubleAbsolute:
      return emit_doubles(
          e, [&](unsigned i, auto d) { e.vpandq(d, read(operation.a, i), e.constant(~kDoubleSign, kWideBytes)); });
    case HostForm::kDoubleAdd:
      return to_nearest &&
             emit_doubles(e, [&](unsigned i, auto d) { e.vaddpd(d, read(operation.a, i), read(operation.b, i)); });
    case HostForm::kDoubleMultiply:
      return to_nearest &&
             emit_doubles(e, [&](unsigned i, auto d) { e.vmulpd(d, read(operation.a, i), read(operation.b, i)); });
    case HostForm::kDoubleMultiplyAdd:
      return to_nearest && emit_doubles(e, [&](unsigned i, auto d) {
               e.vmovdqa32(d, read(operation.c, i));
               e.vfmadd231pd(d, read(operation.a, i), read(operation.b, i));
             });
    case HostForm::kDoubleAddInWords:
      return emit_doubles_in_words(e, 2, [&](auto d, const Values& v) { e.vaddpd(d, v[0], v[1]); });
    case HostForm::kDoubleMultiplyInWords:
      return emit_doubles_in_words(e, 2, [&](auto d, const Values& v) { e.vmulpd(d, v[0], v[1]); });
    case HostForm::kDoubleMultiplyAddInWords:
      return emit_doubles_in_words(e, 3, [&](auto d, const Values& v) { e.vfmadd213pd(d, v[1], v[2]); });
    default:
      return false;
  }
}

}  // namespace warpsim
