// The places of an access of a warp's lanes: distances from the begin of the operation's window (host_run.h), or of the
// block's own shared memory, one of 32 bits per lane. Whatever else an access may be, faults included, is left to the
// handler.
#pragma once

#include <array>
#include <cstdint>

#include "emulator/host_code/x86/forms.h"

namespace warpsim {

// Registers of the host: r10 the base of the places, r11 the window or the shared memory.
class AccessPlaces {
 public:
  using Vector = HostEmitter::Vector;

  // Of the emitter's operation.
  explicit AccessPlaces(HostEmitter& e);

  // Whether the operation is an access that can be found so.
  bool is_known() const;
  bool is_shared() const { return shared_; }
  // Whether lanes may access consecutive elements, or one.
  bool may_be_row() const { return !local_; }
  std::uint32_t bytes() const { return bytes_; }   // of the access of a lane
  std::int32_t window() const { return window_; }  // of the operation; negative for shared memory
  Vector of(unsigned chunk) const { return Vector(places_[chunk]); }

  // Sets the places, or leaves the operation to the handler.
  void find();
  // Jumps if not all lanes access elements that follow each other: `bytes_` apart. Otherwise rax is the first place.
  void jump_if_no_row(const Xbyak::Label& elsewhere);
  // The same for one element of all lanes.
  void jump_if_not_one(const Xbyak::Label& elsewhere);

 private:
  // k5: whether the places of a chunk's lanes are right, after the operation's lanes were chosen.
  void leave_unless_all(unsigned chunk);
  template <class Compare>
  void compare_first(unsigned chunk, Compare compare);
  void check_alignment(const Vector& places);
  // k5: the lanes that take part, after a comparison of all lanes.
  void take_part(unsigned chunk);
  void find_shared();
  void find_local();
  // The addresses of a chunk's lanes in their local memory, in words; k5: those that are in it.
  void find_local_words(unsigned chunk, const Vector& address);
  void find_local_wides(unsigned chunk, const Vector& address);
  void find_global();
  void find_pairs();
  // Distances of 64 bits: those of lanes in the window fit 31.
  void find_wides();

  HostEmitter& e_;
  const Operation& operation_;
  std::uint32_t bytes_;
  bool shared_;
  bool local_;
  std::int32_t window_ = -1;
  std::array<int, kWordChunks> places_{};  // vector registers
};

}  // namespace warpsim
