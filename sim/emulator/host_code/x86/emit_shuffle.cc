// Shuffles: words of other lanes.
#include "emulator/host_code/x86/forms.h"
#include "emulator/operations/operation_variants.h"

namespace warpsim {

namespace {

using Vector = HostEmitter::Vector;

std::array<std::uint32_t, 16> lanes_from(std::uint32_t first) {
  std::array<std::uint32_t, 16> lanes{};
  for (std::uint32_t i = 0; i < 16; ++i) {
    lanes[i] = first + i;
  }
  return lanes;
}

// The two chunks of a source; words of lanes that do not take part are 0.
std::array<Vector, kWordChunks> values_of(HostEmitter& e, OperandPlace place) {
  std::array<Vector, kWordChunks> values;
  for (unsigned i = 0; i < kWordChunks; ++i) {
    values[i] = e.read(place, i);
    if (e.is_masked()) {
      const Vector kept = e.fresh();
      e.vmovdqa32(kept | e.lanes_of(i, kWordBytes) | e.T_z, values[i]);
      values[i] = kept;
    }
  }
  return values;
}

}  // namespace

bool emit_shuffle(HostEmitter& e) {
  const Operation& operation = e.operation();
  if (operation.form != HostForm::kShuffle) {
    return false;
  }
  constexpr std::uint32_t kLane = 31;
  constexpr unsigned kSegmentShift = 8;
  constexpr std::uint8_t kFirstOrSecondWithoutThird = 0xf4;  // a | (b & ~c)
  constexpr std::uint8_t kSecondWithoutThird = 0x44;         // b & ~c
  const auto mode = static_cast<Shuffle>(operation.variant);
  const std::array<Vector, kWordChunks> values = values_of(e, operation.a);
  std::array<int, kWordChunks> results{};
  for (unsigned i = 0; i < kWordChunks; ++i) {
    const Vector own = e.fresh();
    const Vector by = e.fresh();
    const Vector segment = e.fresh();
    const Vector bound = e.fresh();
    const Vector from = e.fresh();
    const Vector c = e.read(operation.c, i);
    e.vmovdqa32(own, e.constant_chunk(lanes_from(16 * i)));
    e.vpandd(by, e.read(operation.b, i), e.constant(kLane, kWordBytes));
    e.vpsrld(segment, c, kSegmentShift);
    e.vpandd(segment, segment, e.constant(kLane, kWordBytes));
    e.vpandd(from, c, e.constant(kLane, kWordBytes));
    e.vpandd(bound, own, segment);  // the lowest lane of the segment
    if (mode == Shuffle::kIndex) {
      e.vpternlogd(by, by, segment, kSecondWithoutThird);
      e.vpord(by, by, bound);
    }
    // The highest one: the lowest, with the clamp's bits that are not the segment's.
    e.vpternlogd(bound, from, segment, kFirstOrSecondWithoutThird);
    switch (mode) {
      case Shuffle::kUp:
        e.vpsubd(from, own, by);
        break;
      case Shuffle::kDown:
        e.vpaddd(from, own, by);
        break;
      case Shuffle::kButterfly:
        e.vpxord(from, own, by);
        break;
      case Shuffle::kIndex:
        e.vmovdqa32(from, by);
        break;
    }
    // Inside: at least that upwards, else at most.
    const HostEmitter::Mask inside(i == 0 ? 5 : 6);
    e.vpcmpd(inside, from, bound, mode == Shuffle::kUp ? 5 : 2);
    e.vmovdqa32(own | inside, from);
    e.vpermi2d(own, values[0], values[1]);
    results[i] = own.getIdx();
    for (const Vector& used : {by, segment, bound, from}) {
      e.release(used);
    }
  }
  if (operation.p != kNoPlace) {
    e.kunpckwd(e.k5, e.k6, e.k5);
    e.kmovd(e.eax, e.k5);
    e.write_predicate(operation.p, e.eax);
  }
  for (unsigned i = 0; i < kWordChunks; ++i) {
    e.write(operation.d, i, Vector(results[i]));
  }
  return true;
}

}  // namespace warpsim
