// The host's instructions for the polynomials of the special function unit (numbers/interpolated_lanes.h), for a chunk
// of 16 lanes. Their sums are formed in double precision, in which they are exact.
#pragma once

#include <cstdint>
#include <span>

#include "emulator/host_code/x86/forms.h"
#include "emulator/numbers/interpolated_lanes.h"
#include "emulator/numbers/interpolation_table.h"

namespace warpsim {

class InterpolationCode {
 public:
  using Vector = HostEmitter::Vector;
  using Pieces = std::span<const InterpolationPiece>;

  // `unit`: in which sums are stated, in that of the tables.
  InterpolationCode(HostEmitter& e, const interpolated::Scale& scale, double unit);

  // To be set before a table is looked up: the numbers of the pieces, and the places in them.
  const Vector& piece() const { return places_; }
  const Vector& x() const { return x_; }

  void look_up(Pieces pieces);
  // The same; lanes in k6 have pieces of the second table.
  void look_up(Pieces first, Pieces second);

  // The sums of the lower or the upper 8 lanes, into `sum`.
  void sum_of(const Vector& sum, bool upper);
  // The sums of all lanes as whole numbers, rounded down; they are not negative.
  void whole_sums(const Vector& d);

  // Frees its registers.
  void release();

 private:
  static std::uint64_t address_of(Pieces pieces) { return reinterpret_cast<std::uint64_t>(pieces.data()); }

  // Pieces have several words.
  void find_words();
  void gather(Pieces pieces);
  // interpolated::sum_of_products, bit by bit of x.
  void square_x();
  void to_doubles(const Vector& d, const Vector& words, bool upper);
  void scale(const Vector& d, unsigned factor);

  HostEmitter& e_;
  interpolated::Scale scale_;
  double unit_;
  Vector places_;
  Vector x_;
  Vector square_;
  Vector constant_;
  Vector linear_;
  Vector quadratic_;
};

}  // namespace warpsim
