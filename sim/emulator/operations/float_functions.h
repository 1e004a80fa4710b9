// Functions of single and double precision that IEEE 754 defines, for handlers made of them (lane_functions.h).
#pragma once

#include <cmath>

#include "emulator/numbers/float_rounding.h"
#include "emulator/operations/host_form.h"
#include "emulator/operations/operation.h"

namespace warpsim::float_functions {

struct Add {
  static constexpr HostForm kSingle = HostForm::kFloatAdd;
  static constexpr HostForm kDouble = HostForm::kDoubleAdd;
  static constexpr HostForm kInWords = HostForm::kDoubleAddInWords;
  template <class T>
  static T of(T a, T b) {
    return a + b;
  }
};
struct Sub {
  static constexpr HostForm kSingle = HostForm::kFloatSubtract;
  template <class T>
  static T of(T a, T b) {
    return a - b;
  }
};
struct Mul {
  static constexpr HostForm kSingle = HostForm::kFloatMultiply;
  static constexpr HostForm kDouble = HostForm::kDoubleMultiply;
  static constexpr HostForm kInWords = HostForm::kDoubleMultiplyInWords;
  template <class T>
  static T of(T a, T b) {
    return a * b;
  }
  static float scaled(float a, float b) { return (a * kTinyScale) * b; }
};
struct Div {
  static constexpr bool kFirstNan = true;  // the first of two NaNs passes
  template <class T>
  static T of(T a, T b) {
    return a / b;
  }
  static float scaled(float a, float b) { return (a * kTinyScale) / b; }
};
struct Fma {
  static constexpr HostForm kSingle = HostForm::kFloatMultiplyAdd;
  static constexpr HostForm kDouble = HostForm::kDoubleMultiplyAdd;
  static constexpr HostForm kInWords = HostForm::kDoubleMultiplyAddInWords;
  template <class T>
  static T of(T a, T b, T c) {
    return std::fma(a, b, c);
  }
  static float scaled(float a, float b, float c) { return std::fma(a * kTinyScale, b, c * kTinyScale); }
};
struct Reciprocal {
  template <class T>
  static T of(T a) {
    return T{1} / a;
  }
  static float scaled(float a) { return kTinyScale / a; }
};
struct SquareRoot {
  template <class T>
  static T of(T a) {
    return std::sqrt(a);
  }
};

// The function with the mode's treatment of sources and result.
template <class Function, class Mode>
struct Moded {
  template <class... T>
  static float of(T... sources) {
    const float result = Function::of(Mode::source(sources)...);
    if constexpr (Mode::kFlushes && requires { Function::scaled(sources...); }) {
      return Mode::result(flushed_by(Function::scaled(Mode::source(sources)...), result));
    } else {
      return Mode::result(result);
    }
  }
};

// The handler with the operation's rounding.
template <Handler kHandler>
void rounded(WarpContext& warp, const Operation& operation, LaneMask lanes) {
  const RoundingScope scope(static_cast<Rounding>(operation.variant));
  kHandler(warp, operation, lanes);
}

}  // namespace warpsim::float_functions
