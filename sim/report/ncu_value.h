// One value as Nsight Compute prints it.
#pragma once

#include <cstdint>
#include <string>

namespace warpsim {

enum class NcuValueKind : std::uint8_t {
  kNone,          // "n/a", "nan", "inf", nothing
  kNumber,        // "1,234.50", "1e-3"
  kText,          // "CachePreferNone"
  kDecimalComma,  // "9,00": cannot be told from thousands in other values of the same file
  kMalformed,     // digits that make no number
};
struct NcuValue {
  NcuValueKind kind = NcuValueKind::kNone;
  double number = 0;
};
NcuValue ncu_value(const std::string& text);

}  // namespace warpsim
