// The rows of a query, held in memory: the source of reports, figures and exports, so that the same query returns every
// number in them from the database.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "stats/database.h"

namespace warpsim {

using Cell = StoredValue;

struct QueryTable {
  std::vector<std::string> columns;
  std::vector<std::vector<Cell>> rows;
  std::string source = {};  // path of the database, for messages

  // Throws InternalError if the query has no such column.
  std::size_t column(std::string_view name) const;
  const Cell& at(std::size_t row, std::string_view name) const { return rows[row][column(name)]; }
  // The value as an integer. SQLite does not enforce the types of columns: throws DatabaseError for any other value.
  std::int64_t integer(std::size_t row, std::size_t column) const;
  std::int64_t integer(std::size_t row, std::string_view name) const { return integer(row, column(name)); }
};

// Parameters are bound in order. Throws DatabaseError.
QueryTable read_table(const Database& database, std::string_view sql, const std::vector<Cell>& parameters = {});

// Integers are also numbers; nothing for NULL and text.
std::optional<double> number_in(const Cell& cell);
// Empty for NULL. Numbers in the fewest digits that preserve the value.
std::string text_of(const Cell& cell);

}  // namespace warpsim
