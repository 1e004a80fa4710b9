// Shifts of one register, and of a pair of them.
#include <cstdint>
#include <type_traits>

#include "emulator/operations/arithmetic_binders.h"
#include "emulator/operations/lane_functions.h"

namespace warpsim {

namespace {

using ptx::DataType;
using Word = std::uint32_t;

template <class T>
struct ShiftLeft {
  static T of(T a, Word amount) { return amount < 8 * sizeof(T) ? static_cast<T>(a << amount) : T{0}; }
};
template <class T>
struct ShiftRight {
  static T of(T a, Word amount) {
    constexpr Word kBits = 8 * sizeof(T);
    if constexpr (std::is_signed_v<T>) {
      return static_cast<T>(a >> (amount < kBits ? amount : kBits - 1));
    } else {
      return amount < kBits ? static_cast<T>(a >> amount) : T{0};
    }
  }
};

// By the same amount in all lanes: the loop is vectorised.
template <class Function, class T>
void shift_uniformly(WarpContext& warp, const Operation& operation, LaneMask lanes) {
  LaneWord<T>* const d = warp.write<T>(operation.d);
  const LaneWord<T>* const a = warp.read<T>(operation.a);
  const Word amount = *warp.read<Word>(operation.b);
  set_lanes(d, lanes, [=](std::uint32_t lane) {
    return LaneStorage<T>::put(Function::of(LaneStorage<T>::get(a[lane]), amount));
  });
}

template <class Function, class T>
Handler shift(const OperationBuilder& b) {
  return b.operand(2).kind == ptx::Operand::Kind::kInteger ? best_for_host<shift_uniformly<Function, T>>()
                                                           : best_for_host<map_two<Function, T, T, Word>>();
}

// Funnel shift of the pair b:a.
template <bool kLeft, bool kClamp>
struct Funnel {
  static Word of(Word a, Word b, Word c) {
    const Word amount = kClamp ? (c < 32 ? c : 32) : c & 31U;
    const std::uint64_t pair = std::uint64_t{b} << 32U | a;
    return static_cast<Word>(kLeft ? pair << amount >> 32U : pair >> amount);
  }
};

}  // namespace

void bind_shl(OperationBuilder& b) {
  const DataType type = b.take_type();
  bind_operands(b, {type, type, DataType::kU32});
  b.operation.run = for_bits(b, type, [&](auto tag) -> Handler {
    using T = typename decltype(tag)::Type;
    return shift<ShiftLeft<T>, T>(b);
  });
  b.operation.form = form_by_width(type, HostForm::kShiftLeft32, HostForm::kShiftLeft64);
}

void bind_shr(OperationBuilder& b) {
  const DataType type = b.take_type();
  bind_operands(b, {type, type, DataType::kU32});
  b.operation.run = for_integer(b, type, [&](auto tag) -> Handler {
    using T = typename decltype(tag)::Type;
    return shift<ShiftRight<T>, T>(b);
  });
  b.operation.form = type == DataType::kS32 || type == DataType::kS64
                         ? form_by_width(type, HostForm::kShiftRightSigned32, HostForm::kShiftRightSigned64)
                         : form_by_width(type, HostForm::kShiftRightUnsigned32, HostForm::kShiftRightUnsigned64);
}

void bind_shf(OperationBuilder& b) {
  const bool left = b.take("l");
  if (!left && !b.take("r")) {
    b.fail("expected .l or .r");
  }
  const bool clamp = b.take("clamp");
  if (!clamp && !b.take("wrap")) {
    b.fail("expected .clamp or .wrap");
  }
  b.take("b32");
  bind_operands(b, {DataType::kB32, DataType::kB32, DataType::kB32, DataType::kU32});
  b.operation.run = left ? (clamp ? best_for_host<map_three<Funnel<true, true>, Word, Word>>()
                                  : best_for_host<map_three<Funnel<true, false>, Word, Word>>())
                         : (clamp ? best_for_host<map_three<Funnel<false, true>, Word, Word>>()
                                  : best_for_host<map_three<Funnel<false, false>, Word, Word>>());
}

}  // namespace warpsim
