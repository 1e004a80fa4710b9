#include "report/export_numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "report/query_table.h"

namespace warpsim {

namespace {

// Of the rounded value: 9.9996 is 10.00 in four digits.
int exponent_after_rounding(double value, int digits) {
  const std::string text = fmt::format("{:.{}e}", value, digits - 1);
  return std::atoi(text.c_str() + text.find('e') + 1);
}

std::string significant(double value, int digits) {
  constexpr int kLeastFixed = -4;
  if (value == 0) {
    return "0";
  }
  const int exponent = exponent_after_rounding(value, digits);
  if (exponent < kLeastFixed) {
    return fmt::format("{:.{}e}", value, digits - 1);
  }
  return fmt::format("{:.{}f}", value, std::max(0, digits - 1 - exponent));
}

std::string fixed(double value, int digits) {
  std::string text = fmt::format("{:.{}f}", value, digits);
  const bool lost = value != 0 && text.find_first_of("123456789") == std::string::npos;
  return lost ? fmt::format("{:.1e}", value) : text;
}

}  // namespace

std::string rounded(double value, DecimalRounding rounding) {
  if (rounding.kind == DecimalRounding::Kind::kExact || !std::isfinite(value)) {
    return text_of(Cell(value));
  }
  return rounding.kind == DecimalRounding::Kind::kDecimals ? fixed(value, rounding.digits)
                                                           : significant(value, rounding.digits);
}

}  // namespace warpsim
