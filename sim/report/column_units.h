// Units of the columns of views and tables (docs/statistics.md), by their names, for headings and axes.
#pragma once

#include <string>
#include <string_view>

namespace warpsim {

// "cycle", "%", "GB/s", ...; empty for text, for pure numbers and for what is not known. Columns `value` have no unit
// of their own: the column `unit` beside them says it.
std::string column_unit(std::string_view column);

// "l1_hit_pct (%)"; the name alone where there is no unit, or where it says it ("cycles").
std::string column_heading(std::string_view column);

}  // namespace warpsim
