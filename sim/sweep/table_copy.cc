#include "sweep/table_copy.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <variant>

#include "base/check.h"
#include "base/error.h"

namespace warpsim {

namespace {

std::string joined(const std::vector<std::string>& words, const char* between) {
  std::string text;
  for (const std::string& word : words) {
    text += (text.empty() ? "" : between) + word;
  }
  return text;
}

std::string selection(const TableRole& role) {
  return "SELECT " + joined(role.columns, ", ") + " FROM " + role.name +
         (role.id.empty() ? "" : " ORDER BY " + role.id);
}

// Without the number of the row, which the target assigns.
std::string insertion(const TableRole& role, const char* verb) {
  std::vector<std::string> columns;
  std::vector<std::string> places;
  for (const std::string& column : role.columns) {
    if (column != role.id) {
      columns.push_back(column);
      places.emplace_back("?");
    }
  }
  return std::string(verb) + " INTO " + role.name + " (" + joined(columns, ", ") + ") VALUES (" + joined(places, ", ") +
         ")";
}

int index_of(const TableRole& role, const std::string& column) {
  const auto found = std::ranges::find(role.columns, column);
  SIM_CHECK(found != role.columns.end(), "table " + role.name + " has no column " + column);
  return static_cast<int>(found - role.columns.begin());
}

}  // namespace

void TableCopy::copy_all() {
  for (const TableRole& role : roles_) {
    try {
      copy(role);
    } catch (const ConstraintError& error) {
      // The target is valid; it refuses a row of the source.
      std::string why = error.what();
      why.erase(0, why.starts_with(target_.path()) ? target_.path().size() + 2 : 0);
      throw DatabaseError(fmt::format("{}: a row of table '{}' cannot be merged: {}; is the file damaged?",
                                      source_.path(), role.name, why));
    }
  }
}

void TableCopy::copy(const TableRole& role) {
  if (role.name == "run") {
    copy_runs(role);
  } else if (role.shared) {
    copy_shared(role);
  } else {
    copy_owned(role);
  }
}

void TableCopy::copy_runs(const TableRole& role) {
  Statement read(source_, selection(role));
  Statement write(target_, insertion(role, "INSERT"));
  const int id = index_of(role, role.id);
  Numbers& numbers = numbers_[role.id];
  while (read.step()) {
    bind_row(role, read, write);
    write.run();
    numbers[read.integer(id)] = target_.last_row_id();
  }
}

void TableCopy::copy_shared(const TableRole& role) {
  if (role.id.empty()) {
    Statement read(source_, selection(role));
    Statement write(target_, insertion(role, "INSERT OR IGNORE"));
    while (read.step()) {
      bind_row(role, read, write);
      write.run();
    }
    return;
  }
  Statement read(source_, selection(role));
  Statement write(target_, insertion(role, "INSERT"));
  Statement find(
      target_, "SELECT " + role.id + " FROM " + role.name + " WHERE " + joined(role.natural_key, " = ? AND ") + " = ?");
  const int id = index_of(role, role.id);
  Numbers& numbers = numbers_[role.id];
  while (read.step()) {
    int parameter = 0;
    for (const std::string& column : role.natural_key) {
      find.bind_stored(++parameter, read.cell(index_of(role, column)));
    }
    std::int64_t number = -1;
    while (find.step()) {
      number = find.integer(0);
    }
    if (number >= 0) {
      refuse_other_unit(role, read, number);
    } else {
      bind_row(role, read, write);
      write.run();
      number = target_.last_row_id();
    }
    numbers[read.integer(id)] = number;
  }
}

// Values in different units cannot share a column. Descriptions may differ: builds of one schema share a table.
void TableCopy::refuse_other_unit(const TableRole& role, const Statement& read, std::int64_t found) const {
  if (!role.has("unit")) {
    return;
  }
  Statement query(target_, "SELECT unit FROM " + role.name + " WHERE " + role.id + " = ?");
  query.bind(1, found);
  const std::string unit = read.text(index_of(role, "unit"));
  while (query.step()) {
    if (query.text(0) != unit) {
      std::string key;
      for (const std::string& column : role.natural_key) {
        key += (key.empty() ? "" : " ") + read.text(index_of(role, column));
      }
      throw DatabaseError(
          fmt::format("{}: counts '{}' in '{}', the databases before it in '{}'; they are of different builds",
                      source_.path(), key, unit, query.text(0)));
    }
  }
}

void TableCopy::copy_owned(const TableRole& role) {
  Statement read(source_, selection(role));
  Statement write(target_, insertion(role, "INSERT"));
  while (read.step()) {
    bind_row(role, read, write);
    write.run();
  }
}

void TableCopy::bind_row(const TableRole& role, const Statement& read, Statement& write) {
  int parameter = 0;
  for (std::size_t i = 0; i < role.columns.size(); ++i) {
    const std::string& column = role.columns[i];
    if (column == role.id) {
      continue;
    }
    StoredValue cell = read.cell(static_cast<int>(i));
    if (const auto* number = std::get_if<std::int64_t>(&cell)) {
      cell = translated(column, *number);
    }
    write.bind_stored(++parameter, cell);
  }
}

std::int64_t TableCopy::translated(const std::string& column, std::int64_t number) const {
  const auto numbers = numbers_.find(column);
  if (numbers == numbers_.end()) {
    return number;
  }
  const auto found = numbers->second.find(number);
  if (found == numbers->second.end()) {
    throw DatabaseError(source_.path() + ": a row refers to " + column + " " + std::to_string(number) +
                        ", which is not in the database; is the file damaged?");
  }
  return found->second;
}

}  // namespace warpsim
