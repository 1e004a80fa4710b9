// One value in the format of Nsight Compute.
#pragma once

#include <cstdint>
#include <string>

namespace warpsim {

enum class NcuValueKind : std::uint8_t {
  kNone,          // "n/a", "nan", "inf", empty
  kNumber,        // "1,234.50", "1e-3"
  kText,          // "CachePreferNone"
  kDecimalComma,  // "9,00": not distinguishable from thousands separators in other values of the file
  kMalformed,     // digits that do not form a number
};
struct NcuValue {
  NcuValueKind kind = NcuValueKind::kNone;
  double number = 0;
};
NcuValue ncu_value(const std::string& text);

}  // namespace warpsim
