#include "emulator/host_code/x86/access_places.h"

#include "emulator/host_code/host_run.h"
#include "ptx/module.h"

namespace warpsim {

namespace {

constexpr std::uint8_t kAtMost = 2;  // of vpcmpud

}  // namespace

AccessPlaces::AccessPlaces(HostEmitter& e)
    : e_(e),
      operation_(e.operation()),
      bytes_(std::uint32_t{operation_.bytes} * operation_.count),
      shared_(operation_.space == ptx::StateSpace::kShared),
      local_(operation_.space == ptx::StateSpace::kLocal) {}

template <class Compare>
void AccessPlaces::compare_first(unsigned chunk, Compare compare) {
  if (e_.is_masked()) {
    compare(e_.k5 | e_.lanes_of(chunk, kWordBytes));
  } else {
    compare(e_.k5);
  }
}

bool AccessPlaces::is_known() const {
  using ptx::StateSpace;
  constexpr std::uint32_t kMostBytes = 16;  // of longer ones there are too many chunks
  if (bytes_ > kMostBytes) {
    return false;
  }
  if (shared_) {
    return operation_.address_bits == 32 && operation_.a_high == kNoPlace && !operation_.in_cluster;
  }
  if (local_) {
    return operation_.a_high == kNoPlace;
  }
  return (operation_.space == StateSpace::kGlobal || operation_.space == StateSpace::kGeneric) &&
         (operation_.a_high != kNoPlace || operation_.address_bits == 64);
}

void AccessPlaces::find() {
  if (shared_) {
    find_shared();
  } else if (local_) {
    find_local();
  } else {
    find_global();
  }
}

void AccessPlaces::jump_if_no_row(const Xbyak::Label& elsewhere) {
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

void AccessPlaces::jump_if_not_one(const Xbyak::Label& elsewhere) {
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

void AccessPlaces::leave_unless_all(unsigned chunk) {
  if (e_.is_masked()) {
    e_.kxorw(e_.k5, e_.k5, e_.lanes_of(chunk, kWordBytes));
    e_.kortestw(e_.k5, e_.k5);
    e_.jnz(e_.slow_path(window_));
  } else {
    e_.kortestw(e_.k5, e_.k5);
    e_.jae(e_.slow_path(window_));
  }
}

void AccessPlaces::check_alignment(const Vector& places) {
  if (bytes_ > 1) {
    e_.vptestnmd(e_.k5 | e_.k5, places, e_.constant(bytes_ - 1, kWordBytes));
  }
}

void AccessPlaces::find_shared() {
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

void AccessPlaces::take_part(unsigned chunk) {
  if (e_.is_masked()) {
    e_.kandw(e_.k5, e_.k5, e_.lanes_of(chunk, kWordBytes));
  }
}

// Each lane has its own part of the warp's local memory.
void AccessPlaces::find_local() {
  e_.mov(e_.r10, e_.qword[e_.r12 + offsetof(HostRun, local)]);
  e_.mov(e_.rax, e_.qword[e_.r12 + offsetof(HostRun, local_bytes)]);
  e_.sub(e_.rax, bytes_);
  e_.jc(e_.slow_path());
  const Vector lane_bytes = e_.fresh();
  e_.vpbroadcastd(lane_bytes, e_.dword[e_.r12 + offsetof(HostRun, local_bytes)]);
  for (unsigned i = 0; i < kWordChunks; ++i) {
    std::array<std::uint32_t, 16> numbers{};
    for (std::uint32_t lane = 0; lane < 16; ++lane) {
      numbers[lane] = 16 * i + lane;
    }
    const Vector place = e_.fresh();
    if (operation_.address_bits == 32) {
      find_local_words(i, place);
    } else {
      find_local_wides(i, place);
    }
    check_alignment(place);
    leave_unless_all(i);
    const Vector begin = e_.fresh();
    e_.vpmulld(begin, lane_bytes, e_.constant_chunk(numbers));
    e_.vpaddd(place, place, begin);
    e_.release(begin);
    places_[i] = place.getIdx();
  }
  e_.release(lane_bytes);
}

void AccessPlaces::find_local_words(unsigned chunk, const Vector& address) {
  const Vector last = e_.fresh();
  e_.vpbroadcastd(last, e_.eax);
  e_.vpaddd(address, e_.read(operation_.a, chunk),
            e_.constant(static_cast<std::uint32_t>(operation_.offset), kWordBytes));
  compare_first(chunk, [&](const auto& k) { e_.vpcmpud(k, address, last, kAtMost); });
  e_.release(last);
}

void AccessPlaces::find_local_wides(unsigned chunk, const Vector& address) {
  const Vector upper = e_.fresh();
  const Vector distance = e_.fresh();
  const auto find = [&](const Vector& d, unsigned part, const HostEmitter::Mask& k) {
    e_.vpbroadcastq(distance, e_.constant_wide(static_cast<std::uint64_t>(operation_.offset)));
    if (operation_.of_frame) {
      e_.vpaddq(distance, distance, e_.ptr_b[e_.r12 + offsetof(HostRun, local_base)]);
    }
    e_.vpaddq(d, distance, e_.read(operation_.a, 2 * chunk + part));
    e_.vpbroadcastq(distance, e_.rax);
    e_.vpcmpuq(k, d, distance, kAtMost);
    e_.vpmovqd(Xbyak::Ymm(d.getIdx()), d);
  };
  find(address, 0, e_.k5);
  find(upper, 1, e_.k6);
  e_.kunpckbw(e_.k5, e_.k6, e_.k5);
  take_part(chunk);
  e_.vinserti64x4(address, address, Xbyak::Ymm(upper.getIdx()), 1);
  e_.release(upper);
  e_.release(distance);
}

void AccessPlaces::find_global() {
  window_ = static_cast<std::int32_t>(e_.add_window());
  e_.load_window(e_.r11, window_);
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

void AccessPlaces::find_pairs() {
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

void AccessPlaces::find_wides() {
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
    take_part(i);
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

}  // namespace warpsim
