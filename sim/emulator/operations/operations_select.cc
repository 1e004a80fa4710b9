// Selection of one of two sources.
#include <array>
#include <cstdint>

#include "emulator/numbers/float_rounding.h"
#include "emulator/operations/arithmetic_binders.h"
#include "emulator/operations/lane_functions.h"

namespace warpsim {

namespace {

using ptx::DataType;

// slct: the first source if c is not negative; a NaN counts as negative.
template <class T, class C, bool kFlush>
struct Select {
  static T of(T a, T b, C c) {
    if constexpr (kFlush) {
      return flushed(c) >= C{0} ? a : b;
    } else {
      return c >= C{0} ? a : b;
    }
  }
};

// Masks instead of shifts by the lane, so that loops vectorise.
constexpr std::array<LaneMask, kWarpSize> kLaneBits = [] {
  std::array<LaneMask, kWarpSize> bits{};
  for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
    bits[lane] = LaneMask{1} << lane;
  }
  return bits;
}();

template <class T>
void select(WarpContext& warp, const Operation& operation, LaneMask lanes) {
  const LaneMask predicate = operation.count != 0 ? ~warp.predicate(operation.c) : warp.predicate(operation.c);
  LaneWord<T>* const d = warp.write<T>(operation.d);
  const LaneWord<T>* const a = warp.read<T>(operation.a);
  const LaneWord<T>* const b = warp.read<T>(operation.b);
  set_lanes(d, lanes, [=](std::uint32_t lane) { return (predicate & kLaneBits[lane]) != 0 ? a[lane] : b[lane]; });
}

}  // namespace

void bind_slct(OperationBuilder& b) {
  const bool flushes = b.take("ftz");
  const DataType type = b.take_type();
  const DataType condition = b.take_type();
  bind_operands(b, {type, type, type, condition});
  b.operation.run = for_bits(b, type, [&](auto tag) -> Handler {
    using T = typename decltype(tag)::Type;
    if (condition == DataType::kS32) {
      return best_for_host<map_three<Select<T, std::int32_t, false>, T, T, T, std::int32_t>>();
    }
    return flushes ? best_for_host<map_three<Select<T, float, true>, T, T, T, float>>()
                   : best_for_host<map_three<Select<T, float, false>, T, T, T, float>>();
  });
}

void bind_selp(OperationBuilder& b) {
  const DataType type = b.take_type();
  bind_operands(b, {type, type, type});
  b.operation.c = b.predicate_source(3);
  b.operation.count = b.negates(3) ? 1 : 0;
  b.operation.run = for_bits(b, type, [](auto tag) -> Handler {
    using T = typename decltype(tag)::Type;
    return best_for_host<select<T>>();
  });
  b.operation.form = form_by_width(type, HostForm::kSelect32, HostForm::kSelect64);
}

}  // namespace warpsim
