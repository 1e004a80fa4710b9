// Real numbers as tables for people show them.
#pragma once

#include <string>

#include "report/export.h"

namespace warpsim {

// Whole parts keep their digits: 12345.6 to four significant digits is 12346. What would become 0 keeps its magnitude
// ("4.0e-04"), as does what is below 0.0001.
std::string rounded(double value, DecimalRounding rounding);

}  // namespace warpsim
