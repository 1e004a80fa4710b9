// Video instructions of one value: a byte, a half or a word of each source, and a secondary operation. Hardware from
// sm_50 on implements most of them with several instructions; here they are general and slow.
#include <algorithm>
#include <bit>
#include <cstdint>

#include "emulator/operations/arithmetic_binders.h"
#include "emulator/operations/comparison.h"
#include "emulator/operations/lane_functions.h"

namespace warpsim {

namespace {

using ptx::DataType;
using Word = std::uint32_t;

enum class Video : std::uint8_t { kAdd, kSub, kAbsDiff, kMin, kMax, kShl, kShr, kMad, kSet };
enum class Second : std::uint8_t { kNone, kAdd, kMin, kMax, kMerge };

// Part of a register: a byte, a half, or all of it.
enum class Part : std::uint8_t { kB0, kB1, kB2, kB3, kH0, kH1, kWord };

constexpr unsigned kSignedA = 1;
constexpr unsigned kSignedB = 2;
constexpr unsigned kSignedD = 4;
constexpr unsigned kSaturates = 8;
constexpr unsigned kWraps = 16;    // shifts: only the lowest five bits of the amount count
constexpr unsigned kPlusOne = 32;  // vmad.po
constexpr unsigned kNegatesVideoProduct = 64;
constexpr unsigned kNegatesVideoC = 128;

// Packed into Operation::offset.
struct Plan {
  Video what = Video::kAdd;
  Second second = Second::kNone;
  std::uint8_t flags = 0;
  Part a = Part::kWord;
  Part b = Part::kWord;
  Part d = Part::kWord;
  std::uint8_t relations = 0;  // vset
  std::uint8_t shift = 0;      // vmad: of the result

  bool has(unsigned flag) const { return (flags & flag) != 0; }
};

unsigned part_bits(Part part) {
  return part == Part::kWord ? 32 : part >= Part::kH0 ? 16 : 8;
}
unsigned position_of(Part part) {
  switch (part) {
    case Part::kB1:
      return 8;
    case Part::kB2:
    case Part::kH1:
      return 16;
    case Part::kB3:
      return 24;
    default:
      return 0;
  }
}

std::int64_t extract(Word word, Part part, bool is_signed) {
  const unsigned above = 64 - part_bits(part);
  const std::uint64_t raised = static_cast<std::uint64_t>(word >> position_of(part)) << above;
  return is_signed ? static_cast<std::int64_t>(raised) >> above : static_cast<std::int64_t>(raised >> above);
}

std::int64_t clamped(std::int64_t value, unsigned bits, bool is_signed) {
  const std::int64_t beyond = std::int64_t{1} << (bits - (is_signed ? 1U : 0U));
  return std::clamp(value, is_signed ? -beyond : 0, beyond - 1);
}

bool satisfies(unsigned relations, std::int64_t a, std::int64_t b) {
  return (relations & (a < b ? kLess : a == b ? kEqual : kGreater)) != 0;
}

std::int64_t shifted(const Plan& plan, std::int64_t a, std::int64_t b) {
  const auto amount = static_cast<unsigned>(plan.has(kWraps) ? b & 31 : std::min<std::int64_t>(b, 32));
  return plan.what == Video::kShl ? static_cast<std::int64_t>(static_cast<std::uint64_t>(a) << amount) : a >> amount;
}

std::int64_t multiply_add(const Plan& plan, std::int64_t a, std::int64_t b, Word c) {
  const bool is_signed = plan.has(kSignedA | kSignedB | kNegatesVideoProduct | kNegatesVideoC);
  // A product of two words of 32 bits and a sum fit 65 bits; the registers hold it modulo 2^64.
  auto product = static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b);
  auto addend = is_signed ? static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(c)}) : std::uint64_t{c};
  if (plan.has(kNegatesVideoProduct)) {
    product = 0 - product;
  }
  if (plan.has(kNegatesVideoC)) {
    addend = 0 - addend;
  }
  const std::uint64_t sum = product + addend + (plan.has(kPlusOne) ? 1 : 0);
  if (is_signed) {
    const std::int64_t scaled = static_cast<std::int64_t>(sum) >> plan.shift;
    return plan.has(kSaturates) ? clamped(scaled, 32, true) : scaled;
  }
  const std::uint64_t scaled = sum >> plan.shift;
  return static_cast<std::int64_t>(plan.has(kSaturates) ? std::min<std::uint64_t>(scaled, UINT32_MAX) : scaled);
}

std::int64_t primary(const Plan& plan, std::int64_t a, std::int64_t b, Word c) {
  switch (plan.what) {
    case Video::kAdd:
      return a + b;
    case Video::kSub:
      return a - b;
    case Video::kAbsDiff:
      return a > b ? a - b : b - a;
    case Video::kMin:
      return std::min(a, b);
    case Video::kMax:
      return std::max(a, b);
    case Video::kShl:
    case Video::kShr:
      return shifted(plan, a, b);
    case Video::kMad:
      return multiply_add(plan, a, b, c);
    case Video::kSet:
      break;
  }
  return satisfies(plan.relations, a, b) ? 1 : 0;
}

Word secondary(const Plan& plan, Word value, Word c) {
  const bool is_signed = plan.has(kSignedD);
  const bool below = is_signed ? static_cast<std::int32_t>(value) < static_cast<std::int32_t>(c) : value < c;
  switch (plan.second) {
    case Second::kAdd:
      return value + c;
    case Second::kMin:
      return below ? value : c;
    case Second::kMax:
      return below ? c : value;
    case Second::kMerge: {
      const Word mask = static_cast<Word>((std::uint64_t{1} << part_bits(plan.d)) - 1) << position_of(plan.d);
      return (c & ~mask) | (value << position_of(plan.d) & mask);
    }
    case Second::kNone:
      break;
  }
  return value;
}

void video(WarpContext& warp, const Operation& operation, LaneMask lanes) {
  const auto plan = std::bit_cast<Plan>(operation.offset);
  Word* const d = warp.write<Word>(operation.d);
  const Word* const a = warp.read<Word>(operation.a);
  const Word* const b = warp.read<Word>(operation.b);
  const Word* const c = warp.read<Word>(operation.c);
  for_lanes(lanes, [&](std::uint32_t lane) {
    const std::int64_t x = extract(a[lane], plan.a, plan.has(kSignedA));
    const std::int64_t y = extract(b[lane], plan.b, plan.has(kSignedB));
    std::int64_t value = primary(plan, x, y, c[lane]);
    if (plan.has(kSaturates) && plan.what != Video::kMad) {
      value = clamped(value, part_bits(plan.d), plan.has(kSignedD));
    }
    d[lane] = secondary(plan, static_cast<Word>(value), c[lane]);
  });
}

Part part_of(const OperationBuilder& b, const ptx::Operand& operand) {
  if (!operand.video) {
    return Part::kWord;
  }
  const std::string_view name = operand.name;
  if (name.size() == 2 && name[0] == 'b' && name[1] >= '0' && name[1] <= '3') {
    return static_cast<Part>(name[1] - '0');
  }
  if (name == "h0" || name == "h1") {
    return name == "h0" ? Part::kH0 : Part::kH1;
  }
  b.fail("expected .b0 to .b3, .h0 or .h1 after a register");
}

Second take_second(OperationBuilder& b, const Plan& plan) {
  if (b.take("add")) {
    return Second::kAdd;
  }
  if (b.take("min")) {
    return Second::kMin;
  }
  if (b.take("max")) {
    return Second::kMax;
  }
  return plan.d != Part::kWord ? Second::kMerge : Second::kNone;
}

void bind_sources(OperationBuilder& b, Plan& plan, bool needs_third) {
  plan.d = part_of(b, b.operand(0));
  plan.a = part_of(b, b.operand(1));
  plan.b = part_of(b, b.operand(2));
  if (plan.what != Video::kMad) {
    plan.second = take_second(b, plan);
  }
  b.operation.d = b.destination(0, DataType::kB32);
  b.operation.a = b.source(1, DataType::kB32);
  b.operation.b = b.source(2, DataType::kB32);
  b.operation.c = needs_third || plan.second != Second::kNone ? b.source(3, DataType::kB32) : b.operation.a;
}

void add_flag(Plan& plan, bool is_there, unsigned flag) {
  plan.flags = static_cast<std::uint8_t>(plan.flags | (is_there ? flag : 0U));
}

template <Video kWhat>
void bind(OperationBuilder& b) {
  Plan plan;
  plan.what = kWhat;
  if (kWhat == Video::kSet) {
    plan.flags = 0;
  } else {
    add_flag(plan, b.take_type() == DataType::kS32, kSignedD);
  }
  const bool a_signed = b.take_type() == DataType::kS32;
  // vset has no result type; the second comparand has the type of `a`.
  add_flag(plan, a_signed, kWhat == Video::kSet ? kSignedA | kSignedD : kSignedA);
  add_flag(plan, b.take_type() == DataType::kS32, kSignedB);
  if (kWhat == Video::kSet) {
    const std::optional<unsigned> relations = comparison_of(b.take_next());
    if (!relations) {
      b.fail("expected a comparison");
    }
    plan.relations = static_cast<std::uint8_t>(*relations);
  }
  add_flag(plan, b.take("sat"), kSaturates);
  if (kWhat == Video::kShl || kWhat == Video::kShr) {
    const bool wraps = b.take("wrap");
    if (!wraps && !b.take("clamp")) {
      b.fail("expected .clamp or .wrap");
    }
    add_flag(plan, wraps, kWraps);
  }
  if (kWhat == Video::kMad) {
    add_flag(plan, b.take("po"), kPlusOne);
    plan.shift = b.take("shr7") ? 7 : b.take("shr15") ? 15 : 0;
    add_flag(plan, b.operand(1).minus != b.operand(2).minus, kNegatesVideoProduct);
    add_flag(plan, b.operand(3).minus, kNegatesVideoC);
  }
  bind_sources(b, plan, kWhat == Video::kMad);
  b.operation.offset = std::bit_cast<std::int64_t>(plan);
  b.operation.run = video;
}

}  // namespace

void bind_vadd(OperationBuilder& b) {
  bind<Video::kAdd>(b);
}

void bind_vsub(OperationBuilder& b) {
  bind<Video::kSub>(b);
}

void bind_vabsdiff(OperationBuilder& b) {
  bind<Video::kAbsDiff>(b);
}

void bind_vmin(OperationBuilder& b) {
  bind<Video::kMin>(b);
}

void bind_vmax(OperationBuilder& b) {
  bind<Video::kMax>(b);
}

void bind_vshl(OperationBuilder& b) {
  bind<Video::kShl>(b);
}

void bind_vshr(OperationBuilder& b) {
  bind<Video::kShr>(b);
}

void bind_vmad(OperationBuilder& b) {
  bind<Video::kMad>(b);
}

void bind_vset(OperationBuilder& b) {
  bind<Video::kSet>(b);
}

}  // namespace warpsim
