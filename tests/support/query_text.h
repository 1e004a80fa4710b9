// The result of a query, as text to compare.
#pragma once

#include <string>

#include "stats/database.h"

namespace warpsim::test {

// The rows of a query, columns joined by '|'.
inline std::string text(const Database& database, const std::string& sql) {
  Statement row(database, sql);
  std::string result;
  while (row.step()) {
    for (int column = 0; column < row.column_count(); ++column) {
      result += (column == 0 ? "" : "|") + row.text(column);
    }
    result += "\n";
  }
  return result;
}

}  // namespace warpsim::test
