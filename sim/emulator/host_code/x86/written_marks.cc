#include "emulator/host_code/x86/written_marks.h"

#include "emulator/host_code/host_run.h"

namespace warpsim {

HostEmitter::Vector WrittenMarks::load_marks() {
  const Vector ones = e_.fresh();
  e_.mov(e_.rdx, e_.qword[e_.r11 + offsetof(SharedBytes, marks)]);
  e_.vpbroadcastd(ones, e_.constant_word(SharedBytes::kWordIsWritten));
  return ones;
}

template <class Emit>
void WrittenMarks::for_words_beyond_prefix(Emit emit) {
  Xbyak::Label inside;
  Xbyak::Label outside;
  e_.prepare_lanes();
  jump_if_in_prefix(inside, outside);
  e_.L(outside);
  const Vector ones = load_marks();
  for (unsigned i = 0; i < kWordChunks; ++i) {
    for (std::uint32_t word = 0; word < bytes_; word += kWordBytes) {
      e_.set_lanes(e_.k5, i, kWordBytes);
      emit(e_.ptr[e_.rdx + places_.of(i) + word], ones);
    }
  }
  e_.release(ones);
  e_.L(inside);
}

void WrittenMarks::check_row_is_written() {
  const Vector ones = load_marks();
  const std::size_t chunks = std::size_t{bytes_} * kWarpSize / HostEmitter::kChunkBytes;
  for (std::size_t i = 0; i < chunks; ++i) {
    e_.vpcmpud(e_.k5, ones, e_.ptr[e_.rdx + e_.rax + i * HostEmitter::kChunkBytes], 0);
    e_.kortestw(e_.k5, e_.k5);
    e_.jae(e_.slow_path());
  }
  e_.release(ones);
}

void WrittenMarks::check_one_is_written() {
  e_.mov(e_.rdx, e_.qword[e_.r11 + offsetof(SharedBytes, marks)]);
  for (std::uint32_t word = 0; word < bytes_; word += kWordBytes) {
    e_.cmp(e_.dword[e_.rdx + e_.rax + word], SharedBytes::kWordIsWritten);
    e_.jne(e_.slow_path());
  }
}

void WrittenMarks::mark_row() {
  const Vector ones = load_marks();
  const std::size_t chunks = std::size_t{bytes_} * kWarpSize / HostEmitter::kChunkBytes;
  for (std::size_t i = 0; i < chunks; ++i) {
    e_.vmovdqu32(e_.ptr[e_.rdx + e_.rax + i * HostEmitter::kChunkBytes], ones);
  }
  if (chunks == 0) {  // of bytes
    e_.vmovdqu32(e_.ptr[e_.rdx + e_.rax], Xbyak::Ymm(ones.getIdx()));
  }
  e_.release(ones);
}

void WrittenMarks::check_is_written() {
  const Vector t = e_.fresh();
  for_words_beyond_prefix([&](const Xbyak::Address& marks, const Vector& ones) {
    e_.vmovdqa32(t, ones);
    e_.vpgatherdd(t | e_.k5, marks);
    e_.vpcmpud(e_.k5, t, ones, 4);
    e_.kortestw(e_.k5, e_.k5);
    e_.jnz(e_.slow_path());
  });
  e_.release(t);
}

void WrittenMarks::leave_beyond_prefix() {
  Xbyak::Label inside;
  e_.prepare_lanes();
  jump_if_in_prefix(inside, e_.slow_path());
  e_.jmp(e_.slow_path());
  e_.L(inside);
}

void WrittenMarks::mark() {
  for_words_beyond_prefix(
      [&](const Xbyak::Address& marks, const Vector& ones) { e_.vpscatterdd(marks | e_.k5, ones); });
}

void WrittenMarks::jump_if_in_prefix(const Xbyak::Label& inside, const Xbyak::Label& outside) {
  const Vector last = e_.fresh();
  e_.mov(e_.eax, e_.dword[e_.r11 + offsetof(SharedBytes, written_prefix)]);
  e_.sub(e_.eax, bytes_);
  e_.jc(outside);
  e_.vpbroadcastd(last, e_.eax);
  for (unsigned i = 0; i < kWordChunks; ++i) {
    const HostEmitter::Mask k = i == 0 ? e_.k5 : e_.k6;
    if (e_.is_masked()) {
      e_.vpcmpud(k | e_.lanes_of(i, kWordBytes), places_.of(i), last, 6);  // beyond
    } else {
      e_.vpcmpud(k, places_.of(i), last, 6);
    }
  }
  e_.kortestw(e_.k5, e_.k6);
  e_.jz(inside);
  e_.release(last);
}

}  // namespace warpsim
