// Products of parts of words: 24 bits, bytes, halves.
#include <cstdint>

#include "emulator/numbers/integer_functions.h"
#include "emulator/operations/arithmetic_binders.h"
#include "emulator/operations/lane_functions.h"

namespace warpsim {

namespace {

using ptx::DataType;

// Factors of 24 bits.
template <class T>
std::int64_t product24(T a, T b) {
  constexpr unsigned kUnused = 8;
  const auto low24 = [](T value) { return std::int64_t{static_cast<T>(modular(value) << kUnused) >> kUnused}; };
  return low24(a) * low24(b);
}
template <class T, bool kHigh>
struct Mul24 {
  static T of(T a, T b) { return static_cast<T>(product24(a, b) >> (kHigh ? 16U : 0U)); }
};
template <class T, bool kHigh>
struct Mad24 {
  static T of(T a, T b, T c) { return Add<T>::of(Mul24<T, kHigh>::of(a, b), c); }
};
struct Mad24Saturated {
  static std::int32_t of(std::int32_t a, std::int32_t b, std::int32_t c) {
    return saturated(std::int64_t{Mul24<std::int32_t, true>::of(a, b)} + c);
  }
};

template <class A, class B>
struct Dp4a {
  static std::uint32_t of(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    for (unsigned shift = 0; shift < 32; shift += 8) {
      c += static_cast<std::uint32_t>(static_cast<A>(a >> shift) * static_cast<B>(b >> shift));
    }
    return c;
  }
};
template <class A, class B, bool kHigh>
struct Dp2a {
  static std::uint32_t of(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    const std::uint32_t bytes = kHigh ? b >> 16U : b;
    return c + static_cast<std::uint32_t>(static_cast<A>(a) * static_cast<B>(bytes)) +
           static_cast<std::uint32_t>(static_cast<A>(a >> 16U) * static_cast<B>(bytes >> 8U));
  }
};

// Calls choose<A, B>() for the signs of two factors.
template <class Unsigned, class Signed, class Choose>
Handler for_signs(bool a, bool b, Choose&& choose) {
  if (a) {
    return b ? choose(TypeTag<Signed>{}, TypeTag<Signed>{}) : choose(TypeTag<Signed>{}, TypeTag<Unsigned>{});
  }
  return b ? choose(TypeTag<Unsigned>{}, TypeTag<Signed>{}) : choose(TypeTag<Unsigned>{}, TypeTag<Unsigned>{});
}

}  // namespace

void bind_mul24(OperationBuilder& b) {
  const bool high = b.take("hi");
  if (!high && !b.take("lo")) {
    b.fail("expected .lo or .hi");
  }
  const DataType type = b.take_type();
  bind_operands(b, {type, type, type});
  using U = std::uint32_t;
  using S = std::int32_t;
  b.operation.run =
      type == DataType::kU32
          ? (high ? best_for_host<map_two<Mul24<U, true>, U, U>>() : best_for_host<map_two<Mul24<U, false>, U, U>>())
          : (high ? best_for_host<map_two<Mul24<S, true>, S, S>>() : best_for_host<map_two<Mul24<S, false>, S, S>>());
}

void bind_mad24(OperationBuilder& b) {
  const bool high = b.take("hi");
  if (!high && !b.take("lo")) {
    b.fail("expected .lo or .hi");
  }
  const DataType type = b.take_type();
  bind_operands(b, {type, type, type, type});
  using U = std::uint32_t;
  using S = std::int32_t;
  if (high && type == DataType::kS32 && b.take("sat")) {
    b.operation.run = best_for_host<map_three<Mad24Saturated, S, S>>();
    return;
  }
  b.operation.run = type == DataType::kU32 ? (high ? best_for_host<map_three<Mad24<U, true>, U, U>>()
                                                   : best_for_host<map_three<Mad24<U, false>, U, U>>())
                                           : (high ? best_for_host<map_three<Mad24<S, true>, S, S>>()
                                                   : best_for_host<map_three<Mad24<S, false>, S, S>>());
}

void bind_dp4a(OperationBuilder& b) {
  const bool a_signed = b.take_type() == DataType::kS32;
  const bool b_signed = b.take_type() == DataType::kS32;
  bind_operands(b, {DataType::kB32, DataType::kB32, DataType::kB32, DataType::kB32});
  b.operation.run = for_signs<std::uint8_t, std::int8_t>(a_signed, b_signed, [](auto x, auto y) -> Handler {
    return best_for_host<
        map_three<Dp4a<typename decltype(x)::Type, typename decltype(y)::Type>, std::uint32_t, std::uint32_t>>();
  });
}

void bind_dp2a(OperationBuilder& b) {
  const bool high = b.take("hi");
  if (!high && !b.take("lo")) {
    b.fail("expected .lo or .hi");
  }
  const bool a_signed = b.take_type() == DataType::kS32;
  const bool b_signed = b.take_type() == DataType::kS32;
  bind_operands(b, {DataType::kB32, DataType::kB32, DataType::kB32, DataType::kB32});
  using Word = std::uint32_t;
  const auto choose_half = [high](auto x, auto bytes) -> Handler {
    using A = std::conditional_t<std::is_signed_v<typename decltype(x)::Type>, std::int16_t, std::uint16_t>;
    using B = typename decltype(bytes)::Type;
    return high ? best_for_host<map_three<Dp2a<A, B, true>, Word, Word>>()
                : best_for_host<map_three<Dp2a<A, B, false>, Word, Word>>();
  };
  b.operation.run = for_signs<std::uint8_t, std::int8_t>(a_signed, b_signed, choose_half);
}

}  // namespace warpsim
