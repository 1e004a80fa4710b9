// Sums and products of machine code with carries: predicates that another sum takes.
#include <bit>

#include "emulator/host_code/x86/forms.h"
#include "emulator/operations/operation_variants.h"

namespace warpsim {

namespace {

using Vector = HostEmitter::Vector;
using Mask = HostEmitter::Mask;

// The source, or its complement in `into`.
Vector complemented(HostEmitter& e, const Vector& into, const Vector& source, bool complements) {
  if (!complements) {
    return source;
  }
  e.vpternlogd(into, source, source, 0x55);
  return into;
}

// The carries of a chunk of words from a pair of entries: place and whether they are negated.
void read_carries(HostEmitter& e, const Mask& into, const OperandPlace* entry, unsigned chunk) {
  constexpr int kLanes = 16;
  e.read_predicate(e.eax, entry[0], entry[1] != 0);
  if (chunk != 0) {
    e.shr(e.eax, kLanes);
  }
  e.kmovw(into, e.eax);
}

// Sums and their overflows as the handler has them: each overflow is one more carry.
void add_three_carry(HostEmitter& e, const Operation& operation) {
  const OperandPlace* const extra = e.list();
  const bool takes = (operation.variant & kTakesCarry) != 0;
  const unsigned negated = operation.variant & (kNegatesA | kNegatesB | kNegatesC);
  const auto ones = static_cast<std::uint32_t>(takes ? 0 : __builtin_popcount(negated));
  std::array<int, kWordChunks> sums{};
  std::array<int, kWordChunks> overflows{};
  for (unsigned i = 0; i < kWordChunks; ++i) {
    const Vector sum = e.fresh();
    const Vector count = e.fresh();
    const Vector t = e.fresh();
    sums[i] = sum.getIdx();
    overflows[i] = count.getIdx();
    const auto source = [&](const Vector& into, OperandPlace place, unsigned bit) {
      return complemented(e, into, e.read(place, i), (operation.variant & bit) != 0);
    };
    const auto count_overflow = [&](const Vector& before) {
      e.vpcmpud(e.k5, sum, before, 1);
      e.vpsubd(count | e.k5, count, e.constant(~0U, kWordBytes));
    };
    const Vector before = e.fresh();
    e.vpxord(count, count, count);
    e.vmovdqa32(before, source(t, operation.a, kNegatesA));
    e.vpaddd(sum, before, source(t, operation.b, kNegatesB));
    count_overflow(before);
    e.vmovdqa32(before, sum);
    e.vpaddd(sum, sum, source(t, operation.c, kNegatesC));
    count_overflow(before);
    if (!takes && ones == 0) {
      continue;
    }
    e.vmovdqa32(before, sum);
    if (takes) {
      for (const unsigned entry : {1U, 3U}) {
        read_carries(e, e.k6, extra + entry, i);
        e.vpsubd(sum | e.k6, sum, e.constant(~0U, kWordBytes));
      }
    } else {
      e.vpaddd(sum, sum, e.constant(ones, kWordBytes));
    }
    count_overflow(before);
  }
  // Sources may be destinations: everything is read by now.
  for (const unsigned least : {1U, 2U}) {
    const OperandPlace place = least == 1 ? operation.p : extra[0];
    if (place != kNoPlace) {
      e.vpcmpud(e.k3, Vector(overflows[0]), e.constant(least, kWordBytes), 5);
      e.vpcmpud(e.k4, Vector(overflows[1]), e.constant(least, kWordBytes), 5);
      e.join_masks(kWordChunks);
      e.write_predicate(place, e.eax);
    }
  }
  for (unsigned i = 0; i < kWordChunks; ++i) {
    e.write(operation.d, i, Vector(sums[i]));
  }
}

// The shifted source of a chunk.
Vector scaled(HostEmitter& e, const Operation& operation, unsigned chunk) {
  constexpr unsigned kBits = 32;
  const auto part = static_cast<Scaled>(operation.count);
  const auto shift = static_cast<unsigned>(operation.offset);
  const Vector a = e.read(operation.a, chunk);
  const Vector d = e.fresh();
  if (part == Scaled::kLow) {
    e.vpslld(d, a, static_cast<std::uint8_t>(shift));
    return d;
  }
  if (part == Scaled::kHighOfSigned) {
    e.vpsrad(d, a, kBits - 1);
    e.vpslld(d, d, static_cast<std::uint8_t>(shift));
  } else {
    e.vpslld(d, e.read(operation.c, chunk), static_cast<std::uint8_t>(shift));
  }
  const Vector low = e.fresh();
  e.vpsrld(low, a, static_cast<std::uint8_t>(kBits - shift));  // 0 for 32
  e.vpord(d, d, low);
  e.release(low);
  return d;
}

void add_scaled(HostEmitter& e, const Operation& operation) {
  const OperandPlace* const carry = e.list();
  const unsigned how = operation.variant;
  const bool takes = (how & kTakesCarry) != 0;
  const auto ones = static_cast<std::uint32_t>(takes ? 0 : std::popcount(how & (kNegatesA | kNegatesB)));
  const bool counts = operation.p != kNoPlace;
  std::array<int, kWordChunks> sums{};
  const Mask overflows[] = {e.k3, e.k4};
  for (unsigned i = 0; i < kWordChunks; ++i) {
    const Vector sum = e.fresh();
    const Vector t = e.fresh();
    sums[i] = sum.getIdx();
    Vector before = scaled(e, operation, i);
    before = complemented(e, before, before, (how & kNegatesA) != 0);
    e.vpaddd(sum, before, complemented(e, t, e.read(operation.b, i), (how & kNegatesB) != 0));
    if (counts) {
      e.vpcmpud(overflows[i], sum, before, 1);
    }
    if (takes || ones != 0) {
      e.vmovdqa32(before, sum);
      if (takes) {
        read_carries(e, e.k6, carry, i);
        e.vpsubd(sum | e.k6, sum, e.constant(~0U, kWordBytes));
      } else {
        e.vpaddd(sum, sum, e.constant(ones, kWordBytes));
      }
      if (counts) {
        e.vpcmpud(e.k5, sum, before, 1);
        e.korw(overflows[i], overflows[i], e.k5);
      }
    }
    e.release(before);
    e.release(t);
  }
  if (counts) {
    e.join_masks(kWordChunks);
    e.write_predicate(operation.p, e.eax);
  }
  for (unsigned i = 0; i < kWordChunks; ++i) {
    e.write(operation.d, i, Vector(sums[i]));
  }
}

// The products of even lanes, and of odd lanes, as 8 lanes of 64 bits; their words are then put together again.
class WideProduct {
 public:
  explicit WideProduct(HostEmitter& e)
      : e_(e),
        operation_(e.operation()),
        extra_(e.list()),
        takes_((operation_.variant & kTakesCarry) != 0),
        complements_((operation_.variant & kNegatesC) != 0) {}

  void emit() {
    constexpr std::uint32_t kOdd = 0xaaaa;
    const bool upper = extra_[kWideIsUpper] != 0;
    const Mask overflows[] = {e_.k3, e_.k4};
    std::array<std::array<int, 2>, kWordChunks> results{};
    for (unsigned i = 0; i < kWordChunks; ++i) {
      const Vector even = e_.fresh();
      const Vector odd = e_.fresh();
      const Vector t = e_.fresh();
      multiply(even, odd, t, i);
      if (takes_) {
        read_carries(e_, e_.k6, extra_ + kWideCarry, i);
      }
      e_.mov(e_.eax, kOdd);
      e_.kmovw(e_.k5, e_.eax);
      const Vector low = complemented(e_, e_.fresh(), e_.read(operation_.c, i), complements_);
      const Vector high = complemented(e_, e_.fresh(), e_.read(extra_[kWideAddendHigh], i), complements_);
      // {high, low} of even lanes, then of odd ones.
      e_.vpsllq(t, high, kUpper);
      e_.vpblendmd(t | e_.k5, low, t);
      const Vector overflow_even = add(even, t, 0);
      e_.vpsrlq(t, low, kUpper);
      e_.vpblendmd(t | e_.k5, t, high);
      const Vector overflow_odd = add(odd, t, kUpper);
      if (counts()) {
        e_.vpblendmd(t | e_.k5, overflow_even, overflow_odd);
        e_.vpmovd2m(overflows[i], t);
      }
      // Back to low words and high words.
      e_.vpsllq(t, odd, kUpper);
      e_.vpblendmd(t | e_.k5, even, t);
      e_.vpsrlq(even, even, kUpper);
      e_.vpblendmd(even | e_.k5, even, odd);
      results[i] = {t.getIdx(), even.getIdx()};
      for (const Vector& done : {odd, overflow_even, overflow_odd}) {
        e_.release(done);
      }
    }
    if (counts()) {
      e_.join_masks(kWordChunks);
      e_.write_predicate(operation_.p, e_.eax);
    }
    for (unsigned i = 0; i < kWordChunks; ++i) {
      e_.write(operation_.d, i, Vector(results[i][upper ? 1 : 0]));
      if (extra_[kWideHigh] != kNoPlace) {
        e_.write(extra_[kWideHigh], i, Vector(results[i][1]));
      }
    }
  }

 private:
  static constexpr int kUpper = 32;
  static constexpr std::uint64_t kOne = 1;

  bool counts() const { return operation_.p != kNoPlace; }

  void multiply(const Vector& even, const Vector& odd, const Vector& t, unsigned chunk) {
    const Vector a = e_.read(operation_.a, chunk);
    const Vector b = e_.read(operation_.b, chunk);
    const auto product = [&](const Vector& d, const Vector& x, const Vector& y) {
      if ((operation_.variant & kSignedFactors) != 0) {
        e_.vpmuldq(d, x, y);
      } else {
        e_.vpmuludq(d, x, y);
      }
    };
    product(even, a, b);
    e_.vpsrlq(odd, a, kUpper);
    e_.vpsrlq(t, b, kUpper);
    product(odd, odd, t);
  }

  // sum += addend, and 1 for a complement or a carry, which is bit `place` of its lane; returns ones in all bits of the
  // lanes that overflow, if they count.
  Vector add(const Vector& sum, const Vector& addend, int place) {
    const Vector overflow = e_.fresh();
    const auto count = [&](const Vector& part, bool first) {
      if (counts()) {
        e_.vpcmpuq(e_.k7, sum, part, 1);
        if (first) {
          e_.vpmovm2q(overflow, e_.k7);
        } else {
          e_.vpternlogq(overflow | e_.k7, overflow, overflow, 0xff);
        }
      }
    };
    e_.vpaddq(sum, sum, addend);
    count(addend, true);
    if (takes_) {
      const Vector carry = e_.fresh();
      e_.vpmovm2d(carry, e_.k6);
      if (place != 0) {
        e_.vpsrlq(carry, carry, static_cast<std::uint8_t>(place));
      }
      e_.vpandq(carry, carry, e_.constant(kOne, kWideBytes));
      e_.vpaddq(sum, sum, carry);
      count(carry, false);
      e_.release(carry);
    } else if (complements_) {
      const Vector one = e_.fresh();
      e_.vpbroadcastq(one, e_.constant_wide(kOne));
      e_.vpaddq(sum, sum, one);
      count(one, false);
      e_.release(one);
    }
    return overflow;
  }

  HostEmitter& e_;
  const Operation& operation_;
  const OperandPlace* extra_;
  bool takes_;
  bool complements_;
};

}  // namespace

bool emit_carry(HostEmitter& e) {
  switch (e.operation().form) {
    case HostForm::kAddThreeCarry:
      add_three_carry(e, e.operation());
      return true;
    case HostForm::kAddScaled:
      add_scaled(e, e.operation());
      return true;
    case HostForm::kMultiplyAddPair:
      WideProduct(e).emit();
      return true;
    default:
      return false;
  }
}

}  // namespace warpsim
