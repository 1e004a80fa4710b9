// The lowest multiple of a number that is not below a value.
#pragma once

#include <concepts>
#include <type_traits>

namespace warpsim {

template <std::unsigned_integral Number>
constexpr Number round_up(Number value, std::type_identity_t<Number> multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

}  // namespace warpsim
