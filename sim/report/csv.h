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
// Rows of a CSV text, quotes resolved; empty lines and a leading byte order mark are left out. Lines are counted
// from `first_line`. Throws UserError (a missing closing quote).
std::vector<CsvRow> parse_csv(const std::string& text, const std::string& path, std::size_t first_line = 1);
// A field as CSV: quoted where needed.
std::string csv_field(const std::string& text);

// "(256, 1, 1)"; missing extents are 1, since sizes are only compared for plausibility.
Dim3 dim3_in(const std::string& text);

}  // namespace warpsim
