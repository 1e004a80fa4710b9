// Single and double precision: what IEEE 754 defines. Compiled without contraction of products and sums.
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

#include "emulator/numbers/float_rounding.h"
#include "emulator/numbers/half_float.h"
#include "emulator/operations/arithmetic_binders.h"
#include "emulator/operations/float_functions.h"
#include "emulator/operations/lane_functions.h"
#include "emulator/operations/machine_operands.h"

namespace warpsim {

namespace {

using ptx::DataType;
using namespace float_functions;

struct Pair {
  float low;
  float high;
};
template <class Function>
struct Both {
  template <class... T>
  static Pair of(T... sources) {
    return {Function::of(sources.low...), Function::of(sources.high...)};
  }
};

// With the NaN that passes (number_or_nan in float_rounding.h).
template <class Function>
struct WithNan {
  static double of(double a) { return number_or_nan(Function::of(a), a, a); }
  static double of(double a, double b) {
    constexpr bool kFirst = requires {
      Function::kFirstNan;
    };
    return number_or_nan(Function::of(a, b), kFirst ? b : a, kFirst ? a : b);
  }
  static double of(double a, double b, double c) { return number_or_nan(Function::of(a, b, c), is_nan(c) ? c : a, b); }
};

// NaNs are rare: they are handled only if a lane has one.
using DoubleWord = LaneWord<double>;
template <class Function, class... Words>
void compute_doubles(DoubleWord* d, LaneMask lanes, const Words*... sources) {
  constexpr DoubleWord kPastInfinity = 0x000fffffffffffff;
  constexpr unsigned kSignPlace = 63;
  std::array<DoubleWord, kWarpSize> results;
  DoubleWord marks = 0;  // the highest bit is set if a result is a NaN
  for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
    results[lane] = std::bit_cast<DoubleWord>(Function::of(std::bit_cast<double>(sources[lane])...));
    marks |= (results[lane] & ~(DoubleWord{1} << kSignPlace)) + kPastInfinity;
  }
  if (marks >> kSignPlace != 0) {
    for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
      results[lane] = std::bit_cast<DoubleWord>(WithNan<Function>::of(std::bit_cast<double>(sources[lane])...));
    }
  }
  for_own_lanes(lanes, [&](std::uint32_t lane) { d[lane] = results[lane]; });
}
template <class Function, int kSources>
void doubles(WarpContext& warp, const Operation& operation, LaneMask lanes) {
  const RoundingScope scope(static_cast<Rounding>(operation.variant));
  DoubleWord* const d = warp.write<double>(operation.d);
  const DoubleWord* const a = warp.read<double>(operation.a);
  if constexpr (kSources == 1) {
    compute_doubles<Function>(d, lanes, a);
  } else if constexpr (kSources == 2) {
    compute_doubles<Function>(d, lanes, a, warp.read<double>(operation.b));
  } else {
    compute_doubles<Function>(d, lanes, a, warp.read<double>(operation.b), warp.read<double>(operation.c));
  }
}

// The same for doubles in two registers of 32 bits each, as machine code has them. In the lists: lower and upper word
// of the result, then of each source.
template <class Function, int kSources>
void doubles_in_words(WarpContext& warp, const Operation& operation, LaneMask lanes) {
  const RoundingScope scope(static_cast<Rounding>(operation.variant));
  const OperandPlace* const places = warp.lists + operation.target;
  std::array<std::array<DoubleWord, kWarpSize>, kSources> sources;
  for (std::size_t i = 0; i < kSources; ++i) {
    const auto* const low = warp.read<std::uint32_t>(places[2 * i + 2]);
    const auto* const high = warp.read<std::uint32_t>(places[2 * i + 3]);
    for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
      sources[i][lane] = DoubleWord{high[lane]} << 32U | low[lane];
    }
  }
  std::array<DoubleWord, kWarpSize> results;
  if constexpr (kSources == 2) {
    compute_doubles<Function>(results.data(), kAllLanes, sources[0].data(), sources[1].data());
  } else {
    compute_doubles<Function>(results.data(), kAllLanes, sources[0].data(), sources[1].data(), sources[2].data());
  }
  auto* const low = warp.write<std::uint32_t>(places[0]);
  auto* const high = warp.write<std::uint32_t>(places[1]);
  for_own_lanes(lanes, [&](std::uint32_t lane) {
    low[lane] = static_cast<std::uint32_t>(results[lane]);
    high[lane] = static_cast<std::uint32_t>(results[lane] >> 32U);
  });
}

// {lower word, upper word}, or a number.
void add_words(OperationBuilder& b, ExtraPlaces& places, const ptx::Operand& operand) {
  if (operand.kind == ptx::Operand::Kind::kFloat && !operand.single) {
    places.add(b.constant(operand.bits & 0xffffffffU, sizeof(std::uint32_t)));
    places.add(b.constant(operand.bits >> 32U, sizeof(std::uint32_t)));
    return;
  }
  if (operand.kind != ptx::Operand::Kind::kVector || operand.elements.size() != 2) {
    b.fail("expected a vector of two registers");
  }
  places.add(b.source(operand.elements[0], DataType::kB32));
  places.add(b.source(operand.elements[1], DataType::kB32));
}

// The handler of a function of so many sources of type T.
template <class Function, class T, int kSources>
Handler handler_of() {
  if constexpr (kSources == 1) {
    return best_for_host<rounded<map_one<Function, T, T>>>();
  } else if constexpr (kSources == 2) {
    return best_for_host<rounded<map_two<Function, T, T>>>();
  } else {
    return best_for_host<rounded<map_three<Function, T, T>>>();
  }
}

template <class Function, int kSources>
void bind_ieee_single(OperationBuilder& b) {
  b.operation.variant = static_cast<std::uint8_t>(take_rounding(b));
  const bool flushes = b.take("ftz");
  const bool saturates = b.take("sat");
  constexpr DataType kType = DataType::kF32;
  bind_operands(b, {kType, kType, kSources > 1 ? kType : DataType::kNone, kSources > 2 ? kType : DataType::kNone});
  b.operation.run = flushes ? (saturates ? handler_of<Moded<Function, SingleMode<true, true>>, float, kSources>()
                                         : handler_of<Moded<Function, SingleMode<true, false>>, float, kSources>())
                            : (saturates ? handler_of<Moded<Function, SingleMode<false, true>>, float, kSources>()
                                         : handler_of<Moded<Function, SingleMode<false, false>>, float, kSources>());
  if constexpr (requires { Function::kSingle; }) {
    b.operation.form = Function::kSingle;
    b.operation.host_detail = float_detail(flushes, saturates);
  }
}

template <class Function, int kSources>
void bind_ieee_pair(OperationBuilder& b) {
  b.operation.variant = static_cast<std::uint8_t>(take_rounding(b));
  const bool flushes = b.take("ftz");
  constexpr DataType kType = DataType::kF32x2;
  bind_operands(b, {kType, kType, kType, kSources > 2 ? kType : DataType::kNone});
  b.operation.run = flushes ? handler_of<Both<Moded<Function, SingleMode<true, false>>>, Pair, kSources>()
                            : handler_of<Both<Moded<Function, SingleMode<false, false>>>, Pair, kSources>();
}

template <class Function, int kSources>
void bind_ieee_double(OperationBuilder& b) {
  b.operation.variant = static_cast<std::uint8_t>(take_rounding(b));
  if constexpr (kSources > 1) {
    if (b.operand(0).kind == ptx::Operand::Kind::kVector) {
      const ptx::Operand& result = b.operand(0);
      ExtraPlaces places(b);
      for (const ptx::Operand& word : result.elements) {
        places.add(b.destination(word, DataType::kB32));
      }
      for (std::size_t i = 1; i <= kSources; ++i) {
        add_words(b, places, b.operand(i));
      }
      if (result.elements.size() != 2) {
        b.fail("expected a vector of two registers");
      }
      b.operation.run = best_for_host<doubles_in_words<Function, kSources>>();
      if constexpr (requires { Function::kInWords; }) {
        b.operation.form = Function::kInWords;
      }
      return;
    }
  }
  constexpr DataType kType = DataType::kF64;
  bind_operands(b, {kType, kType, kSources > 1 ? kType : DataType::kNone, kSources > 2 ? kType : DataType::kNone});
  b.operation.run = kSources == 3 ? best_for_host<doubles<Function, kSources>>() : doubles<Function, kSources>;
  if constexpr (requires { Function::kDouble; }) {
    b.operation.form = Function::kDouble;
  }
}

}  // namespace

void bind_single(OperationBuilder& b, Arithmetic what) {
  switch (what) {
    case Arithmetic::kAdd:
      bind_ieee_single<Add, 2>(b);
      return;
    case Arithmetic::kSub:
      bind_ieee_single<Sub, 2>(b);
      return;
    case Arithmetic::kMul:
      bind_ieee_single<Mul, 2>(b);
      return;
    case Arithmetic::kMad:
      bind_ieee_single<Fma, 3>(b);
      return;
    case Arithmetic::kDiv:
      if (b.take("approx")) {
        bind_approximate_division(b, false);
      } else if (b.take("full")) {
        bind_approximate_division(b, true);
      } else {
        bind_ieee_single<Div, 2>(b);
      }
      return;
    default:
      bind_single_sign(b, what);
  }
}

void bind_single_pair(OperationBuilder& b, Arithmetic what) {
  switch (what) {
    case Arithmetic::kAdd:
      bind_ieee_pair<Add, 2>(b);
      return;
    case Arithmetic::kSub:
      bind_ieee_pair<Sub, 2>(b);
      return;
    case Arithmetic::kMul:
      bind_ieee_pair<Mul, 2>(b);
      return;
    case Arithmetic::kMad:
      bind_ieee_pair<Fma, 3>(b);
      return;
    default:
      b.fail("there is no form for .f32x2");
  }
}

void bind_double(OperationBuilder& b, Arithmetic what) {
  switch (what) {
    case Arithmetic::kAdd:
      bind_ieee_double<Add, 2>(b);
      return;
    case Arithmetic::kSub:
      bind_ieee_double<Sub, 2>(b);
      return;
    case Arithmetic::kMul:
      bind_ieee_double<Mul, 2>(b);
      return;
    case Arithmetic::kMad:
      bind_ieee_double<Fma, 3>(b);
      return;
    case Arithmetic::kDiv:
      bind_ieee_double<Div, 2>(b);
      return;
    default:
      bind_double_sign(b, what);
  }
}

void bind_rcp(OperationBuilder& b) {
  if (b.take("approx")) {
    bind_approximation(b, Approximation::kReciprocal);
  } else if (b.take_type() == DataType::kF64) {
    bind_ieee_double<Reciprocal, 1>(b);
  } else {
    bind_ieee_single<Reciprocal, 1>(b);
  }
}

void bind_sqrt(OperationBuilder& b) {
  if (b.take("approx")) {
    bind_approximation(b, Approximation::kSquareRoot);
  } else if (b.take_type() == DataType::kF64) {
    bind_ieee_double<SquareRoot, 1>(b);
  } else {
    bind_ieee_single<SquareRoot, 1>(b);
  }
}

}  // namespace warpsim
