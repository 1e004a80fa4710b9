// The special function unit for single precision (numbers/interpolated_functions.h), with the sums of its polynomials
// in double precision, in which they are exact. Sources whose result is special, subnormal or not a number of the usual
// range are left to the handler.
#include <bit>

#include "emulator/host_code/x86/interpolation_code.h"
#include "emulator/numbers/float_rounding.h"
#include "emulator/numbers/interpolated_lanes.h"
#include "emulator/numbers/interpolation_table.h"

namespace warpsim {

namespace {

using interpolated::kFractionBits;
using interpolated::kFractionMask;
using interpolated::kSourceBits;
using interpolated::Scale;
using Vector = HostEmitter::Vector;
using Pieces = InterpolationCode::Pieces;

constexpr std::uint32_t kLeastNormal = 0x00800000;
constexpr std::uint32_t kSourceMask = (1U << kSourceBits) - 1;
constexpr unsigned kSingleBias = 127;

constexpr double kWholeUnit = 1.0 / (1U << interpolated::kUnitBits);

class SpecialFunction {
 public:
  explicit SpecialFunction(HostEmitter& e) : e_(e), operation_(e.operation()) {}

  // compute(d, a) sets d for a chunk of sources, all of which are computed before the first result is written.
  template <class Compute>
  bool emit(Compute compute) {
    std::array<int, kWordChunks> results{};
    for (chunk_ = 0; chunk_ < kWordChunks; ++chunk_) {
      const Vector d = e_.fresh();
      compute(d, e_.read(operation_.a, chunk_));
      results[chunk_] = d.getIdx();
    }
    for (unsigned i = 0; i < kWordChunks; ++i) {
      e_.write(operation_.d, i, Vector(results[i]));
    }
    return true;
  }

  void reciprocal(const Vector& d, const Vector& a) {
    constexpr std::uint32_t kLargest = 0x7e800000;  // 2^126: of larger ones the result is subnormal
    constexpr std::uint8_t kPieceShift = 16;
    const Vector t = e_.fresh();
    e_.vpandd(t, a, e_.constant(~kSingleSign, kWordBytes));
    leave_outside(t, kLeastNormal, kLargest);
    InterpolationCode sum(e_, interpolated::kReciprocalScale, kWholeUnit);
    e_.vpsrld(sum.piece(), a, kPieceShift);
    e_.vpandd(sum.piece(), sum.piece(), e_.constant((1U << (kFractionBits - kPieceShift)) - 1, kWordBytes));
    e_.vpandd(sum.x(), a, e_.constant((1U << kPieceShift) - 1, kWordBytes));
    e_.vpaddd(sum.x(), sum.x(), sum.x());
    sum.look_up(kReciprocalPieces);
    sum.whole_sums(d);
    sum.release();
    // Times 2^(-24 - exponent), by its exponent field.
    e_.vcvtdq2ps(d, d);
    e_.vpandd(t, a, e_.constant(kSingleExponent, kWordBytes));
    e_.vpsubd(d, d, t);
    e_.vpaddd(d, d, e_.constant((kSingleBias - 24) << kFractionBits, kWordBytes));
    e_.vpandd(t, a, e_.constant(kSingleSign, kWordBytes));
    e_.vpord(d, d, t);
    e_.release(t);
  }

  // As a number of [1, 4) and an even exponent, half of which goes to `half`.
  void root(const Vector& d, const Vector& a) {
    const Vector half = e_.fresh();
    root_sum(d, a, half, interpolated::kRootScale, kRootPieces, kRootPiecesOfDoubled);
    e_.vcvtdq2ps(d, d);
    e_.vpaddd(half, half, e_.constant(0U - kFractionBits, kWordBytes));
    e_.vpslld(half, half, kFractionBits);
    e_.vpaddd(d, d, half);
    e_.release(half);
  }
  void reciprocal_root(const Vector& d, const Vector& a) {
    constexpr std::uint32_t kOne = 1U << 24U;
    constexpr std::uint32_t kOddAndFraction = kFractionMask | kLeastNormal;  // the odd stored exponent: an even one
    const Vector half = e_.fresh();
    const Vector t = e_.fresh();
    root_sum(d, a, half, interpolated::kRootReciprocalScale, kRootReciprocalPieces, kRootReciprocalPiecesOfDoubled);
    e_.vpandd(t, a, e_.constant(kOddAndFraction, kWordBytes));
    e_.vpcmpeqd(e_.k5, t, e_.constant(kLeastNormal, kWordBytes));
    e_.vpbroadcastd(d | e_.k5, e_.constant_word(kOne));
    e_.vcvtdq2ps(d, d);
    e_.vpaddd(half, half, e_.constant(24, kWordBytes));
    e_.vpslld(half, half, kFractionBits);
    e_.vpsubd(d, d, half);
    e_.release(half);
    e_.release(t);
  }

  void power(const Vector& d, const Vector& a) {
    constexpr auto kUnits = std::bit_cast<std::uint32_t>(0x1p23F);
    const Vector t = e_.fresh();
    const Vector fixed = e_.fresh();
    e_.vpandd(t, a, e_.constant(~kSingleSign, kWordBytes));
    leave_outside(t, 0, interpolated::Powers::kBound - 1);
    e_.vmulps(t, t, e_.constant(kUnits, kWordBytes));
    e_.vcvttps2dq(fixed, t);
    // Negative numbers are complemented bit by bit, unless they are whole.
    e_.vpmovd2m(e_.k6, a);
    e_.vptestmd(e_.k5 | e_.k6, fixed, e_.constant(kFractionMask, kWordBytes));
    e_.vpxord(t, t, t);
    e_.vpsubd(fixed | e_.k6, t, fixed);
    e_.vpsubd(fixed | e_.k5, fixed, e_.constant(1, kWordBytes));
    InterpolationCode sum(e_, interpolated::kPowerScale, kWholeUnit);
    take_fraction(sum, fixed);
    sum.look_up(kPowerPieces);
    sum.whole_sums(d);
    sum.release();
    e_.vcvtdq2ps(d, d);
    e_.vpandd(fixed, fixed, e_.constant(~kFractionMask, kWordBytes));
    e_.vpaddd(d, d, fixed);
    e_.vpsubd(d, d, e_.constant(std::uint32_t{kFractionBits} << kFractionBits, kWordBytes));
    e_.release(t);
    e_.release(fixed);
  }

  // The polynomial is 1 and the logarithm's fraction in units of 2^-40, of which 36 bits are kept. Negative sums are
  // complemented bit by bit; all are truncated to single precision.
  void logarithm(const Vector& d, const Vector& a) {
    constexpr std::uint32_t kOne = 0x3f800000;
    constexpr double kUnit = 1.0 / 16;
    constexpr double kSumUnit = 0x1p-36;
    const Vector t = e_.fresh();
    leave_outside(a, kLeastNormal, kSingleExponent - 1);
    leave_if([&](const auto& k) { e_.vpcmpeqd(k, a, e_.constant(kOne, kWordBytes)); });
    InterpolationCode sum(e_, interpolated::kLogarithmScale, kUnit);
    e_.vpandd(t, a, e_.constant(kFractionMask, kWordBytes));
    take_fraction(sum, t);
    sum.look_up(kLogarithmPieces);
    e_.vpsrld(t, a, kFractionBits);
    e_.vpsubd(t, t, e_.constant(kSingleBias + 2, kWordBytes));  // the polynomial's 1 counts twice
    std::array<int, 2> halves{};
    for (unsigned i = 0; i < 2; ++i) {
      constexpr std::uint8_t kDown = 9;  // without exception
      const Vector part = e_.fresh();
      const Vector exponent = e_.fresh();
      sum.sum_of(part, i != 0);
      e_.vrndscalepd(part, part, kDown);
      const Xbyak::Ymm words(exponent.getIdx());
      e_.vextracti64x4(words, t, static_cast<std::uint8_t>(i));
      e_.vcvtdq2pd(exponent, words);
      e_.vfmadd231pd(part, exponent, e_.constant_double(1 / kSumUnit));
      // -sum - 1 of a negative sum.
      e_.vpmovq2m(e_.k5, part);
      e_.vaddpd(part | e_.k5, part, e_.constant_double(1.0));
      e_.vmulpd(part, part, e_.constant_double(kSumUnit));
      e_.vcvtpd2ps(words, part | e_.T_rz_sae);
      e_.vpord(words | e_.k5, words, e_.constant(kSingleSign, kWordBytes));  // -1 has become 0
      e_.release(part);
      halves[i] = exponent.getIdx();
    }
    e_.vinserti64x4(d, Vector(halves[0]), Xbyak::Ymm(halves[1]), 1);
    for (const int half : halves) {
      e_.release(Vector(half));
    }
    sum.release();
    e_.release(t);
  }

  // Of angles in revolutions; of a cosine the next quadrant of the magnitude.
  void sine(const Vector& d, const Vector& a, bool is_cosine) {
    constexpr std::uint32_t kBound = 0x42800000;  // 64: the angle below is one of 31 bits
    constexpr auto kUnits = std::bit_cast<std::uint32_t>(0x1p25F);
    constexpr double kSumUnit = 0x1p-42;
    const Vector t = e_.fresh();
    const Vector angle = e_.fresh();
    const Vector sign = e_.fresh();
    e_.vpandd(t, a, e_.constant(~kSingleSign, kWordBytes));
    leave_outside(t, 0, kBound - 1);
    e_.vmulps(t, t, e_.constant(kUnits, kWordBytes));
    e_.vcvttps2dq(angle, t);
    if (is_cosine) {
      e_.vpaddd(angle, angle, e_.constant(kLeastNormal, kWordBytes));
    }
    // The second and fourth quadrants fall, the upper two are negative.
    e_.vptestmd(e_.k6, angle, e_.constant(kLeastNormal, kWordBytes));
    e_.vpslld(sign, angle, 31 - kFractionBits - 1);
    if (!is_cosine) {
      e_.vpxord(sign, sign, a);
    }
    e_.vpandd(sign, sign, e_.constant(kSingleSign, kWordBytes));
    e_.vpternlogd(angle | e_.k6, angle, angle, 0x55);
    InterpolationCode sum(e_, interpolated::kSineScale, kSumUnit);
    take_fraction(sum, angle);
    sum.look_up(kSinePieces);
    const Vector high = e_.fresh();
    sum.sum_of(t, false);
    sum.sum_of(high, true);
    e_.vcvtpd2ps(Xbyak::Ymm(t.getIdx()), t | e_.T_rz_sae);
    e_.vcvtpd2ps(Xbyak::Ymm(high.getIdx()), high | e_.T_rz_sae);
    e_.vinserti64x4(d, t, Xbyak::Ymm(high.getIdx()), 1);
    e_.vpord(d, d, sign);
    sum.release();
    for (const Vector& done : {t, angle, sign, high}) {
      e_.release(done);
    }
  }

 private:
  // The handler executes the operation if a lane of the chunk is in k5, which compare(k5) sets.
  template <class Compare>
  void leave_if(Compare compare) {
    if (e_.is_masked()) {
      compare(e_.k5 | e_.lanes_of(chunk_, kWordBytes));
    } else {
      compare(e_.k5);
    }
    e_.kortestw(e_.k5, e_.k5);
    e_.jnz(e_.slow_path());
  }
  // Bits of values below `least` or above `most`.
  void leave_outside(const Vector& values, std::uint32_t least, std::uint32_t most) {
    constexpr std::uint8_t kAbove = 6;
    const Vector t = e_.fresh();
    e_.vpsubd(t, values, e_.constant(least, kWordBytes));
    leave_if([&](const auto& k) { e_.vpcmpud(k, t, e_.constant(most - least, kWordBytes), kAbove); });
    e_.release(t);
  }

  // 64 pieces by the upper bits of 23.
  void take_fraction(const InterpolationCode& sum, const Vector& fraction) {
    constexpr std::uint32_t kPlaceMask = (1U << (kFractionBits - kSourceBits)) - 1;
    e_.vpsrld(sum.piece(), fraction, kSourceBits);
    e_.vpandd(sum.piece(), sum.piece(), e_.constant(kPlaceMask, kWordBytes));
    e_.vpandd(sum.x(), fraction, e_.constant(kSourceMask, kWordBytes));
  }

  void root_sum(const Vector& d, const Vector& a, const Vector& half, const Scale& scale, Pieces even, Pieces odd) {
    leave_outside(a, kLeastNormal, kSingleExponent - 1);
    InterpolationCode sum(e_, scale, kWholeUnit);
    take_fraction(sum, a);
    // Exponents are stored with an odd number added: half = floor((stored - 127) / 2).
    e_.vptestnmd(e_.k6, a, e_.constant(kLeastNormal, kWordBytes));
    e_.vpsrld(half, a, kFractionBits);
    e_.vpsubd(half, half, e_.constant(kSingleBias, kWordBytes));
    e_.vpsrad(half, half, 1);
    sum.look_up(even, odd);
    sum.whole_sums(d);
    sum.release();
  }

  HostEmitter& e_;
  const Operation& operation_;
  unsigned chunk_ = 0;
};

// Whether a quotient needs more than one division step, by the exponents of both (operations_machine_warp.cc).
bool check_quotient(HostEmitter& e) {
  const Operation& operation = e.operation();
  constexpr std::uint8_t kAbove = 6;
  struct Range {
    std::uint32_t least;
    std::uint32_t most;
  };
  constexpr Range kDividend{25, 254};
  constexpr Range kDivisor{2, 251};
  constexpr Range kDifference{static_cast<std::uint32_t>(-124), 126};
  const HostEmitter::Mask masks[] = {e.k3, e.k4};
  for (unsigned i = 0; i < kWordChunks; ++i) {
    const Vector a = e.fresh();
    const Vector b = e.fresh();
    const Vector t = e.fresh();
    const auto exponent = [&](const Vector& d, const Vector& source) {
      e.vpsrld(d, source, kFractionBits);
      e.vpandd(d, d, e.constant(0xff, kWordBytes));
    };
    const auto outside = [&](const HostEmitter::Mask& k, const Vector& value, const Range& range) {
      e.vpsubd(t, value, e.constant(range.least, kWordBytes));
      e.vpcmpud(k, t, e.constant(range.most - range.least, kWordBytes), kAbove);
    };
    exponent(a, e.read(operation.a, i));
    exponent(b, e.read(operation.b, i));
    outside(masks[i], a, kDividend);
    outside(e.k5, b, kDivisor);
    e.korw(masks[i], masks[i], e.k5);
    e.vpsubd(a, a, b);
    outside(e.k5, a, kDifference);
    e.korw(masks[i], masks[i], e.k5);
  }
  e.join_masks(kWordChunks);
  e.write_predicate(operation.d, e.eax);
  return true;
}

}  // namespace

bool emit_special_function(HostEmitter& e) {
  SpecialFunction function(e);
  switch (e.operation().form) {
    case HostForm::kReciprocal:
      return function.emit([&](const auto& d, const auto& a) { function.reciprocal(d, a); });
    case HostForm::kRoot:
      return function.emit([&](const auto& d, const auto& a) { function.root(d, a); });
    case HostForm::kReciprocalRoot:
      return function.emit([&](const auto& d, const auto& a) { function.reciprocal_root(d, a); });
    case HostForm::kPower:
      return function.emit([&](const auto& d, const auto& a) { function.power(d, a); });
    case HostForm::kLogarithm:
      return function.emit([&](const auto& d, const auto& a) { function.logarithm(d, a); });
    case HostForm::kSine:
      return function.emit([&](const auto& d, const auto& a) { function.sine(d, a, false); });
    case HostForm::kCosine:
      return function.emit([&](const auto& d, const auto& a) { function.sine(d, a, true); });
    case HostForm::kCheckQuotient:
      return check_quotient(e);
    default:
      return false;
  }
}

}  // namespace warpsim
