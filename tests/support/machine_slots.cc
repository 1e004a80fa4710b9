#include "support/machine_slots.h"

#include <cstddef>
#include <span>
#include <utility>

namespace warpsim::test {

namespace {

constexpr std::uint32_t kNone = 255;
constexpr std::uint32_t kWarp = 32;

// xorshift64*
class Random {
 public:
  std::uint64_t next() {
    state_ ^= state_ >> 12U;
    state_ ^= state_ << 25U;
    state_ ^= state_ >> 27U;
    return state_ * 0x2545f4914f6cdd1dU;
  }
  std::uint32_t word() { return static_cast<std::uint32_t>(next() >> 32U); }
  std::uint32_t below(std::size_t limit) { return static_cast<std::uint32_t>((next() >> 33U) % limit); }

 private:
  std::uint64_t state_ = 0x9e3779b97f4a7c15U;
};

constexpr std::uint32_t kSingles[] = {
    0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x007fffff, 0x807fffff, 0x00400000, 0x00800000, 0x80800000,
    0x00800001, 0x3f800000, 0xbf800000, 0x3f7fffff, 0x3f800001, 0x3f000000, 0xbf000000, 0x3fc00000, 0xc0200000,
    0x40000000, 0x40490fdb, 0x40400000, 0x1e3ce508, 0x60ad78ec, 0x7e800000, 0x7e800001, 0x7f000000, 0xff000000,
    0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000, 0x7fffffff, 0xffffffff, 0x7fc00000, 0xffc12345, 0x7f800001,
    0xffa00000, 0x34000000, 0x33800000, 0x4b800000, 0x4b7fffff, 0x43000000, 0xc3010000, 0x437f8000, 0x46ffff00,
    0x477fff80, 0x4effffff, 0x4f000000, 0xcf000000, 0x4f7fffff, 0x4f800000, 0x0c800000, 0x8d000000, 0x7d000000,
    0x01000000, 0x5f000000, 0xdf000001, 0x42b17218, 0xc2cff1b5, 0x38800000, 0x33000000, 0x477fe000, 0x477ff000};
constexpr std::uint32_t kDoubles[] = {0x00000000, 0x80000000, 0x00000001, 0x800fffff, 0x000fffff, 0x00100000,
                                      0x80100000, 0x3ff00000, 0xbff00000, 0x3fefffff, 0x40080000, 0x7fefffff,
                                      0xffefffff, 0x7ff00000, 0xfff00000, 0x7ff80000, 0xfff40000, 0x41dfffff,
                                      0xc1e00000, 0x43e00000, 0xc3e00000, 0x43f00000, 0x3fe00000, 0x40e00000,
                                      0x47efffff, 0x380fffff, 0x36a00000, 0x41f00000, 0x7fe00000, 0x00200000};
constexpr std::uint32_t kLowWords[] = {0x00000000, 0x00000001, 0xffffffff, 0x80000000, 0x12345678, 0xffc00000};
constexpr std::uint32_t kHalves[] = {0x0000, 0x8000, 0x0001, 0x83ff, 0x0400, 0x8401, 0x3c00, 0xbc00, 0x3bff, 0x4200,
                                     0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x7e12, 0xfd01, 0x807f, 0x0080, 0x8081, 0x3f80,
                                     0xbf80, 0x3f7f, 0x4040, 0x7f7f, 0xff7f, 0x7f80, 0xff80, 0x7fc1, 0xffa1, 0x7fff,
                                     0xffff, 0x7ff7, 0x1400, 0x0080, 0x5640, 0xd700, 0x4700, 0xc500};
constexpr std::uint32_t kIntegers[] = {
    0x00000000, 0x00000001, 0x00000002, 0x00000003, 0x00000007, 0x00000008, 0x0000001f, 0x00000020, 0x00000021,
    0x0000003f, 0x00000040, 0x000000ff, 0x00000100, 0x0000ffff, 0x00010000, 0x7fffffff, 0x80000000, 0x80000001,
    0xfffffffe, 0xffffffff, 0x12345678, 0x80ff7f01, 0xff00ff80, 0x00007f80, 0xffff8000, 0xffffff7f, 0x7fff8000,
    0x80007fff, 0x00003210, 0x00007654, 0x0000fedc, 0x00001357, 0x0000000b, 0x00000010, 0x00001f1f, 0x00001c03};

std::uint32_t any(Random& random, std::span<const std::uint32_t> values) {
  return values[random.below(values.size())];
}

// A quad of words; the kind of value depends on the row. The odd words are upper halves of double precision.
void fill(Random& random, std::uint32_t kind, std::uint32_t* quad) {
  constexpr std::uint32_t kFraction = 0x807fffff;
  constexpr std::uint32_t kFractionOfDouble = 0x800fffff;
  for (std::uint32_t i = 0; i < 4; ++i) {
    switch (kind) {
      case 0:
      case 1:
      case 2:
        quad[i] = any(random, kSingles);
        break;
      case 3:  // near 1, so that sums cancel and products round
        quad[i] = (random.word() & kFraction) | (120U + random.below(16)) << 23U;
        break;
      case 4:
        quad[i] = (random.word() & kFraction) | random.below(256) << 23U;
        break;
      case 5:
      case 6:
        quad[i] = i % 2 == 1 ? any(random, kDoubles) : any(random, kLowWords);
        break;
      case 7:
        quad[i] = i % 2 == 1 ? (random.word() & kFractionOfDouble) | (1017U + random.below(14)) << 20U : random.word();
        break;
      case 8:
      case 9:
        quad[i] = any(random, kHalves) << 16U | any(random, kHalves);
        break;
      case 10:
        quad[i] = (random.word() & 0x9fff9fffU) + 0x20002000U;
        break;
      case 11:
      case 12:
      case 13:
        quad[i] = any(random, kIntegers);
        break;
      case 14:
        quad[i] = random.below(80);
        break;
      default:
        quad[i] = random.word();
        break;
    }
  }
}

std::vector<std::uint32_t> table(std::uint32_t rows, std::uint64_t skipped) {
  constexpr std::uint32_t kKinds = 17;
  Random random;
  for (std::uint64_t i = 0; i < skipped; ++i) {
    random.next();
  }
  std::vector<std::uint32_t> words(std::size_t{rows} * kSlotOperandWords);
  for (std::uint32_t row = 0; row < rows; ++row) {
    std::uint32_t* const to = words.data() + std::size_t{row} * kSlotOperandWords;
    const std::uint32_t kind = random.below(kKinds);
    for (std::uint32_t quad = 0; quad < 3; ++quad) {
      // Sometimes the operands are of different kinds.
      fill(random, random.below(8) == 0 ? random.below(kKinds) : kind, to + std::size_t{4} * quad);
    }
    if (random.below(16) == 0) {  // equal operands
      for (std::uint32_t i = 0; i < 4; ++i) {
        to[4 + i] = to[i];
      }
    }
    // All exponents of single precision with some fractions.
    constexpr std::uint32_t kFractions[] = {0, 0x7fffff, 1, 0x400000, 0x3fffff, 0x123456, 0x7ffffe, 0x600000};
    to[2] = (row % 256) << 23U | kFractions[row / 256 % 8];
    to[12] = random.word();
    to[13] = random.word();
    to[14] = 4 * random.below(8);
    to[15] = random.word();
  }
  return words;
}

class Assembler {
 public:
  explicit Assembler(std::uint32_t bubble) : bubble_(bubble) {}

  struct Fields {
    std::uint64_t low;
    std::uint64_t high;
  };
  // After each instruction, 15 cycles; results of loads are waited for.
  void add(std::uint64_t low, std::uint64_t high, bool loads = false) {
    constexpr std::uint64_t kPlain = std::uint64_t{15} << 41U | std::uint64_t{7} << 46U | std::uint64_t{7} << 49U;
    constexpr std::uint64_t kLoads = std::uint64_t{15} << 41U | std::uint64_t{7} << 49U;
    high &= (std::uint64_t{1} << 41U) - 1;
    words_.push_back(low);
    words_.push_back(high | (loads ? kLoads : kPlain) | (waits_ ? std::uint64_t{1} << 52U : 0));
    waits_ = loads;
  }
  void wait() {
    for (std::uint32_t i = 0; i < bubble_; ++i) {
      add(0x7918, 0);
    }
  }

  void special(std::uint32_t d, std::uint32_t number) { add(0x7919U | d << 16U, number << 8U, true); }
  void move(std::uint32_t d, std::uint32_t value) { add(0x7802U | d << 16U | std::uint64_t{value} << 32U, 0xf00U); }
  void move_from_uniform(std::uint32_t d, std::uint32_t uniform) {
    add(0x7c02U | d << 16U | std::uint64_t{uniform} << 32U, 0x8000f00U);
  }
  void move_uniform(std::uint32_t d, std::uint32_t value) { add(0x7882U | d << 16U | std::uint64_t{value} << 32U, 0); }
  void load_constant(std::uint32_t d, std::uint32_t offset) {
    add(0x7b82U | d << 16U | kNone << 24U | std::uint64_t{offset} << 38U, 0xa00U, true);
  }
  void load_uniform_constant(std::uint32_t d, std::uint32_t offset) {
    add(0x7ab9U | d << 16U | std::uint64_t{offset} << 38U, 0xa00U);
  }
  // d = a * value + d, 64 bits
  void multiply_add(std::uint32_t d, std::uint32_t a, std::uint32_t value) {
    add(0x7825U | d << 16U | a << 24U | std::uint64_t{value} << 32U, d | 0x78e0000U);
  }
  void multiply(std::uint32_t d, std::uint32_t a, std::uint32_t value, std::uint32_t c) {
    add(0x7824U | d << 16U | a << 24U | std::uint64_t{value} << 32U, c | 0x78e0000U);
  }
  void load_quad(std::uint32_t d, std::uint32_t address, std::uint32_t offset) {
    add(0x7981U | d << 16U | address << 24U | std::uint64_t{4} << 32U | std::uint64_t{offset} << 40U, 0xc1e1d00U, true);
  }
  void store_quad(std::uint32_t address, std::uint32_t offset, std::uint32_t data) {
    add(0x7986U | address << 24U | std::uint64_t{data} << 32U | std::uint64_t{offset} << 40U, 0xc101d04U);
  }
  void load_shared(std::uint32_t d, std::uint32_t address) { add(0x7984U | d << 16U | address << 24U, 0xc00U, true); }
  void store_shared(std::uint32_t address, std::uint32_t data) {
    add(0x7388U | address << 24U | std::uint64_t{data} << 32U, 0xc00U);
  }
  void to_uniform(std::uint32_t d, std::uint32_t a) { add(0x72caU | d << 16U | a << 24U, 0xe0000U); }
  void bits_to_predicates(std::uint32_t a) { add(0x7804U | a << 24U | std::uint64_t{0x7f} << 32U, 0); }
  void predicates_to_bits(std::uint32_t d) { add(0x7803U | d << 16U | kNone << 24U | std::uint64_t{0x7f} << 32U, 0); }
  void uniform_predicates_to_bits(std::uint32_t d) {
    add(0x7883U | d << 16U | 63U << 24U | std::uint64_t{0x7f} << 32U, 0x8000000U);
  }
  // UP = bit of a uniform register
  void bit_to_uniform_predicate(std::uint32_t p, std::uint32_t a) {
    add(0x7892U | 63U << 16U | a << 24U | std::uint64_t{1} << p << 32U, 63U | 0xc000U | p << 17U | 0xf800000U);
  }
  // Convergence barrier 0, then a branch of the lanes without P6 there.
  void diverge(std::uint32_t instructions) {
    const std::uint64_t words = std::uint64_t{4} * instructions;  // of 4 bytes
    add(0x7945U | (words + 4) << 34U, 0x3800000U);
    add(0xe947U | (words & 0xffU) << 16U | (words >> 8U) << 34U, 0x3800000U);
  }
  void converge() { add(0x7941, 0x3800000U); }
  void exit() { add(0x794d, 0x3800000U); }

  std::vector<std::uint64_t> take() { return std::move(words_); }

 private:
  std::vector<std::uint64_t> words_;
  std::uint32_t bubble_;
  bool waits_ = false;
};

// Operands into registers.
void begin(Assembler& code) {
  constexpr std::uint32_t kTid = 0x21;
  constexpr std::uint32_t kBlock = 0x25;
  code.load_uniform_constant(4, 0x208);
  code.special(7, kTid);
  code.special(1, kBlock);
  code.multiply(0, 1, kWarp, 7);
  code.load_constant(2, kSlotParameterBase);
  code.multiply_add(2, 0, 4 * kSlotOperandWords);
  code.load_constant(34, kSlotParameterBase + 8);
  code.multiply_add(34, 1, 4 * kSlotOperandWords);
  code.load_constant(32, kSlotParameterBase + 16);
  code.multiply_add(32, 0, 4 * kSlotResultWords);
  code.load_constant(4, kSlotParameterBase + 24);
  code.multiply_add(4, 0, kSlotScratchBytes);
  code.move(6, 0x400);
  code.multiply(6, 7, kSlotScratchBytes, 6);
  for (std::uint32_t quad = 0; quad < 4; ++quad) {
    code.load_quad(12 + 4 * quad, 2, 16 * quad);
    code.load_quad(36 + 4 * quad, 34, 16 * quad);
  }
  code.wait();
  for (std::uint32_t i = 0; i < 13; ++i) {
    code.to_uniform(12 + i, 36 + i);
  }
  for (std::uint32_t i = 0; i < 4; ++i) {
    code.move(8 + i, 0xd0000008U + i);
    code.move_uniform(8 + i, 0xd0000018U + i);
  }
  code.store_quad(4, 0, 20);
  code.store_shared(6, 20);
  code.wait();
  for (std::uint32_t i = 0; i < 7; ++i) {
    code.bit_to_uniform_predicate(i, 24);
  }
  code.bits_to_predicates(24);
  code.wait();
}

void end(Assembler& code) {
  code.predicates_to_bits(28);
  code.uniform_predicates_to_bits(26);
  code.wait();
  code.move_from_uniform(29, 8);
  code.move_from_uniform(30, 9);
  code.move_from_uniform(31, 26);
  code.load_quad(36, 4, 0);
  code.load_shared(40, 6);
  code.wait();
  code.store_quad(32, 0, 8);
  code.store_quad(32, 16, 28);
  code.store_quad(32, 32, 36);
  code.store_quad(32, 48, 40);
  code.exit();
}

}  // namespace

std::vector<std::uint32_t> slot_operands() {
  return table(kSlotRows, 0);
}

std::vector<std::uint32_t> slot_uniforms() {
  return table(kSlotRows / kWarp, 100);
}

SlotParameters slot_constants() {
  SlotParameters parameters;
  constexpr std::uint32_t kConstants[16] = {0xc0490fdb, 0x40091eb8, 0x7e8001ff, 0x00000009, 0xbfc00001, 0x3ff00000,
                                            0x80000001, 0x7f800000, 0x12345678, 0x9abcdef0, 0x00000021, 0x3c00bc01,
                                            0x3f80c040, 0x0000000d, 0xffffffff, 0x00007531};
  for (std::size_t i = 0; i < 16; ++i) {
    parameters.constants[i] = kConstants[i];
  }
  return parameters;
}

std::vector<std::uint64_t> slot_code(const SlotWord& word, std::uint32_t bubble) {
  Assembler code(bubble);
  begin(code);
  if (word.diverges) {
    code.diverge(1 + bubble);
  }
  code.add(word.low, word.high);
  code.wait();
  if (word.diverges) {
    code.converge();
  }
  code.wait();
  code.wait();
  end(code);
  return code.take();
}

std::uint64_t slot_hash(const std::uint32_t* results) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (std::size_t i = 0; i < std::size_t{kSlotRows} * kSlotResultWords; ++i) {
    hash = (hash ^ results[i]) * 0x100000001b3U;
  }
  return hash;
}

}  // namespace warpsim::test
