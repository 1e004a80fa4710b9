// Which bytes of a block's shared memory are written: loads of others are left to the handler, which warns of them;
// stores mark theirs.
#pragma once

#include "emulator/host_code/x86/access_places.h"

namespace warpsim {

class WrittenMarks {
 public:
  using Vector = HostEmitter::Vector;

  // `places` are found; they outlive this.
  WrittenMarks(HostEmitter& e, const AccessPlaces& places) : e_(e), places_(places), bytes_(places.bytes()) {}

  // rax: the place of the first lane.
  void check_row_is_written();
  // The same for one element of all lanes.
  void check_one_is_written();
  void mark_row();
  void check_is_written();
  // Leaves the operation to the handler if not all places are in the prefix that is known to be written.
  void leave_beyond_prefix();
  void mark();

 private:
  // Puts the address of the marks into rdx; returns those of written words.
  Vector load_marks();
  // emit(marks, ones) for each word of the accesses, with their lanes in k5; skipped if all are in the prefix.
  template <class Emit>
  void for_words_beyond_prefix(Emit emit);
  // Jumps if the places are all in the prefix that is known to be written.
  void jump_if_in_prefix(const Xbyak::Label& inside, const Xbyak::Label& outside);

  HostEmitter& e_;
  const AccessPlaces& places_;
  std::uint32_t bytes_;
};

}  // namespace warpsim
