// Decides in 113 bits whether a floating-point result is the rounded exact one: an oracle without rounding of its own.
#pragma once

#include <cmath>
#include <limits>
#include <string>

namespace warpsim::test {

__extension__ using Quad = __float128;

// The sum of two quads, exactly.
struct ExactSum {
  Quad sum;
  Quad rest;
  ExactSum(Quad a, Quad b) : sum(a + b) {
    const Quad part = sum - a;
    rest = (a - (sum - part)) + (b - part);
  }
  // Sign of x minus the exact value.
  int compare(Quad x) const {
    const Quad difference = x - sum;
    return difference < rest ? -1 : difference > rest ? 1 : 0;
  }
};
// a / b
struct ExactQuotient {
  Quad a;
  Quad b;
  int compare(Quad x) const {
    const Quad product = x * b;
    const int sign = product < a ? -1 : product > a ? 1 : 0;
    return b < 0 ? -sign : sign;
  }
};
// The square root of a.
struct ExactRoot {
  Quad a;
  int compare(Quad x) const { return x < 0 || x * x < a ? -1 : x * x > a ? 1 : 0; }
};

// Whether `result` is the exact value rounded by .rn, .rz, .rm or .rp. Signs of zeros are ignored.
template <class T, class Exact>
bool is_rounded(T result, const Exact& exact, const std::string& rounding) {
  using Limits = std::numeric_limits<T>;
  if (result != result) {
    return false;
  }
  // Directed away from it, the largest number represents everything beyond it. An infinite result represents the number
  // after the largest one.
  const Quad beyond = Quad{Limits::max()} + (Quad{Limits::max()} - Quad{std::nextafter(Limits::max(), T{0})});
  const auto quad = [&](T value) { return std::isinf(value) ? (value > 0 ? beyond : -beyond) : Quad{value}; };
  const Quad value = quad(result);
  const bool is_top = std::isinf(result) && result > 0;
  const bool is_bottom = std::isinf(result) && result < 0;
  const Quad above = is_top ? 2 * beyond : quad(std::nextafter(result, Limits::infinity()));
  const Quad below = is_bottom ? -2 * beyond : quad(std::nextafter(result, -Limits::infinity()));
  const int sign = exact.compare(value);
  const bool positive = exact.compare(0) < 0;
  const bool is_down = (is_bottom || sign <= 0) && (result == Limits::max() || exact.compare(above) > 0);
  const bool is_up = (is_top || sign >= 0) && (result == Limits::lowest() || exact.compare(below) < 0);
  if (rounding == "rm" || (rounding == "rz" && positive)) {
    return is_top ? false : is_down;
  }
  if (rounding == "rp" || rounding == "rz") {
    return is_bottom ? false : is_up;
  }
  const int at_upper = exact.compare((value + above) / 2);
  const int at_lower = exact.compare((value + below) / 2);
  int exponent = 0;
  const T scaled = std::isinf(result) ? T{0} : std::frexp(result, &exponent);
  // Even: the last place is that of subnormal numbers or of the number itself.
  const int place = std::max(exponent - Limits::digits, Limits::min_exponent - Limits::digits);
  const bool even = std::fmod(std::ldexp(scaled, exponent - place), T{2}) == 0;
  return (is_top || at_upper > 0 || (at_upper == 0 && even)) && (is_bottom || at_lower < 0 || (at_lower == 0 && even));
}

}  // namespace warpsim::test
