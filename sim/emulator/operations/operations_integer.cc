// Integer arithmetic.
#include <cstdint>
#include <type_traits>

#include "emulator/numbers/integer_functions.h"
#include "emulator/operations/arithmetic_binders.h"
#include "emulator/operations/lane_functions.h"

namespace warpsim {

namespace {

using ptx::DataType;

// Division by 0 is not defined by PTX; the instruction sequences of NVIDIA's assembler give all ones for both results.
template <class T>
struct Div {
  static T of(T a, T b) {
    if (b == 0) {
      return static_cast<T>(-1);
    }
    if constexpr (std::is_signed_v<T>) {
      if (b == -1) {
        return static_cast<T>(0 - modular(a));
      }
    }
    return static_cast<T>(a / b);
  }
};
template <class T>
struct Rem {
  static T of(T a, T b) {
    if (b == 0) {
      return static_cast<T>(-1);
    }
    if constexpr (std::is_signed_v<T>) {
      if (b == -1) {
        return 0;
      }
    }
    return static_cast<T>(a % b);
  }
};
template <class T>
struct Neg {
  static T of(T a) { return static_cast<T>(0 - modular(a)); }
};
template <class T>
struct Abs {
  static T of(T a) { return a < 0 ? Neg<T>::of(a) : a; }
};
template <class T>
struct Min {
  static T of(T a, T b) { return a < b ? a : b; }
};
template <class T>
struct Max {
  static T of(T a, T b) { return a > b ? a : b; }
};
// Negative results become 0.
template <class Function>
struct Relu {
  template <class T>
  static T of(T a, T b) {
    const T result = Function::of(a, b);
    return result < 0 ? T{0} : result;
  }
};
template <class T>
struct SumOfDifferences {
  static T of(T a, T b, T c) {
    const T difference = a > b ? Sub<T>::of(a, b) : Sub<T>::of(b, a);
    return Add<T>::of(c, difference);
  }
};

// Both halves of a word.
template <class Function, class T>
struct Packed {
  static std::uint32_t of(std::uint32_t a, std::uint32_t b) {
    const auto low = static_cast<std::uint16_t>(Function::of(static_cast<T>(a), static_cast<T>(b)));
    const auto high = static_cast<std::uint16_t>(Function::of(static_cast<T>(a >> 16U), static_cast<T>(b >> 16U)));
    return static_cast<std::uint32_t>(high) << 16U | low;
  }
};

// --- binders ---

template <template <class> class Function>
Handler two(OperationBuilder& b, DataType type) {
  return for_integer(b, type, [](auto tag) -> Handler {
    using T = typename decltype(tag)::Type;
    return best_for_host<map_two<Function<T>, T, T>>();
  });
}

template <template <class> class Function>
Handler three(OperationBuilder& b, DataType type) {
  return for_integer(b, type, [](auto tag) -> Handler {
    using T = typename decltype(tag)::Type;
    return best_for_host<map_three<Function<T>, T, T>>();
  });
}

template <template <class> class Function>
Handler one_signed(OperationBuilder& b, DataType type) {
  switch (type) {
    case DataType::kS16:
      return best_for_host<map_one<Function<std::int16_t>, std::int16_t, std::int16_t>>();
    case DataType::kS32:
      return best_for_host<map_one<Function<std::int32_t>, std::int32_t, std::int32_t>>();
    case DataType::kS64:
      return best_for_host<map_one<Function<std::int64_t>, std::int64_t, std::int64_t>>();
    default:
      b.fail("expected a signed type");
  }
}

DataType doubled(const OperationBuilder& b, DataType type) {
  switch (type) {
    case DataType::kU16:
      return DataType::kU32;
    case DataType::kS16:
      return DataType::kS32;
    case DataType::kU32:
      return DataType::kU64;
    case DataType::kS32:
      return DataType::kS64;
    default:
      b.fail("only products of 16 or 32 bits have a wide form");
  }
}

// mul and mad: the selected half of the product.
void bind_product(OperationBuilder& b, DataType type, bool mad) {
  const DataType third = mad ? type : DataType::kNone;
  if (b.take("wide")) {
    const DataType wide = doubled(b, type);
    bind_operands(b, {wide, type, type, mad ? wide : DataType::kNone});
    const auto choose = [&](auto tag) -> Handler {
      using T = typename decltype(tag)::Type;
      using Wide = typename Doubled<T>::Type;
      return mad ? best_for_host<map_three<MadWide<T>, Wide, T>>() : best_for_host<map_two<MulWide<T>, Wide, T>>();
    };
    b.operation.run = type == DataType::kU16   ? choose(TypeTag<std::uint16_t>{})
                      : type == DataType::kS16 ? choose(TypeTag<std::int16_t>{})
                      : type == DataType::kU32 ? choose(TypeTag<std::uint32_t>{})
                                               : choose(TypeTag<std::int32_t>{});
    if (type == DataType::kU32) {
      b.operation.form = mad ? HostForm::kMultiplyAddWideUnsigned : HostForm::kMultiplyWideUnsigned;
    } else if (type == DataType::kS32) {
      b.operation.form = mad ? HostForm::kMultiplyAddWideSigned : HostForm::kMultiplyWideSigned;
    }
    return;
  }
  bind_operands(b, {type, type, type, third});
  if (b.take("hi")) {
    if (mad && type == DataType::kS32 && b.take("sat")) {
      b.operation.run = best_for_host<map_three<MadHighSaturated, std::int32_t, std::int32_t>>();
      return;
    }
    b.operation.run = mad ? three<MadHigh>(b, type) : two<MulHigh>(b, type);
    return;
  }
  if (!b.take("lo")) {
    b.fail("expected .lo, .hi or .wide");
  }
  b.operation.run = mad ? three<MadLow>(b, type) : two<MulLow>(b, type);
  b.operation.form = mad ? form_by_width(type, HostForm::kMultiplyAdd32, HostForm::kMultiplyAdd64)
                         : form_by_width(type, HostForm::kMultiply32, HostForm::kMultiply64);
}

void bind_sum(OperationBuilder& b, DataType type, bool subtracts) {
  bind_operands(b, {type, type, type});
  if (type == DataType::kS32 && b.take("sat")) {
    b.operation.run = subtracts ? best_for_host<map_two<SubSaturated, std::int32_t, std::int32_t>>()
                                : best_for_host<map_two<AddSaturated, std::int32_t, std::int32_t>>();
    return;
  }
  b.operation.run = subtracts ? two<Sub>(b, type) : two<Add>(b, type);
  b.operation.form = subtracts ? form_by_width(type, HostForm::kSubtract32, HostForm::kSubtract64)
                               : form_by_width(type, HostForm::kAdd32, HostForm::kAdd64);
}

void bind_extreme(OperationBuilder& b, DataType type, bool maximum) {
  bind_operands(b, {type, type, type});
  if (type == DataType::kS32 && b.take("relu")) {
    using T = std::int32_t;
    b.operation.run =
        maximum ? best_for_host<map_two<Relu<Max<T>>, T, T>>() : best_for_host<map_two<Relu<Min<T>>, T, T>>();
    return;
  }
  b.operation.run = maximum ? two<Max>(b, type) : two<Min>(b, type);
  if (type == DataType::kS32) {
    b.operation.form = maximum ? HostForm::kMaximumSigned32 : HostForm::kMinimumSigned32;
  } else {
    b.operation.form =
        form_by_width(type, maximum ? HostForm::kMaximumUnsigned32 : HostForm::kMinimumUnsigned32, HostForm::kNone);
  }
}

template <class Function, class T>
Handler packed() {
  return best_for_host<map_two<Packed<Function, T>, std::uint32_t, std::uint32_t>>();
}

template <class T>
Handler packed_of(OperationBuilder& b, Arithmetic what) {
  const bool relu = std::is_signed_v<T> && (what == Arithmetic::kMin || what == Arithmetic::kMax) && b.take("relu");
  switch (what) {
    case Arithmetic::kAdd:
      return packed<Add<T>, T>();
    case Arithmetic::kSub:
      return packed<Sub<T>, T>();
    case Arithmetic::kMin:
      return relu ? packed<Relu<Min<T>>, T>() : packed<Min<T>, T>();
    case Arithmetic::kMax:
      return relu ? packed<Relu<Max<T>>, T>() : packed<Max<T>, T>();
    default:
      b.fail("there is no packed form");
  }
}

}  // namespace

void bind_integer(OperationBuilder& b, Arithmetic what, DataType type) {
  switch (what) {
    case Arithmetic::kAdd:
    case Arithmetic::kSub:
      bind_sum(b, type, what == Arithmetic::kSub);
      return;
    case Arithmetic::kMul:
    case Arithmetic::kMad:
      bind_product(b, type, what == Arithmetic::kMad);
      return;
    case Arithmetic::kDiv:
      bind_operands(b, {type, type, type});
      b.operation.run = two<Div>(b, type);
      return;
    case Arithmetic::kAbs:
    case Arithmetic::kNeg:
      bind_operands(b, {type, type});
      b.operation.run = what == Arithmetic::kAbs ? one_signed<Abs>(b, type) : one_signed<Neg>(b, type);
      b.operation.form =
          what == Arithmetic::kNeg ? form_by_width(type, HostForm::kNegate32, HostForm::kNone) : HostForm::kNone;
      return;
    case Arithmetic::kMin:
    case Arithmetic::kMax:
      bind_extreme(b, type, what == Arithmetic::kMax);
      return;
  }
}

void bind_packed_integer(OperationBuilder& b, Arithmetic what, bool is_signed) {
  bind_operands(b, {DataType::kB32, DataType::kB32, DataType::kB32});
  b.operation.run = is_signed ? packed_of<std::int16_t>(b, what) : packed_of<std::uint16_t>(b, what);
}

void bind_rem(OperationBuilder& b) {
  const DataType type = b.take_type();
  bind_operands(b, {type, type, type});
  b.operation.run = two<Rem>(b, type);
}

void bind_sad(OperationBuilder& b) {
  const DataType type = b.take_type();
  bind_operands(b, {type, type, type, type});
  b.operation.run = three<SumOfDifferences>(b, type);
}

}  // namespace warpsim
