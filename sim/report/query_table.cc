#include "report/query_table.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/check.h"
#include "base/error.h"

namespace warpsim {

std::size_t QueryTable::column(std::string_view name) const {
  const auto found = std::ranges::find(columns, name);
  SIM_CHECK(found != columns.end(), "a query has no column " + std::string(name));
  return static_cast<std::size_t>(found - columns.begin());
}

std::int64_t QueryTable::integer(std::size_t row, std::size_t column) const {
  const Cell& cell = rows[row][column];
  if (const auto* value = std::get_if<std::int64_t>(&cell)) {
    return *value;
  }
  const bool is_null = std::holds_alternative<std::monostate>(cell);
  throw DatabaseError(fmt::format("{}: column '{}' holds {}; expected an integer (is the file damaged?)", source,
                                  columns[column], is_null ? "nothing" : "'" + text_of(cell).substr(0, 60) + "'"));
}

QueryTable read_table(const Database& database, std::string_view sql, const std::vector<Cell>& parameters) {
  Statement statement(database, sql);
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    statement.bind_stored(static_cast<int>(i) + 1, parameters[i]);
  }
  QueryTable table;
  table.source = database.path();
  const int count = statement.column_count();
  for (int i = 0; i < count; ++i) {
    table.columns.push_back(statement.column_name(i));
  }
  while (statement.step()) {
    std::vector<Cell>& row = table.rows.emplace_back();
    for (int i = 0; i < count; ++i) {
      row.push_back(statement.cell(i));
    }
  }
  return table;
}

std::optional<double> number_in(const Cell& cell) {
  if (const auto* integer = std::get_if<std::int64_t>(&cell)) {
    return static_cast<double>(*integer);
  }
  if (const auto* real = std::get_if<double>(&cell)) {
    return *real;
  }
  return std::nullopt;
}

std::string text_of(const Cell& cell) {
  if (const auto* text = std::get_if<std::string>(&cell)) {
    return *text;
  }
  if (const auto* integer = std::get_if<std::int64_t>(&cell)) {
    return std::to_string(*integer);
  }
  if (const auto* real = std::get_if<double>(&cell)) {
    return fmt::format("{}", *real);
  }
  return {};
}

}  // namespace warpsim
