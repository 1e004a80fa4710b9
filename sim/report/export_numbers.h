// Real numbers for tables in papers.
#pragma once

#include <string>

#include "report/export.h"

namespace warpsim {

// Integer parts keep their digits: 12345.6 to four significant digits is 12346. Values that would become 0 keep their
// magnitude ("4.0e-04"), as do values below 0.0001.
std::string rounded(double value, DecimalRounding rounding);

}  // namespace warpsim
