#include "emulator/host_code/x86/written_marks.h"

#include "emulator/host_code/host_run.h"

namespace warpsim {

namespace {

constexpr std::uint32_t kWordIsWritten = 0x01010101;

}  // namespace

void WrittenMarks::check_row_is_written() {
  const Vector ones = e_.fresh();
  e_.mov(e_.rdx, e_.qword[e_.r11 + offsetof(SharedBytes, marks)]);
  e_.vpbroadcastd(ones, e_.constant_word(kWordIsWritten));
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
    e_.cmp(e_.dword[e_.rdx + e_.rax + word], kWordIsWritten);
    e_.jne(e_.slow_path());
  }
}

void WrittenMarks::mark_row() {
  const Vector ones = e_.fresh();
  e_.mov(e_.rdx, e_.qword[e_.r11 + offsetof(SharedBytes, marks)]);
  e_.vpbroadcastd(ones, e_.constant_word(kWordIsWritten));
  const std::size_t chunks = std::size_t{bytes_} * kWarpSize / HostEmitter::kChunkBytes;
  for (std::size_t i = 0; i < chunks; ++i) {
    e_.vmovdqu32(e_.ptr[e_.rdx + e_.rax + i * HostEmitter::kChunkBytes], ones);
  }
  e_.release(ones);
}

void WrittenMarks::check_is_written() {
  Xbyak::Label inside;
  Xbyak::Label outside;
  e_.prepare_lanes();
  jump_if_in_prefix(inside, outside);
  e_.L(outside);
  const Vector t = e_.fresh();
  const Vector ones = e_.fresh();
  e_.mov(e_.rdx, e_.qword[e_.r11 + offsetof(SharedBytes, marks)]);
  e_.vpbroadcastd(ones, e_.constant_word(kWordIsWritten));
  for (unsigned i = 0; i < kWordChunks; ++i) {
    for (std::uint32_t word = 0; word < bytes_; word += kWordBytes) {
      if (e_.is_masked()) {
        e_.kmovq(e_.k5, e_.lanes_of(i, kWordBytes));
      } else {
        e_.kxnorw(e_.k5, e_.k5, e_.k5);
      }
      e_.vmovdqa32(t, ones);
      e_.vpgatherdd(t | e_.k5, e_.ptr[e_.rdx + places_.of(i) + word]);
      e_.vpcmpud(e_.k5, t, ones, 4);
      e_.kortestw(e_.k5, e_.k5);
      e_.jnz(e_.slow_path());
    }
  }
  e_.release(t);
  e_.release(ones);
  e_.L(inside);
}

void WrittenMarks::mark() {
  Xbyak::Label inside;
  Xbyak::Label outside;
  e_.prepare_lanes();
  jump_if_in_prefix(inside, outside);
  e_.L(outside);
  const Vector ones = e_.fresh();
  e_.mov(e_.rdx, e_.qword[e_.r11 + offsetof(SharedBytes, marks)]);
  e_.vpbroadcastd(ones, e_.constant_word(kWordIsWritten));
  for (unsigned i = 0; i < kWordChunks; ++i) {
    for (std::uint32_t word = 0; word < bytes_; word += kWordBytes) {
      if (e_.is_masked()) {
        e_.kmovq(e_.k5, e_.lanes_of(i, kWordBytes));
      } else {
        e_.kxnorw(e_.k5, e_.k5, e_.k5);
      }
      e_.vpscatterdd(e_.ptr[e_.rdx + places_.of(i) + word] | e_.k5, ones);
    }
  }
  e_.release(ones);
  e_.L(inside);
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
