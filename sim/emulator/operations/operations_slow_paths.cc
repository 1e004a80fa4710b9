// Whether the operands of a division or root need the function of its slow path (codegen/slow_paths.h). The tests are
// those of code of ptxas 13.0.
#include <bit>
#include <cmath>
#include <cstdint>
#include <string_view>

#include "emulator/execution/warp_context.h"
#include "emulator/operations/lanes.h"
#include "emulator/operations/operation_builder.h"
#include "emulator/operations/operation_table.h"

namespace warpsim {

namespace {

using ptx::DataType;
using Word = std::uint32_t;
using Wide64 = std::uint64_t;

Word high(Wide64 value) {
  return static_cast<Word>(value >> 32U);
}
// The absolute value of the high word, as a number of single precision.
float high_single(Wide64 value) {
  return std::fabs(std::bit_cast<float>(high(value)));
}

struct Reciprocal {
  static bool of(Word a) { return ((a + 0x1800000U) & 0x7f800000U) <= 0x1ffffffU; }
};
struct Root {
  static bool of(Word a) { return a - 0xd000000U > 0x727fffffU; }
};
struct ReciprocalDouble {
  static bool of(Wide64 a) { return std::fabs(std::bit_cast<float>(high(a) + 0x300402U)) < 5.8789094863358348022e-39F; }
};
struct RootDouble {
  static bool of(Wide64 a) { return high(a) + 0xfcb00000U >= 0x7ca00000U; }
};
struct ReciprocalRootDouble {
  static bool of(Wide64 a) { return high(a) + 0xfff00000U >= 0x7fe00000U; }
};

template <class Test, class Value>
void test_one(WarpContext& warp, const Operation& operation, LaneMask lanes) {
  const Value* const a = warp.read<Value>(operation.a);
  LaneMask slow = 0;
  for_lanes(lanes, [&](std::uint32_t lane) { slow |= static_cast<LaneMask>(Test::of(a[lane])) << lane; });
  warp.set_predicate(operation.d, lanes, slow);
}

// One of them has more than 32 bits.
void test_wide(WarpContext& warp, const Operation& operation, LaneMask lanes) {
  const Wide64* const a = warp.read<Wide64>(operation.a);
  const Wide64* const b = warp.read<Wide64>(operation.b);
  LaneMask slow = 0;
  for_lanes(lanes, [&](std::uint32_t lane) { slow |= static_cast<LaneMask>(high(a[lane] | b[lane]) != 0) << lane; });
  warp.set_predicate(operation.d, lanes, slow);
}

// a / b, c: the quotient. Not the reverse comparisons: a NaN is slow.
void test_quotient(WarpContext& warp, const Operation& operation, LaneMask lanes) {
  const Wide64* const a = warp.read<Wide64>(operation.a);
  const Wide64* const b = warp.read<Wide64>(operation.b);
  const Wide64* const c = warp.read<Wide64>(operation.c);
  LaneMask slow = 0;
  for_lanes(lanes, [&](std::uint32_t lane) {
    const float sum = 0.0F * std::bit_cast<float>(high(b[lane])) + std::bit_cast<float>(high(c[lane]));
    const bool fast = high_single(a[lane]) >= 6.5827683646048100446e-37F && std::fabs(sum) > 1.469367938527859385e-39F;
    slow |= static_cast<LaneMask>(!fast) << lane;
  });
  warp.set_predicate(operation.d, lanes, slow);
}

}  // namespace

void bind_slow_path_test(OperationBuilder& b) {
  const std::string_view name = b.take_next();
  const DataType type = b.take_type();
  b.operation.d = b.predicate_destination(0);
  b.operation.a = b.source(1, type);
  const bool is_double = type == DataType::kF64;
  if (name == "rcp") {
    b.operation.run = is_double ? test_one<ReciprocalDouble, Wide64> : test_one<Reciprocal, Word>;
  } else if (name == "sqrt") {
    b.operation.run = is_double ? test_one<RootDouble, Wide64> : test_one<Root, Word>;
  } else if (name == "rsqrt") {
    b.operation.run = test_one<ReciprocalRootDouble, Wide64>;
  } else {
    b.operation.b = b.source(2, type);
    b.operation.run = test_wide;
    if (is_double) {
      b.operation.c = b.source(3, type);
      b.operation.run = test_quotient;
    }
  }
}

}  // namespace warpsim
