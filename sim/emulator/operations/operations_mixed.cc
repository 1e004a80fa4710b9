// Single precision with sources of half precision. Compiled without contraction of products and sums.
#include <cstdint>

#include "emulator/numbers/half_float.h"
#include "emulator/operations/arithmetic_binders.h"
#include "emulator/operations/float_functions.h"
#include "emulator/operations/lane_functions.h"

namespace warpsim {

namespace {

using ptx::DataType;
using namespace float_functions;

// The first sources in half precision, the last in single precision.
template <class Function, class Mode>
struct Mixed {
  template <class H>
  static float of(H a, float c) {
    return Mode::result(Function::of(to_single(a), c));
  }
  template <class H>
  static float of(H a, H b, float c) {
    return Mode::result(Function::of(to_single(a), to_single(b), c));
  }
};

template <class Mode, class H>
Handler mixed_handler(const OperationBuilder& b, Arithmetic what) {
  switch (what) {
    case Arithmetic::kAdd:
      return rounded<map_two<Mixed<Add, Mode>, float, H, float>>;
    case Arithmetic::kSub:
      return rounded<map_two<Mixed<Sub, Mode>, float, H, float>>;
    case Arithmetic::kMad:
      return best_for_host<rounded<map_three<Mixed<Fma, Mode>, float, H, H, float>>>();
    default:
      b.fail("there is no form with sources of half precision");
  }
}

}  // namespace

void bind_mixed(OperationBuilder& b, Arithmetic what, DataType narrow) {
  b.operation.variant = static_cast<std::uint8_t>(take_rounding(b));
  const bool saturates = b.take("sat");
  if (what == Arithmetic::kMad) {
    bind_operands(b, {DataType::kF32, DataType::kB16, DataType::kB16, DataType::kF32});
  } else {
    bind_operands(b, {DataType::kF32, DataType::kB16, DataType::kF32});
  }
  using Plain = SingleMode<false, false>;
  using Saturated = SingleMode<false, true>;
  if (narrow == DataType::kF16) {
    b.operation.run = saturates ? mixed_handler<Saturated, Half>(b, what) : mixed_handler<Plain, Half>(b, what);
  } else {
    b.operation.run = saturates ? mixed_handler<Saturated, Brain>(b, what) : mixed_handler<Plain, Brain>(b, what);
  }
}

}  // namespace warpsim
