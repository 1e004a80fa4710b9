// Loads and stores of words: of global memory inside the operation's window (host_run.h), and of the block's own shared
// memory. Whatever else an access may be, faults included, is left to the handler.
//
// Places are distances from the begin of the window or of shared memory, one of 32 bits per lane.
#include "emulator/host_code/host_run.h"
#include "emulator/host_code/x86/forms.h"
#include "ptx/module.h"

namespace warpsim {

namespace {

using Vector = HostEmitter::Vector;

constexpr std::uint8_t kAtMost = 2;  // of vpcmpud

// Registers of the host: r10 the base of the places, r11 the window or the shared memory.
class AccessCode {
 public:
  explicit AccessCode(HostEmitter& e)
      : e_(e),
        operation_(e.operation()),
        element_(operation_.bytes),
        bytes_(std::uint32_t{operation_.bytes} * operation_.count),
        shared_(operation_.space == ptx::StateSpace::kShared) {}

  bool is_known() const {
    using ptx::StateSpace;
    constexpr std::uint32_t kMostBytes = 16;  // of longer ones there are too many chunks
    if (bytes_ > kMostBytes) {
      return false;
    }
    if (shared_) {
      return operation_.address_bits == 32 && operation_.a_high == kNoPlace && !operation_.in_cluster;
    }
    return (operation_.space == StateSpace::kGlobal || operation_.space == StateSpace::kGeneric) &&
           (operation_.a_high != kNoPlace || operation_.address_bits == 64);
  }

  // Sets the places, or leaves the operation to the handler.
  void find() {
    if (shared_) {
      find_shared();
    } else {
      find_global();
    }
  }

  // Jumps if not all lanes access elements that follow each other: `bytes_` apart. Otherwise rax is the first place.
  void jump_if_no_row(const Xbyak::Label& elsewhere) {
    std::array<std::uint32_t, 16> first{};
    std::array<std::uint32_t, 16> second{};
    for (std::uint32_t i = 0; i < 16; ++i) {
      first[i] = i * bytes_;
      second[i] = (i + 16) * bytes_;
    }
    const Vector t = e_.fresh();
    const Vector row = e_.fresh();
    e_.vpbroadcastd(t, Xbyak::Xmm(places_[0]));
    e_.vpaddd(row, t, e_.constant_chunk(first));
    e_.vpcmpeqd(e_.k5, row, Vector(places_[0]));
    e_.vpaddd(row, t, e_.constant_chunk(second));
    e_.vpcmpeqd(e_.k6, row, Vector(places_[1]));
    e_.vmovd(e_.eax, Xbyak::Xmm(places_[0]));
    e_.kunpckwd(e_.k5, e_.k6, e_.k5);
    e_.kortestd(e_.k5, e_.k5);
    e_.jae(elsewhere);  // no carry: not all
    e_.release(t);
    e_.release(row);
  }

  // The same for one element of all lanes.
  void jump_if_not_one(const Xbyak::Label& elsewhere) {
    const Vector t = e_.fresh();
    e_.vpbroadcastd(t, Xbyak::Xmm(places_[0]));
    e_.vpcmpeqd(e_.k5, t, Vector(places_[0]));
    e_.vpcmpeqd(e_.k6, t, Vector(places_[1]));
    e_.vmovd(e_.eax, Xbyak::Xmm(places_[0]));
    e_.kunpckwd(e_.k5, e_.k6, e_.k5);
    e_.kortestd(e_.k5, e_.k5);
    e_.jae(elsewhere);
    e_.release(t);
  }

  // From rax on. The words of a lane follow each other: of two, those of 16 lanes are in two chunks, of four in four.
  void load_row(const std::vector<Vector>& values) {
    const auto chunk_at = [&](unsigned number) {
      return e_.ptr[e_.r10 + e_.rax + number * HostEmitter::kChunkBytes];
    };
    if (operation_.count == 1) {
      for (unsigned i = 0; i < values.size(); ++i) {
        e_.vmovdqu32(values[i], chunk_at(i));
      }
      return;
    }
    const unsigned count = operation_.count;
    const unsigned lanes = 32 / count;  // whose words are in two chunks
    const Vector first = e_.fresh();
    const Vector second = e_.fresh();
    const Vector part = e_.fresh();
    constexpr std::uint32_t kUpperLanes = 0xff00;
    e_.mov(e_.edx, kUpperLanes);
    e_.kmovw(e_.k5, e_.edx);
    for (unsigned i = 0; i < kWordChunks; ++i) {
      for (unsigned from = 0; from < 16; from += lanes) {
        const unsigned number = (16 * i + from) * count / 16;
        e_.vmovdqu32(first, chunk_at(number));
        e_.vmovdqu32(second, chunk_at(number + 1));
        for (unsigned word = 0; word < count; ++word) {
          std::array<std::uint32_t, 16> places{};
          for (unsigned lane = 0; lane < lanes; ++lane) {
            places[(from + lane) % 16] = lane * count + word;
          }
          const Vector& value = values[word * kWordChunks + i];
          const Vector& into = from == 0 ? value : part;
          e_.vmovdqa32(into, e_.constant_chunk(places));
          e_.vpermi2d(into, first, second);
          if (from != 0) {
            e_.vmovdqa32(value | e_.k5, into);
          }
        }
      }
    }
    e_.release(first);
    e_.release(second);
    e_.release(part);
  }

  void load() {
    const OperandPlace* const places = e_.list();
    const unsigned chunks = element_ == kWideBytes ? kWideChunks : kWordChunks;
    std::vector<Vector> values;
    for (unsigned i = 0; i < operation_.count * chunks; ++i) {
      values.push_back(e_.fresh());
    }
    Xbyak::Label no_row;
    Xbyak::Label not_one;
    Xbyak::Label loaded;
    const bool has_row = operation_.count == 1 || element_ == kWordBytes;
    if (!e_.is_masked() && has_row) {
      jump_if_no_row(no_row);
      if (shared_) {
        check_row_is_written();
      }
      load_row(values);
      e_.jmp(loaded);
      e_.L(no_row);
      jump_if_not_one(not_one);
      if (shared_) {
        check_one_is_written();
      }
      for (unsigned i = 0; i < values.size(); ++i) {
        const unsigned distance = i / chunks * element_;
        if (i % chunks != 0) {
          e_.vmovdqa32(values[i], values[i / chunks * chunks]);
        } else if (element_ == kWideBytes) {
          e_.vpbroadcastq(values[i], e_.qword[e_.r10 + e_.rax + distance]);
        } else {
          e_.vpbroadcastd(values[i], e_.dword[e_.r10 + e_.rax + distance]);
        }
      }
      e_.jmp(loaded);
    }
    e_.L(not_one);
    if (shared_) {
      check_is_written();
    }
    for (unsigned word = 0; word < operation_.count; ++word) {
      for (unsigned i = 0; i < chunks; ++i) {
        gather(values[word * chunks + i], i, word * element_);
      }
    }
    e_.L(loaded);
    for (unsigned word = 0; word < operation_.count; ++word) {
      for (unsigned i = 0; i < chunks; ++i) {
        e_.write(places[word], i, values[word * chunks + i], element_);
      }
    }
  }

  void store() {
    const OperandPlace* const places = e_.list();
    const unsigned chunks = element_ == kWideBytes ? kWideChunks : kWordChunks;
    Xbyak::Label scattered;
    Xbyak::Label stored;
    // Read before the paths part, so that both keep the same.
    std::vector<Vector> values;
    for (unsigned word = 0; word < operation_.count; ++word) {
      for (unsigned i = 0; i < chunks; ++i) {
        values.push_back(e_.read(places[word], i));
      }
    }
    if (!e_.is_masked() && operation_.count == 1) {
      jump_if_no_row(scattered);
      if (shared_) {
        mark_row();
      }
      for (unsigned i = 0; i < chunks; ++i) {
        e_.vmovdqu32(e_.ptr[e_.r10 + e_.rax + i * HostEmitter::kChunkBytes], values[i]);
      }
      e_.jmp(stored);
    }
    e_.L(scattered);
    if (shared_) {
      mark();
    }
    for (unsigned word = 0; word < operation_.count; ++word) {
      for (unsigned i = 0; i < chunks; ++i) {
        scatter(values[word * chunks + i], i, word * element_);
      }
    }
    e_.L(stored);
  }

 private:
  // k5: whether the places of a chunk's lanes are right, after the operation's lanes were chosen.
  void leave_unless_all(unsigned chunk) {
    if (e_.is_masked()) {
      e_.kxorw(e_.k5, e_.k5, e_.lanes_of(chunk, kWordBytes));
      e_.kortestw(e_.k5, e_.k5);
      e_.jnz(e_.slow_path(window_));
    } else {
      e_.kortestw(e_.k5, e_.k5);
      e_.jae(e_.slow_path(window_));
    }
  }
  template <class Compare>
  void compare_first(unsigned chunk, Compare compare) {
    if (e_.is_masked()) {
      compare(e_.k5 | e_.lanes_of(chunk, kWordBytes));
    } else {
      compare(e_.k5);
    }
  }
  void check_alignment(const Vector& places) {
    if (bytes_ > 1) {
      e_.vptestnmd(e_.k5 | e_.k5, places, e_.constant(bytes_ - 1, kWordBytes));
    }
  }

  void find_shared() {
    e_.mov(e_.r11, e_.qword[e_.r12 + offsetof(HostRun, shared)]);
    e_.mov(e_.r10, e_.qword[e_.r11 + offsetof(SharedBytes, begin)]);
    e_.mov(e_.eax, e_.dword[e_.r11 + offsetof(SharedBytes, bytes)]);
    e_.sub(e_.eax, bytes_);
    e_.jc(e_.slow_path());
    const Vector last = e_.fresh();
    e_.vpbroadcastd(last, e_.eax);
    for (unsigned i = 0; i < kWordChunks; ++i) {
      const Vector a = e_.read(operation_.a, i);
      const Vector place = e_.fresh();
      e_.vpaddd(place, a, e_.constant(static_cast<std::uint32_t>(operation_.offset), kWordBytes));
      compare_first(i, [&](const auto& k) { e_.vpcmpud(k, place, last, kAtMost); });
      check_alignment(place);
      leave_unless_all(i);
      places_[i] = place.getIdx();
    }
    e_.release(last);
  }

  void find_global() {
    window_ = static_cast<std::int32_t>(e_.add_window());
    e_.mov(e_.r11, e_.qword[e_.r12 + offsetof(HostRun, windows)]);
    e_.add(e_.r11, static_cast<std::uint32_t>(window_) * std::uint32_t{sizeof(HostWindow)});
    e_.mov(e_.rax, e_.qword[e_.r12 + offsetof(HostRun, generation)]);
    e_.mov(e_.rax, e_.qword[e_.rax]);
    e_.cmp(e_.rax, e_.qword[e_.r11 + offsetof(HostWindow, generation)]);
    e_.jne(e_.slow_path(window_));
    e_.mov(e_.r10, e_.qword[e_.r11 + offsetof(HostWindow, base)]);
    if (operation_.a_high != kNoPlace) {
      find_pairs();
    } else {
      find_wides();
    }
  }

  void find_pairs() {
    constexpr std::size_t kUpper = 4;
    for (unsigned i = 0; i < kWordChunks; ++i) {
      const Vector low = e_.read(operation_.a, i);
      const Vector high = e_.read(operation_.a_high, i);
      const Vector place = e_.fresh();
      compare_first(
          i, [&](const auto& k) { e_.vpcmpud(k, high, e_.ptr_b[e_.r11 + offsetof(HostWindow, begin) + kUpper], 0); });
      e_.vpsubd(place, low, e_.ptr_b[e_.r11 + offsetof(HostWindow, begin)]);
      e_.vpcmpud(e_.k5 | e_.k5, place, e_.ptr_b[e_.r11 + offsetof(HostWindow, span)], kAtMost);
      check_alignment(place);
      leave_unless_all(i);
      places_[i] = place.getIdx();
    }
  }

  // Distances of 64 bits: those of lanes in the window fit 31.
  void find_wides() {
    for (unsigned i = 0; i < kWordChunks; ++i) {
      const Vector place = e_.fresh();
      const Vector upper = e_.fresh();
      const Vector window = e_.fresh();
      e_.vpsubq(place, e_.read(operation_.a, 2 * i), e_.ptr_b[e_.r11 + offsetof(HostWindow, begin)]);
      e_.vpsubq(upper, e_.read(operation_.a, 2 * i + 1), e_.ptr_b[e_.r11 + offsetof(HostWindow, begin)]);
      e_.vpbroadcastq(window, e_.qword[e_.r11 + offsetof(HostWindow, span)]);
      e_.vpcmpuq(e_.k5, place, window, kAtMost);
      e_.vpcmpuq(e_.k6, upper, window, kAtMost);
      e_.kunpckbw(e_.k5, e_.k6, e_.k5);
      if (e_.is_masked()) {
        e_.kandw(e_.k5, e_.k5, e_.lanes_of(i, kWordBytes));
      }
      e_.vpmovqd(Xbyak::Ymm(place.getIdx()), place);
      e_.vpmovqd(Xbyak::Ymm(upper.getIdx()), upper);
      e_.vinserti64x4(place, place, Xbyak::Ymm(upper.getIdx()), 1);
      check_alignment(place);
      leave_unless_all(i);
      places_[i] = place.getIdx();
      e_.release(upper);
      e_.release(window);
    }
  }

  // The lanes of a chunk for an instruction that clears its mask: k5.
  void set_lanes(unsigned chunk) {
    if (e_.is_masked()) {
      e_.kmovq(e_.k5, e_.lanes_of(chunk, element_));
    } else {
      e_.kxnorw(e_.k5, e_.k5, e_.k5);
    }
  }
  // The places of the lanes of a chunk of 8 lanes, in the lower half of a vector register.
  Xbyak::Ymm places_of_wides(unsigned chunk, const Vector& t) {
    const Vector words(places_[chunk / 2]);
    if (chunk % 2 == 0) {
      return Xbyak::Ymm(words.getIdx());
    }
    e_.vextracti64x4(Xbyak::Ymm(t.getIdx()), words, 1);
    return Xbyak::Ymm(t.getIdx());
  }
  void gather(const Vector& value, unsigned chunk, std::uint32_t distance) {
    set_lanes(chunk);
    e_.vpxord(value, value, value);
    if (element_ == kWideBytes) {
      const Vector t = e_.fresh();
      const Xbyak::Ymm places = places_of_wides(chunk, t);
      e_.vpgatherdq(value | e_.k5, e_.ptr[e_.r10 + places + distance]);
      e_.release(t);
    } else {
      e_.vpgatherdd(value | e_.k5, e_.ptr[e_.r10 + Vector(places_[chunk]) + distance]);
    }
  }
  void scatter(const Vector& value, unsigned chunk, std::uint32_t distance) {
    set_lanes(chunk);
    if (element_ == kWideBytes) {
      const Vector t = e_.fresh();
      const Xbyak::Ymm places = places_of_wides(chunk, t);
      e_.vpscatterdq(e_.ptr[e_.r10 + places + distance] | e_.k5, value);
      e_.release(t);
    } else {
      e_.vpscatterdd(e_.ptr[e_.r10 + Vector(places_[chunk]) + distance] | e_.k5, value);
    }
  }

  // --- which bytes of shared memory are written ---

  static constexpr std::uint32_t kWordIsWritten = 0x01010101;

  // rax: the place of the first lane.
  void check_row_is_written() {
    const Vector ones = e_.fresh();
    e_.mov(e_.rdx, e_.qword[e_.r11 + offsetof(SharedBytes, marks)]);
    e_.vpbroadcastd(ones, e_.constant_word(kWordIsWritten));
    const unsigned chunks = bytes_ * kWarpSize / HostEmitter::kChunkBytes;
    for (unsigned i = 0; i < chunks; ++i) {
      e_.vpcmpud(e_.k5, ones, e_.ptr[e_.rdx + e_.rax + i * HostEmitter::kChunkBytes], 0);
      e_.kortestw(e_.k5, e_.k5);
      e_.jae(e_.slow_path());
    }
    e_.release(ones);
  }
  // The same for one element of all lanes.
  void check_one_is_written() {
    e_.mov(e_.rdx, e_.qword[e_.r11 + offsetof(SharedBytes, marks)]);
    for (std::uint32_t word = 0; word < bytes_; word += kWordBytes) {
      e_.cmp(e_.dword[e_.rdx + e_.rax + word], kWordIsWritten);
      e_.jne(e_.slow_path());
    }
  }
  void mark_row() {
    const Vector ones = e_.fresh();
    e_.mov(e_.rdx, e_.qword[e_.r11 + offsetof(SharedBytes, marks)]);
    e_.vpbroadcastd(ones, e_.constant_word(kWordIsWritten));
    const unsigned chunks = bytes_ * kWarpSize / HostEmitter::kChunkBytes;
    for (unsigned i = 0; i < chunks; ++i) {
      e_.vmovdqu32(e_.ptr[e_.rdx + e_.rax + i * HostEmitter::kChunkBytes], ones);
    }
    e_.release(ones);
  }

  // Jumps if the places are all in the prefix that is known to be written.
  void jump_if_in_prefix(const Xbyak::Label& inside, const Xbyak::Label& outside) {
    const Vector last = e_.fresh();
    e_.mov(e_.eax, e_.dword[e_.r11 + offsetof(SharedBytes, written_prefix)]);
    e_.sub(e_.eax, bytes_);
    e_.jc(outside);
    e_.vpbroadcastd(last, e_.eax);
    for (unsigned i = 0; i < kWordChunks; ++i) {
      const Mask k = i == 0 ? e_.k5 : e_.k6;
      if (e_.is_masked()) {
        e_.vpcmpud(k | e_.lanes_of(i, kWordBytes), Vector(places_[i]), last, 6);  // beyond
      } else {
        e_.vpcmpud(k, Vector(places_[i]), last, 6);
      }
    }
    e_.kortestw(e_.k5, e_.k6);
    e_.jz(inside);
    e_.release(last);
  }
  void check_is_written() {
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
        e_.vpgatherdd(t | e_.k5, e_.ptr[e_.rdx + Vector(places_[i]) + word]);
        e_.vpcmpud(e_.k5, t, ones, 4);
        e_.kortestw(e_.k5, e_.k5);
        e_.jnz(e_.slow_path());
      }
    }
    e_.release(t);
    e_.release(ones);
    e_.L(inside);
  }
  void mark() {
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
        e_.vpscatterdd(e_.ptr[e_.rdx + Vector(places_[i]) + word] | e_.k5, ones);
      }
    }
    e_.release(ones);
    e_.L(inside);
  }

  using Mask = HostEmitter::Mask;

  HostEmitter& e_;
  const Operation& operation_;
  std::uint32_t element_;
  std::uint32_t bytes_;  // of the access of a lane
  bool shared_;
  std::int32_t window_ = -1;
  std::array<int, kWordChunks> places_{};  // vector registers
};

}  // namespace

bool emit_memory(HostEmitter& e) {
  const HostForm form = e.operation().form;
  const bool loads = form == HostForm::kLoadWords || form == HostForm::kLoadWideWords;
  const bool stores = form == HostForm::kStoreWords || form == HostForm::kStoreWideWords;
  AccessCode access(e);
  if ((!loads && !stores) || !access.is_known()) {
    return false;
  }
  access.find();
  if (loads) {
    access.load();
  } else {
    access.store();
  }
  return true;
}

}  // namespace warpsim
