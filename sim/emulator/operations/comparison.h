// Comparisons of PTX. Two values have one of four relations; a comparison is the set of relations that satisfy it.
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>

namespace warpsim {

inline constexpr unsigned kLess = 1;
inline constexpr unsigned kEqual = 2;
inline constexpr unsigned kGreater = 4;
inline constexpr unsigned kUnordered = 8;

// For lt, ls, equ and the like. `lo`, `ls`, `hi` and `hs` are the unsigned forms of lt, le, gt and ge.
std::optional<unsigned> comparison_of(std::string_view word);

template <unsigned kRelations, class T>
bool holds(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    // Each set as comparisons of the host, so that loops vectorise.
    switch (kRelations) {
      case kEqual:
        return a == b;
      case kLess:
        return a < b;
      case kGreater:
        return a > b;
      case kLess | kEqual:
        return a <= b;
      case kGreater | kEqual:
        return a >= b;
      case kLess | kGreater:
        return a < b || a > b;
      case kEqual | kUnordered:
        return !(a < b || a > b);
      case kLess | kUnordered:
        return !(a >= b);
      case kGreater | kUnordered:
        return !(a <= b);
      case kLess | kEqual | kUnordered:
        return !(a > b);
      case kGreater | kEqual | kUnordered:
        return !(a < b);
      case kLess | kGreater | kUnordered:
        return a != b;
      case kUnordered:
        return std::isunordered(a, b);
      default:
        return !std::isunordered(a, b);
    }
  } else {
    return ((kRelations & kLess) != 0 && a < b) || ((kRelations & kEqual) != 0 && a == b) ||
           ((kRelations & kGreater) != 0 && a > b);
  }
}

}  // namespace warpsim
