// Arithmetic of pairs of halves, and conversions of halves and bfloat16. Sums and products are formed in single
// precision, which has more than twice the digits, so that rounding twice equals rounding once; of multiply-adds the
// product is exact, and the sum is rounded to odd.
#include "emulator/host_code/x86/forms.h"
#include "emulator/numbers/half_float.h"

namespace warpsim {

namespace {

using Vector = HostEmitter::Vector;

constexpr std::uint8_t kHalfBits = 16;

// The lower or upper halves of a chunk in single precision.
void widen_halves(HostEmitter& e, const Vector& d, const Vector& pairs, bool upper) {
  const Xbyak::Ymm halves(d.getIdx());
  if (upper) {
    e.vpsrld(d, pairs, kHalfBits);
    e.vpmovdw(halves, d);
  } else {
    e.vpmovdw(halves, pairs);
  }
  e.vcvtph2ps(d, halves);
}

// Back to halves, one in each word; those that are no number become the one NaN.
void narrow_to_halves(HostEmitter& e, const Vector& d) {
  constexpr std::uint8_t kToNearest = 0;
  const Xbyak::Ymm halves(d.getIdx());
  make_canonical(e, d);
  e.vcvtps2ph(halves, d, kToNearest);
  e.vpmovzxwd(d, halves);
}

// d = a * b + c, rounded towards 0, with the last bit set if it is not exact.
void multiply_add_to_odd(HostEmitter& e, const Vector& d, const std::array<Vector, 3>& sources) {
  constexpr std::uint8_t kLessOrGreater = 0x0c;  // false for NaNs, which infinite sources make of the differences
  const Vector product = e.fresh();
  const Vector difference = e.fresh();
  const Vector& c = sources[2];
  e.vmulps(product, sources[0], sources[1]);
  e.vaddps(d, product, c | e.T_rz_sae);
  // Exact only if both differences give the other source.
  e.vsubps(difference, d, product);
  e.vcmpps(e.k5, difference, c, kLessOrGreater);
  e.vsubps(difference, d, c);
  e.vcmpps(e.k6, difference, product, kLessOrGreater);
  e.korw(e.k5, e.k5, e.k6);
  e.vpord(d | e.k5, d, e.constant(1, kWordBytes));
  e.release(product);
  e.release(difference);
}

template <class Compute>
void map_halves(HostEmitter& e, unsigned sources, Compute compute) {
  const Operation& operation = e.operation();
  const OperandPlace places[] = {operation.a, operation.b, operation.c};
  for (unsigned i = 0; i < kWordChunks; ++i) {
    const Vector results[] = {e.fresh(), e.fresh()};
    for (const bool upper : {false, true}) {
      const Vector& result = results[upper ? 1 : 0];
      std::array<Vector, 3> values;
      for (unsigned source = 0; source < sources; ++source) {
        values[source] = e.fresh();
        widen_halves(e, values[source], e.read(places[source], i), upper);
      }
      compute(result, values);
      narrow_to_halves(e, result);
      for (unsigned source = 0; source < sources; ++source) {
        e.release(values[source]);
      }
    }
    e.vpslld(results[1], results[1], kHalfBits);
    e.vpord(results[0], results[0], results[1]);
    e.write(operation.d, i, results[0]);
  }
}

void widen_half(HostEmitter& e, const Vector& d, const Vector& a) {
  widen_halves(e, d, a, false);
  make_canonical(e, d);
}

void narrow_to_half(HostEmitter& e, const Vector& d, const Vector& a) {
  e.vmovdqa32(d, a);
  narrow_to_halves(e, d);
}

void widen_brain(HostEmitter& e, const Vector& d, const Vector& a) {
  e.vpslld(d, a, kHalfBits);
}

// The upper half, rounded to even; of NaNs the one NaN.
void narrow_to_brain(HostEmitter& e, const Vector& d, const Vector& a) {
  constexpr std::uint32_t kBelowHalf = 0x7fff;
  e.vpsrld(d, a, kHalfBits);
  e.vpandd(d, d, e.constant(1, kWordBytes));
  e.vpaddd(d, d, a);
  e.vpaddd(d, d, e.constant(kBelowHalf, kWordBytes));
  e.vpsrld(d, d, kHalfBits);
  e.vcmpps(e.k5, a, a, kEitherIsNan);
  e.vpbroadcastd(d | e.k5, e.constant_word(kHalfNan));
}

using Convert = void (*)(HostEmitter& e, const Vector& d, const Vector& a);

bool convert(HostEmitter& e, Convert conversion) {
  map_chunks(e, kWordChunks, kWordBytes, e.operation().a,
             [&](const Vector& d, const Vector& a) { conversion(e, d, a); });
  return true;
}

bool join(HostEmitter& e, Convert conversion) {
  map_chunks(e, kWordChunks, kWordBytes, e.operation().a, e.operation().b,
             [&](const Vector& d, const Vector& a, const Vector& b) {
               const Vector upper = e.fresh();
               conversion(e, upper, a);
               conversion(e, d, b);
               e.vpslld(upper, upper, kHalfBits);
               e.vpord(d, d, upper);
               e.release(upper);
             });
  return true;
}

}  // namespace

bool emit_halves(HostEmitter& e) {
  using Values = std::array<Vector, 3>;
  switch (e.operation().form) {
    case HostForm::kHalvesAdd:
      map_halves(e, 2, [&](const Vector& d, const Values& v) { e.vaddps(d, v[0], v[1]); });
      return true;
    case HostForm::kHalvesSubtract:
      map_halves(e, 2, [&](const Vector& d, const Values& v) { e.vsubps(d, v[0], v[1]); });
      return true;
    case HostForm::kHalvesMultiply:
      map_halves(e, 2, [&](const Vector& d, const Values& v) { e.vmulps(d, v[0], v[1]); });
      return true;
    case HostForm::kHalvesMultiplyAdd:
      map_halves(e, 3, [&](const Vector& d, const Values& v) { multiply_add_to_odd(e, d, v); });
      return true;
    case HostForm::kFloatOfHalf:
      return convert(e, widen_half);
    case HostForm::kHalfOfFloat:
      return convert(e, narrow_to_half);
    case HostForm::kHalvesOfFloats:
      return join(e, narrow_to_half);
    case HostForm::kFloatOfBrain:
      return convert(e, widen_brain);
    case HostForm::kBrainOfFloat:
      return convert(e, narrow_to_brain);
    case HostForm::kBrainsOfFloats:
      return join(e, narrow_to_brain);
    default:
      return false;
  }
}

}  // namespace warpsim
