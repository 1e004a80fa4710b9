// Units of the columns of views and tables (docs/statistics.md), by their names, for headings and axes.
#pragma once

#include <string>
#include <string_view>

namespace warpsim {

// "cycle", "%", "GB/s", ...; empty for text, pure numbers and unknown columns. Columns `value` have no unit of their
// own: it is in the column `unit`.
std::string column_unit(std::string_view column);

// "l1_hit_pct (%)"; only the name if there is no unit, or if the name contains it ("cycles").
std::string column_heading(std::string_view column);

}  // namespace warpsim
