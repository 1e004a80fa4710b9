// Video instructions of two halves or four bytes at once: vadd2, vadd4 and the like.
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

enum class Simd : std::uint8_t { kAdd, kSub, kAverage, kAbsDiff, kMin, kMax, kSet };

constexpr unsigned kSignedA = 1;
constexpr unsigned kSignedB = 2;
constexpr unsigned kSignedD = 4;
constexpr unsigned kSaturates = 8;
constexpr unsigned kAccumulates = 16;  // c plus the sum of the elements

// Packed into Operation::offset. A selector's nibbles name elements of the pair b:a.
struct SimdPlan {
  std::uint16_t a = 0;
  std::uint16_t b = 0;
  Simd what = Simd::kAdd;
  std::uint8_t flags = 0;
  std::uint8_t mask = 0;  // elements that are written
  std::uint8_t relations = 0;

  bool has(unsigned flag) const { return (flags & flag) != 0; }
};

template <unsigned kBits>
std::int32_t element(std::uint64_t pair, unsigned number, bool is_signed) {
  const auto raised = static_cast<Word>(pair >> (number * kBits)) << (32 - kBits);
  return is_signed ? static_cast<std::int32_t>(raised) >> (32 - kBits)
                   : static_cast<std::int32_t>(raised >> (32 - kBits));
}

std::int32_t result_of(const SimdPlan& plan, std::int32_t a, std::int32_t b) {
  switch (plan.what) {
    case Simd::kAdd:
      return a + b;
    case Simd::kSub:
      return a - b;
    case Simd::kAverage:
      return (a + b + (a + b >= 0 ? 1 : 0)) >> 1;
    case Simd::kAbsDiff:
      return a > b ? a - b : b - a;
    case Simd::kMin:
      return std::min(a, b);
    case Simd::kMax:
      return std::max(a, b);
    case Simd::kSet:
      break;
  }
  return (plan.relations & (a < b ? kLess : a == b ? kEqual : kGreater)) != 0 ? 1 : 0;
}

template <unsigned kBits>
Word combine(const SimdPlan& plan, std::uint64_t pair, Word c) {
  constexpr unsigned kElements = 32 / kBits;
  constexpr Word kMask = (Word{1} << kBits) - 1;
  const bool is_signed = plan.has(kSignedD);
  Word result = c;
  for (unsigned i = 0; i < kElements; ++i) {
    if ((plan.mask >> i & 1U) == 0) {
      continue;
    }
    const std::int32_t a = element<kBits>(pair, plan.a >> (4 * i) & 7U, plan.has(kSignedA));
    const std::int32_t b = element<kBits>(pair, plan.b >> (4 * i) & 7U, plan.has(kSignedB));
    std::int32_t value = result_of(plan, a, b);
    if (plan.has(kSaturates)) {
      const std::int32_t beyond = std::int32_t{1} << (kBits - (is_signed ? 1U : 0U));
      value = std::clamp(value, is_signed ? -beyond : 0, beyond - 1);
    }
    if (plan.has(kAccumulates)) {
      result += static_cast<Word>(value);  // including bits beyond the element
    } else {
      result = (result & ~(kMask << (i * kBits))) | (static_cast<Word>(value) & kMask) << (i * kBits);
    }
  }
  return result;
}

template <unsigned kBits>
void simd(WarpContext& warp, const Operation& operation, LaneMask lanes) {
  const auto plan = std::bit_cast<SimdPlan>(operation.offset);
  Word* const d = warp.write<Word>(operation.d);
  const Word* const a = warp.read<Word>(operation.a);
  const Word* const b = warp.read<Word>(operation.b);
  const Word* const c = warp.read<Word>(operation.c);
  for_lanes(lanes, [&](std::uint32_t lane) {
    d[lane] = combine<kBits>(plan, std::uint64_t{b[lane]} << 32U | a[lane], c[lane]);
  });
}

// The digits after .h or .b, the last of which is for element 0; a mask's digits are the elements themselves.
std::string_view digits_of(const OperationBuilder& b, const ptx::Operand& operand, char letter) {
  if (operand.name.size() < 2 || operand.name.size() > 5 || operand.name[0] != letter ||
      !std::all_of(operand.name.begin() + 1, operand.name.end(),
                   [](char digit) { return digit >= '0' && digit <= '7'; })) {
    b.fail("expected a selector of elements after a register");
  }
  return operand.name.substr(1);
}

template <unsigned kBits>
std::uint16_t selector(const OperationBuilder& b, std::size_t number, std::uint16_t otherwise) {
  const ptx::Operand& operand = b.operand(number);
  if (!operand.video) {
    return otherwise;
  }
  const std::string_view digits = digits_of(b, operand, kBits == 16 ? 'h' : 'b');
  if (digits.size() != 32 / kBits) {
    b.fail("expected as many elements in a selector as a register has");
  }
  unsigned result = 0;
  for (const char digit : digits) {
    result = result << 4U | static_cast<unsigned>(digit - '0');
  }
  return static_cast<std::uint16_t>(result);
}

template <unsigned kBits>
std::uint8_t written_elements(const OperationBuilder& b) {
  const ptx::Operand& operand = b.operand(0);
  if (!operand.video) {
    return static_cast<std::uint8_t>((1U << (32 / kBits)) - 1);
  }
  unsigned mask = 0;
  for (const char digit : digits_of(b, operand, kBits == 16 ? 'h' : 'b')) {
    mask |= 1U << static_cast<unsigned>(digit - '0');
  }
  return static_cast<std::uint8_t>(mask);
}

template <Simd kWhat, unsigned kBits>
void bind(OperationBuilder& b) {
  SimdPlan plan;
  plan.what = kWhat;
  unsigned flags = 0;
  if (kWhat != Simd::kSet && b.take_type() == DataType::kS32) {
    flags |= kSignedD;
  }
  flags |= b.take_type() == DataType::kS32 ? kSignedA : 0;
  flags |= b.take_type() == DataType::kS32 ? kSignedB : 0;
  if (kWhat == Simd::kSet) {
    const std::optional<unsigned> relations = comparison_of(b.take_next());
    if (!relations) {
      b.fail("expected a comparison");
    }
    plan.relations = static_cast<std::uint8_t>(*relations);
  }
  flags |= b.take("sat") ? kSaturates : 0;
  flags |= b.take("add") ? kAccumulates : 0;
  plan.flags = static_cast<std::uint8_t>(flags);
  plan.mask = written_elements<kBits>(b);
  plan.a = selector<kBits>(b, 1, kBits == 16 ? 0x10 : 0x3210);
  plan.b = selector<kBits>(b, 2, kBits == 16 ? 0x32 : 0x7654);
  bind_operands(b, {DataType::kB32, DataType::kB32, DataType::kB32, DataType::kB32});
  b.operation.offset = std::bit_cast<std::int64_t>(plan);
  b.operation.run = simd<kBits>;
}

}  // namespace

void bind_vadd2(OperationBuilder& b) {
  bind<Simd::kAdd, 16>(b);
}

void bind_vadd4(OperationBuilder& b) {
  bind<Simd::kAdd, 8>(b);
}

void bind_vsub2(OperationBuilder& b) {
  bind<Simd::kSub, 16>(b);
}

void bind_vsub4(OperationBuilder& b) {
  bind<Simd::kSub, 8>(b);
}

void bind_vavrg2(OperationBuilder& b) {
  bind<Simd::kAverage, 16>(b);
}

void bind_vavrg4(OperationBuilder& b) {
  bind<Simd::kAverage, 8>(b);
}

void bind_vabsdiff2(OperationBuilder& b) {
  bind<Simd::kAbsDiff, 16>(b);
}

void bind_vabsdiff4(OperationBuilder& b) {
  bind<Simd::kAbsDiff, 8>(b);
}

void bind_vmin2(OperationBuilder& b) {
  bind<Simd::kMin, 16>(b);
}

void bind_vmin4(OperationBuilder& b) {
  bind<Simd::kMin, 8>(b);
}

void bind_vmax2(OperationBuilder& b) {
  bind<Simd::kMax, 16>(b);
}

void bind_vmax4(OperationBuilder& b) {
  bind<Simd::kMax, 8>(b);
}

void bind_vset2(OperationBuilder& b) {
  bind<Simd::kSet, 16>(b);
}

void bind_vset4(OperationBuilder& b) {
  bind<Simd::kSet, 8>(b);
}

}  // namespace warpsim
