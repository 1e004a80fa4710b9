#include "stats/schema_layout.h"

#include <fmt/format.h>

#include <map>
#include <set>
#include <string>

#include "base/error.h"
#include "stats/database.h"
#include "stats/schema.h"

namespace warpsim {

namespace {

using Columns = std::set<std::string>;
struct Relation {
  std::string type;  // "table" or "view"
  std::string sql;   // the statement that created it
};
using Layout = std::map<std::string, Relation>;

constexpr const char* kRelations = "SELECT name, type, sql FROM sqlite_master WHERE type IN ('table', 'view')";

Columns columns_of(const Database& database, const std::string& relation) {
  Columns columns;
  Statement rows(database, "SELECT name FROM pragma_table_info(?)");
  rows.bind(1, std::string_view(relation));
  while (rows.step()) {
    columns.insert(rows.text(0));
  }
  return columns;
}

Layout relations_of(const Database& database) {
  Layout layout;
  Statement rows(database, kRelations);
  while (rows.step()) {
    layout[rows.text(0)] = {rows.text(1), rows.text(2)};
  }
  return layout;
}

}  // namespace

void check_layout(const Database& database) {
  Database reference(":memory:", Database::Mode::kCreate);
  create_schema(reference);
  const Layout found = relations_of(database);
  const auto fail = [&database](const std::string& what) {
    throw DatabaseError(database.path() + ": " + what +
                        "; expected all tables of a results database (is the file damaged?)");
  };
  for (const auto& [name, relation] : relations_of(reference)) {
    const auto known = found.find(name);
    if (known == found.end() || known->second.type != relation.type) {
      fail(fmt::format("there is no {} '{}'", relation.type, name));
    }
    if (known->second.sql == relation.sql) {
      continue;  // equal statements make equal columns, which cost more to read
    }
    const Columns columns = columns_of(database, name);
    for (const std::string& column : columns_of(reference, name)) {
      if (!columns.contains(column)) {
        fail(fmt::format("{} '{}' has no column '{}'", relation.type, name, column));
      }
    }
  }
}

}  // namespace warpsim
