// The result of an atomic operation on a value in memory, one element at a time.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "emulator/numbers/float_rounding.h"
#include "emulator/operations/operation_builder.h"
#include "ptx/module.h"

namespace warpsim {

enum class Atomic : std::uint8_t { kAdd, kMin, kMax, kAnd, kOr, kXor, kExchange, kCompareSwap, kIncrement, kDecrement };

template <class T>
T without_subnormal(T value) {
  return std::fpclassify(value) == FP_SUBNORMAL ? std::copysign(T{0}, value) : value;
}

// `Global`: in global memory single precision treats subnormals as zeros, and double precision stores a NaN unchanged,
// the operand's before its own; elsewhere it becomes quiet, as in arithmetic, the memory's before the operand's.
template <class T, bool Global>
T add_floats(T a, T b);
template <>
inline float add_floats<float, false>(float a, float b) {
  return canonical(a + b);
}
template <>
inline float add_floats<float, true>(float a, float b) {
  return canonical(without_subnormal(without_subnormal(a) + without_subnormal(b)));
}
template <>
inline double add_floats<double, false>(double a, double b) {
  return number_or_nan(a + b, b, a);
}
template <>
inline double add_floats<double, true>(double a, double b) {
  return is_nan(b) ? b : is_nan(a) ? a : number_or_nan(a + b, a, b);
}

template <class T>
T wrapped_sum(T a, T b) {
  using U = std::make_unsigned_t<T>;
  return static_cast<T>(static_cast<U>(a) + static_cast<U>(b));
}

// The value that replaces `old`; `c` is stored if the comparison finds b.
template <class T>
T updated(Atomic how, T old, T b, T c) {
  if constexpr (std::is_integral_v<T>) {
    switch (how) {
      case Atomic::kAdd:
        return wrapped_sum(old, b);
      case Atomic::kMin:
        return std::min(old, b);
      case Atomic::kMax:
        return std::max(old, b);
      case Atomic::kAnd:
        return old & b;
      case Atomic::kOr:
        return old | b;
      case Atomic::kXor:
        return old ^ b;
      case Atomic::kIncrement:
        return old >= b ? T{0} : static_cast<T>(old + 1);
      case Atomic::kDecrement:
        return old == 0 || old > b ? b : static_cast<T>(old - 1);
      case Atomic::kExchange:
        return b;
      case Atomic::kCompareSwap:
        return old == b ? c : old;
    }
  }
  return how == Atomic::kAdd ? old + b : b;
}

template <std::size_t kBytes>
struct UnsignedType;
template <>
struct UnsignedType<2> {
  using Type = std::uint16_t;
};
template <>
struct UnsignedType<4> {
  using Type = std::uint32_t;
};
template <>
struct UnsignedType<8> {
  using Type = std::uint64_t;
};
template <>
struct UnsignedType<16> {
  __extension__ using Type = unsigned __int128;
};
template <std::size_t kBytes>
using UnsignedOfSize = typename UnsignedType<kBytes>::Type;

// Replaces the value at `place` by `next` of it, and returns what was there. With `atomically` this holds also against
// other threads of the host and other processes that do it at the same time; a kernel that one thread executes needs it
// not, as its lanes take turns.
template <class T, class Next>
T update_value(std::byte* place, bool atomically, const Next& next) {
  T old;
  std::memcpy(&old, place, sizeof(T));
  if (!atomically) {
    const T value = next(old);
    std::memcpy(place, &value, sizeof(T));
    return old;
  }
  // The form of the built-in function that needs no library for 16 bytes.
  using Bits = UnsignedOfSize<sizeof(T)>;
  auto* const word = reinterpret_cast<Bits*>(place);
  auto expected = std::bit_cast<Bits>(old);
  while (true) {
    const Bits found =
        __sync_val_compare_and_swap(word, expected, std::bit_cast<Bits>(next(std::bit_cast<T>(expected))));
    if (found == expected) {
      return std::bit_cast<T>(found);
    }
    expected = found;
  }
}

// Reads the word that names the operation. Fails if there is none.
Atomic take_atomic(OperationBuilder& builder);

// Updates the element at `target` with that at `value`; both in their memory format.
using ElementUpdate = void (*)(std::byte* target, const std::byte* value);
// Null if there is no such operation on the type. Exchanges do not count. Single precision treats subnormal numbers as
// zeros. `atomically`: as in update_value().
ElementUpdate element_update(Atomic how, ptx::DataType type, bool atomically = false);

}  // namespace warpsim
