// Shifts of machine code: of a pair of words in any direction, of which one word is the result.
#include <algorithm>
#include <cstdint>

#include "emulator/execution/warp_context.h"
#include "emulator/operations/lane_functions.h"
#include "emulator/operations/machine_operands.h"
#include "emulator/operations/operation_table.h"

namespace warpsim {

namespace {

using ptx::DataType;
using Word = std::uint32_t;
using Wide64 = std::uint64_t;

// Shifts of {c, a} by b.
constexpr unsigned kRight = 1;
constexpr unsigned kWraps = 2;
constexpr unsigned kUpperHalf = 4;
constexpr unsigned kOf64Bits = 8;
constexpr unsigned kArithmetic = 16;

void shift_pair(WarpContext& warp, const Operation& operation, LaneMask lanes) {
  const unsigned how = operation.variant;
  const Word bits = (how & kOf64Bits) != 0 ? 64 : 32;
  Word* const d = warp.write<Word>(operation.d);
  const Word* const a = warp.read<Word>(operation.a);
  const Word* const b = warp.read<Word>(operation.b);
  const Word* const c = warp.read<Word>(operation.c);
  for_own_lanes(lanes, [=](std::uint32_t lane) {
    const Word amount = (how & kWraps) != 0 ? b[lane] & (bits - 1) : std::min(b[lane], bits);
    const Wide64 value = Wide64{c[lane]} << 32U | a[lane];
    Wide64 shifted = 0;
    if ((how & kRight) == 0) {
      shifted = amount < 64 ? value << amount : 0;
    } else if ((how & kArithmetic) != 0) {
      shifted = static_cast<Wide64>(static_cast<std::int64_t>(value) >> std::min(amount, Word{63}));
    } else {
      shifted = amount < 64 ? value >> amount : 0;
    }
    d[lane] = static_cast<Word>((how & kUpperHalf) != 0 ? shifted >> 32U : shifted);
  });
}

// By the same amount in all lanes: Operation::offset.
template <class T>
void shift_right_by(WarpContext& warp, const Operation& operation, LaneMask lanes) {
  Word* const d = warp.write<Word>(operation.d);
  const Word* const a = warp.read<Word>(operation.a);
  const auto amount = static_cast<Word>(operation.offset);
  set_lanes(d, lanes, [=](std::uint32_t lane) { return static_cast<Word>(static_cast<T>(a[lane]) >> amount); });
}
void shift_left_by(WarpContext& warp, const Operation& operation, LaneMask lanes) {
  Word* const d = warp.write<Word>(operation.d);
  const Word* const a = warp.read<Word>(operation.a);
  const auto amount = static_cast<Word>(operation.offset);
  set_lanes(d, lanes, [=](std::uint32_t lane) { return a[lane] << amount; });
}
// The lower word of {c, a} >> 1 to 31.
void funnel_by(WarpContext& warp, const Operation& operation, LaneMask lanes) {
  Word* const d = warp.write<Word>(operation.d);
  const Word* const a = warp.read<Word>(operation.a);
  const Word* const c = warp.read<Word>(operation.c);
  const auto right = static_cast<Word>(operation.offset);
  const Word left = 32 - right;
  set_lanes(d, lanes, [=](std::uint32_t lane) { return a[lane] >> right | c[lane] << left; });
}

// The shift of {c, a} by a constant that is a shift of one word, or of both by less than a word. False: it is neither.
bool bind_constant_shift(Operation& operation, Word amount) {
  const unsigned how = operation.variant;
  const Word bits = (how & kOf64Bits) != 0 ? 64 : 32;
  amount = (how & kWraps) != 0 ? amount & (bits - 1) : std::min(amount, bits);
  const bool right = (how & kRight) != 0;
  const bool upper = (how & kUpperHalf) != 0;
  const auto by_word = [&](OperandPlace source, Word places) {
    operation.a = source;
    operation.offset = places;
    operation.run = !right                     ? best_for_host<shift_left_by>()
                    : (how & kArithmetic) != 0 ? best_for_host<shift_right_by<std::int32_t>>()
                                               : best_for_host<shift_right_by<Word>>();
    operation.form = !right                     ? HostForm::kShiftLeftBy
                     : (how & kArithmetic) != 0 ? HostForm::kShiftRightSignedBy
                                                : HostForm::kShiftRightUnsignedBy;
    return true;
  };
  if (right == upper && amount < 32) {  // bits of the other word do not arrive
    return by_word(right ? operation.c : operation.a, amount);
  }
  if (right != upper && amount >= 32 && amount < 64) {
    return by_word(right ? operation.c : operation.a, amount - 32);
  }
  if (right != upper && amount != 0 && amount < 32) {
    operation.offset = right ? amount : 32 - amount;
    operation.run = best_for_host<funnel_by>();
    operation.form = HostForm::kFunnelBy;
    return true;
  }
  return false;
}

}  // namespace

void bind_shift_pair(OperationBuilder& b) {
  unsigned how = b.take("r") ? kRight : 0U;
  how |= b.take("w") ? kWraps : 0U;
  how |= b.take("hi") ? kUpperHalf : 0U;
  how |= b.take("wide") ? kOf64Bits : 0U;
  how |= b.take("signed") ? kArithmetic : 0U;
  b.operation.variant = static_cast<std::uint8_t>(how);
  bind_operands(b, {DataType::kB32, DataType::kB32, DataType::kB32, DataType::kB32});
  const ptx::Operand& amount = b.operand(2);
  if (amount.kind != ptx::Operand::Kind::kInteger ||
      !bind_constant_shift(b.operation, static_cast<Word>(amount.bits))) {
    b.operation.run = best_for_host<shift_pair>();
  }
}

}  // namespace warpsim
