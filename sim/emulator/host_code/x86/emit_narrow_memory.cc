// Loads and stores of one element of 1 or 2 bytes per lane.
#include "emulator/host_code/host_run.h"
#include "emulator/host_code/x86/access_places.h"
#include "emulator/host_code/x86/forms.h"
#include "emulator/host_code/x86/written_marks.h"

namespace warpsim {

namespace {

using Vector = HostEmitter::Vector;

class NarrowAccess {
 public:
  explicit NarrowAccess(HostEmitter& e)
      : e_(e), operation_(e.operation()), element_(operation_.bytes), places_(e), marks_(e, places_) {}

  bool is_known() const { return places_.is_known(); }
  void find() { places_.find(); }

  void load(bool is_signed) {
    const Vector values[] = {e_.fresh(), e_.fresh()};
    Xbyak::Label no_row;
    Xbyak::Label loaded;
    if (places_.is_shared()) {
      marks_.leave_beyond_prefix();
    }
    if (!e_.is_masked() && places_.may_be_row()) {
      places_.jump_if_no_row(no_row);
      for (unsigned i = 0; i < kWordChunks; ++i) {
        extend(values[i], e_.ptr[e_.r10 + e_.rax + std::size_t{i} * kLanes * element_], is_signed);
      }
      e_.jmp(loaded);
    }
    e_.L(no_row);
    e_.test(e_.r10d, kInWord);
    e_.jnz(e_.slow_path(places_.window()));
    for (unsigned i = 0; i < kWordChunks; ++i) {
      gather(values[i], i, is_signed);
    }
    e_.L(loaded);
    for (unsigned i = 0; i < kWordChunks; ++i) {
      e_.write(e_.list()[0], i, values[i]);
    }
  }

  void store() {
    Xbyak::Label scattered;
    Xbyak::Label stored;
    const Vector values[] = {e_.read(e_.list()[0], 0), e_.read(e_.list()[0], 1)};
    if (!e_.is_masked() && places_.may_be_row()) {
      places_.jump_if_no_row(scattered);
      for (unsigned i = 0; i < kWordChunks; ++i) {
        const auto place = e_.ptr[e_.r10 + e_.rax + std::size_t{i} * kLanes * element_];
        if (element_ == 1) {
          e_.vpmovdb(place, values[i]);
        } else {
          e_.vpmovdw(place, values[i]);
        }
      }
      if (places_.is_shared()) {
        marks_.mark_row();
      }
      e_.jmp(stored);
    }
    e_.L(scattered);
    scatter(values);
    e_.L(stored);
  }

 private:
  static constexpr unsigned kLanes = 16;                    // of a chunk
  static constexpr std::uint32_t kInWord = kWordBytes - 1;  // the bits of a place in a word

  void extend(const Vector& value, const Xbyak::Address& row, bool is_signed) {
    if (element_ == 1) {
      is_signed ? e_.vpmovsxbd(value, row) : e_.vpmovzxbd(value, row);
    } else {
      is_signed ? e_.vpmovsxwd(value, row) : e_.vpmovzxwd(value, row);
    }
  }

  // From the aligned words that have the elements: the memory begins and ends at such words.
  void gather(const Vector& value, unsigned chunk, bool is_signed) {
    const Vector words = e_.fresh();
    const Vector shift = e_.fresh();
    e_.vpandd(words, places_.of(chunk), e_.constant(~kInWord, kWordBytes));
    e_.set_lanes(e_.k5, chunk, kWordBytes);
    e_.vpxord(value, value, value);
    e_.vpgatherdd(value | e_.k5, e_.ptr[e_.r10 + words]);
    // The element to the upper end of the word, and back.
    const auto unused = static_cast<std::uint8_t>(8 * (kWordBytes - element_));
    e_.vpandd(shift, places_.of(chunk), e_.constant(kInWord, kWordBytes));
    e_.vpslld(shift, shift, 3);
    e_.vpsrlvd(value, value, shift);
    e_.vpslld(value, value, unused);
    if (is_signed) {
      e_.vpsrad(value, value, unused);
    } else {
      e_.vpsrld(value, value, unused);
    }
    e_.release(words);
    e_.release(shift);
  }

  // Lane by lane.
  void scatter(const Vector (&values)[kWordChunks]) {
    Xbyak::Label next;
    Xbyak::Label done;
    for (unsigned i = 0; i < kWordChunks; ++i) {
      e_.vmovdqu32(scratch(i, offsetof(HostRun, places)), places_.of(i));
      e_.vmovdqu32(scratch(i, offsetof(HostRun, values)), values[i]);
    }
    if (places_.is_shared()) {
      e_.mov(e_.rdx, e_.qword[e_.r11 + offsetof(SharedBytes, marks)]);
    }
    if (e_.is_masked()) {
      e_.mov(e_.ecx, e_.r8d);
    } else {
      e_.mov(e_.ecx, kAllLanes);
    }
    e_.L(next);
    e_.test(e_.ecx, e_.ecx);
    e_.jz(done);
    e_.tzcnt(e_.r9d, e_.ecx);
    e_.mov(e_.eax, e_.dword[e_.r12 + e_.r9 * kWordBytes + offsetof(HostRun, places)]);
    e_.mov(e_.esi, e_.dword[e_.r12 + e_.r9 * kWordBytes + offsetof(HostRun, values)]);
    constexpr std::uint16_t kBothAreWritten = SharedBytes::kWordIsWritten & 0xffffU;
    if (element_ == 1) {
      e_.mov(e_.byte[e_.r10 + e_.rax], e_.sil);
    } else {
      e_.mov(e_.word[e_.r10 + e_.rax], e_.si);
    }
    if (places_.is_shared()) {
      if (element_ == 1) {
        e_.mov(e_.byte[e_.rdx + e_.rax], 1);
      } else {
        e_.mov(e_.word[e_.rdx + e_.rax], kBothAreWritten);
      }
    }
    e_.blsr(e_.ecx, e_.ecx);
    e_.jmp(next);
    e_.L(done);
  }
  Xbyak::Address scratch(unsigned chunk, std::size_t member) {
    return e_.ptr[e_.r12 + member + std::size_t{chunk} * HostEmitter::kChunkBytes];
  }

  HostEmitter& e_;
  const Operation& operation_;
  std::uint32_t element_;
  AccessPlaces places_;
  WrittenMarks marks_;
};

}  // namespace

bool emit_narrow_memory(HostEmitter& e) {
  const HostForm form = e.operation().form;
  const bool loads = form == HostForm::kLoadNarrow || form == HostForm::kLoadNarrowSigned;
  if (!loads && form != HostForm::kStoreNarrow) {
    return false;
  }
  NarrowAccess access(e);
  if (!access.is_known()) {
    return false;
  }
  access.find();
  if (loads) {
    access.load(form == HostForm::kLoadNarrowSigned);
  } else {
    access.store();
  }
  return true;
}

}  // namespace warpsim
