// Comma-separated values (RFC 4180), as far as measurements and exports need them.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/types.h"

namespace warpsim {

struct CsvRow {
  std::size_t line = 0;  // where it begins, from 1
  std::vector<std::string> fields;
};
// Rows of a CSV text, quotes resolved; empty lines are left out, as is a byte order mark in front. Lines are counted
// from `first_line`. Throws UserError (a quote that never ends).
std::vector<CsvRow> parse_csv(const std::string& text, const std::string& path, std::size_t first_line = 1);
// A field as CSV: quoted where needed.
std::string csv_field(const std::string& text);

// "(256, 1, 1)"; extents that are not there are 1, as sizes are only compared for plausibility.
Dim3 dim3_in(const std::string& text);

}  // namespace warpsim
