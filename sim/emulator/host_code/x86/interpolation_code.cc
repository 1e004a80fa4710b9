#include "emulator/host_code/x86/interpolation_code.h"

#include <cstddef>

namespace warpsim {

namespace {

constexpr std::uint32_t kPieceWords = sizeof(InterpolationPiece) / kWordBytes;

}  // namespace

InterpolationCode::InterpolationCode(HostEmitter& e, const interpolated::Scale& scale, double unit)
    : e_(e), scale_(scale), unit_(unit), places_(e.fresh()), x_(e.fresh()), square_(e.fresh()) {}

void InterpolationCode::look_up(Pieces pieces) {
  find_words();
  gather(pieces);
}

void InterpolationCode::look_up(Pieces first, Pieces second) {
  const std::uint64_t distance = address_of(second) - address_of(first);
  find_words();
  e_.vpaddd(places_ | e_.k6, places_, e_.constant(static_cast<std::uint32_t>(distance / kWordBytes), kWordBytes));
  gather(first);
}

void InterpolationCode::sum_of(const Vector& sum, bool upper) {
  const Vector t = e_.fresh();
  const Vector factor = e_.fresh();
  to_doubles(sum, constant_, upper);
  scale(sum, 1U << interpolated::kConstantShift);
  e_.vaddpd(sum, sum, e_.constant_double(static_cast<double>(scale_.bias) * unit_));
  to_doubles(t, x_, upper);
  scale(t, 1U << scale_.linear);
  to_doubles(factor, linear_, upper);
  e_.vfmadd231pd(sum, t, factor);
  to_doubles(t, square_, upper);
  scale(t, 1U << scale_.square);
  to_doubles(factor, quadratic_, upper);
  e_.vfmadd231pd(sum, t, factor);
  e_.release(t);
  e_.release(factor);
}

void InterpolationCode::whole_sums(const Vector& d) {
  const Vector low = e_.fresh();
  const Vector high = e_.fresh();
  sum_of(low, false);
  sum_of(high, true);
  const Xbyak::Ymm upper(high.getIdx());
  e_.vcvttpd2dq(Xbyak::Ymm(low.getIdx()), low);
  e_.vcvttpd2dq(upper, high);
  e_.vinserti64x4(d, low, upper, 1);
  e_.release(low);
  e_.release(high);
}

void InterpolationCode::release() {
  for (const Vector& each : {places_, x_, square_, constant_, linear_, quadratic_}) {
    e_.release(each);
  }
}

void InterpolationCode::find_words() {
  static_assert(kPieceWords == 3);
  const Vector t = e_.fresh();
  e_.vpaddd(t, places_, places_);
  e_.vpaddd(places_, places_, t);
  e_.release(t);
}

void InterpolationCode::gather(Pieces pieces) {
  e_.mov(e_.rdx, address_of(pieces));
  const Vector* const parts[] = {&constant_, &linear_, &quadratic_};
  const std::size_t offsets[] = {offsetof(InterpolationPiece, constant), offsetof(InterpolationPiece, linear),
                                 offsetof(InterpolationPiece, square)};
  constant_ = e_.fresh();
  linear_ = e_.fresh();
  quadratic_ = e_.fresh();
  for (unsigned i = 0; i < kPieceWords; ++i) {
    e_.kxnorw(e_.k5, e_.k5, e_.k5);
    e_.vpxord(*parts[i], *parts[i], *parts[i]);
    e_.vpgatherdd(*parts[i] | e_.k5, e_.ptr[e_.rdx + places_ * kWordBytes + offsets[i]]);
  }
  square_x();
}

void InterpolationCode::square_x() {
  constexpr unsigned kLowest = 19;
  constexpr unsigned kFirstBit = 10;
  const Vector t = e_.fresh();
  e_.vpxord(square_, square_, square_);
  for (unsigned bit = kFirstBit; bit < interpolated::kSourceBits; ++bit) {
    e_.vptestmd(e_.k5, x_, e_.constant(1U << bit, kWordBytes));
    e_.vpandd(t, x_, e_.constant((1U << bit) - 1, kWordBytes));
    e_.vpsrld(t, t, static_cast<std::uint8_t>(kLowest - 1 - bit));
    e_.vpaddd(t, t, e_.constant(1U << (2 * bit - kLowest), kWordBytes));
    e_.vpaddd(square_ | e_.k5, square_, t);
  }
  e_.release(t);
}

void InterpolationCode::to_doubles(const Vector& d, const Vector& words, bool upper) {
  const Xbyak::Ymm half(d.getIdx());
  if (upper) {
    e_.vextracti64x4(half, words, 1);
  }
  e_.vcvtdq2pd(d, upper ? half : Xbyak::Ymm(words.getIdx()));
}

void InterpolationCode::scale(const Vector& d, unsigned factor) {
  e_.vmulpd(d, d, e_.constant_double(factor * unit_));
}

}  // namespace warpsim
