// Loads and stores of words.
#include "emulator/host_code/host_run.h"
#include "emulator/host_code/x86/access_places.h"
#include "emulator/host_code/x86/forms.h"
#include "emulator/host_code/x86/written_marks.h"

namespace warpsim {

namespace {

using Vector = HostEmitter::Vector;

class AccessCode {
 public:
  explicit AccessCode(HostEmitter& e)
      : e_(e), operation_(e.operation()), element_(operation_.bytes), places_(e), marks_(e, places_) {}

  bool is_known() const { return places_.is_known(); }
  void find() { places_.find(); }

  void load() {
    const OperandPlace* const places = e_.list();
    const unsigned chunks = chunks_of(element_);
    std::vector<Vector> values;
    for (unsigned i = 0; i < operation_.count * chunks; ++i) {
      values.push_back(e_.fresh());
    }
    Xbyak::Label no_row;
    Xbyak::Label not_one;
    Xbyak::Label loaded;
    const bool has_row = places_.may_be_row() && (operation_.count == 1 || element_ == kWordBytes);
    if (!e_.is_masked() && has_row) {
      places_.jump_if_no_row(no_row);
      if (places_.is_shared()) {
        marks_.check_row_is_written();
      }
      load_row(values);
      e_.jmp(loaded);
      e_.L(no_row);
      places_.jump_if_not_one(not_one);
      if (places_.is_shared()) {
        marks_.check_one_is_written();
      }
      for (unsigned i = 0; i < values.size(); ++i) {
        const unsigned distance = i / chunks * element_;
        if (i % chunks != 0) {
          e_.vmovdqa32(values[i], values[std::size_t{i / chunks} * chunks]);
        } else if (element_ == kWideBytes) {
          e_.vpbroadcastq(values[i], e_.qword[e_.r10 + e_.rax + distance]);
        } else {
          e_.vpbroadcastd(values[i], e_.dword[e_.r10 + e_.rax + distance]);
        }
      }
      e_.jmp(loaded);
    }
    e_.L(not_one);
    if (places_.is_shared()) {
      marks_.check_is_written();
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
    const unsigned chunks = chunks_of(element_);
    Xbyak::Label scattered;
    Xbyak::Label stored;
    // Read before the paths part, so that both keep the same.
    std::vector<Vector> values;
    for (unsigned word = 0; word < operation_.count; ++word) {
      for (unsigned i = 0; i < chunks; ++i) {
        values.push_back(e_.read(places[word], i));
      }
    }
    if (!e_.is_masked() && places_.may_be_row() && operation_.count == 1) {
      places_.jump_if_no_row(scattered);
      if (places_.is_shared()) {
        marks_.mark_row();
      }
      for (unsigned i = 0; i < chunks; ++i) {
        e_.vmovdqu32(e_.ptr[e_.r10 + e_.rax + std::size_t{i} * HostEmitter::kChunkBytes], values[i]);
      }
      e_.jmp(stored);
    }
    e_.L(scattered);
    if (places_.is_shared()) {
      marks_.mark();
    }
    for (unsigned word = 0; word < operation_.count; ++word) {
      for (unsigned i = 0; i < chunks; ++i) {
        scatter(values[word * chunks + i], i, word * element_);
      }
    }
    e_.L(stored);
  }

 private:
  // From rax on. The words of a lane follow each other: of two, those of 16 lanes are in two chunks, of four in four.
  void load_row(const std::vector<Vector>& values) {
    const auto chunk_at = [&](unsigned number) { return e_.ptr[e_.r10 + e_.rax + number * HostEmitter::kChunkBytes]; };
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

  // The places of the lanes of a chunk of 8 lanes, in the lower half of a vector register.
  Xbyak::Ymm places_of_wides(unsigned chunk, const Vector& t) {
    const Vector words = places_.of(chunk / 2);
    if (chunk % 2 == 0) {
      return Xbyak::Ymm(words.getIdx());
    }
    e_.vextracti64x4(Xbyak::Ymm(t.getIdx()), words, 1);
    return Xbyak::Ymm(t.getIdx());
  }
  void gather(const Vector& value, unsigned chunk, std::uint32_t distance) {
    e_.set_lanes(e_.k5, chunk, element_);
    e_.vpxord(value, value, value);
    if (element_ == kWideBytes) {
      const Vector t = e_.fresh();
      const Xbyak::Ymm places = places_of_wides(chunk, t);
      e_.vpgatherdq(value | e_.k5, e_.ptr[e_.r10 + places + distance]);
      e_.release(t);
    } else {
      e_.vpgatherdd(value | e_.k5, e_.ptr[e_.r10 + places_.of(chunk) + distance]);
    }
  }
  void scatter(const Vector& value, unsigned chunk, std::uint32_t distance) {
    e_.set_lanes(e_.k5, chunk, element_);
    if (element_ == kWideBytes) {
      const Vector t = e_.fresh();
      const Xbyak::Ymm places = places_of_wides(chunk, t);
      e_.vpscatterdq(e_.ptr[e_.r10 + places + distance] | e_.k5, value);
      e_.release(t);
    } else {
      e_.vpscatterdd(e_.ptr[e_.r10 + places_.of(chunk) + distance] | e_.k5, value);
    }
  }

  HostEmitter& e_;
  const Operation& operation_;
  std::uint32_t element_;
  AccessPlaces places_;
  WrittenMarks marks_;
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
