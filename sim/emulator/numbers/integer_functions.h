// Integer functions that PTX instructions share: all wrap around, none is undefined.
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>

namespace warpsim {

// The unsigned type in which a sum or product is formed, without promotion to int.
template <class T>
using Modular = std::conditional_t<(sizeof(T) < 4), std::uint32_t, std::make_unsigned_t<T>>;
template <class T>
Modular<T> modular(T value) {
  return static_cast<Modular<T>>(value);
}

// A type of twice the width.
template <class T>
struct Doubled;
template <>
struct Doubled<std::uint16_t> {
  using Type = std::uint32_t;
};
template <>
struct Doubled<std::int16_t> {
  using Type = std::int32_t;
};
template <>
struct Doubled<std::uint32_t> {
  using Type = std::uint64_t;
};
template <>
struct Doubled<std::int32_t> {
  using Type = std::int64_t;
};
template <>
struct Doubled<std::uint64_t> {
  __extension__ using Type = unsigned __int128;
};
template <>
struct Doubled<std::int64_t> {
  __extension__ using Type = __int128;
};

inline std::int32_t saturated(std::int64_t value) {
  return static_cast<std::int32_t>(std::clamp<std::int64_t>(value, INT32_MIN, INT32_MAX));
}

template <class T>
struct Add {
  static T of(T a, T b) { return static_cast<T>(modular(a) + modular(b)); }
};
template <class T>
struct Sub {
  static T of(T a, T b) { return static_cast<T>(modular(a) - modular(b)); }
};
struct AddSaturated {
  static std::int32_t of(std::int32_t a, std::int32_t b) { return saturated(std::int64_t{a} + b); }
};
struct SubSaturated {
  static std::int32_t of(std::int32_t a, std::int32_t b) { return saturated(std::int64_t{a} - b); }
};
template <class T>
struct MulLow {
  static T of(T a, T b) { return static_cast<T>(modular(a) * modular(b)); }
};
template <class T>
struct MulHigh {
  using Wide = typename Doubled<T>::Type;
  static T of(T a, T b) {
    if constexpr (sizeof(T) == 2) {  // the product of u16 does not fit int
      return static_cast<T>(static_cast<std::int64_t>(a) * static_cast<std::int64_t>(b) >> 16U);
    } else {
      return static_cast<T>(static_cast<Wide>(a) * static_cast<Wide>(b) >> (8U * sizeof(T)));
    }
  }
};
template <class T>
struct MulWide {
  using Wide = typename Doubled<T>::Type;
  static Wide of(T a, T b) { return static_cast<Wide>(a) * static_cast<Wide>(b); }
};
template <class T>
struct MadLow {
  static T of(T a, T b, T c) { return Add<T>::of(MulLow<T>::of(a, b), c); }
};
template <class T>
struct MadHigh {
  static T of(T a, T b, T c) { return Add<T>::of(MulHigh<T>::of(a, b), c); }
};
template <class T>
struct MadWide {
  using Wide = typename Doubled<T>::Type;
  static Wide of(T a, T b, Wide c) { return Add<Wide>::of(MulWide<T>::of(a, b), c); }
};
struct MadHighSaturated {
  static std::int32_t of(std::int32_t a, std::int32_t b, std::int32_t c) {
    return saturated(std::int64_t{MulHigh<std::int32_t>::of(a, b)} + c);
  }
};
}  // namespace warpsim
