#include "sweep/database_merge.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <optional>
#include <set>
#include <system_error>

#include "base/check.h"
#include "base/error.h"
#include "base/output_file.h"
#include "base/output_place.h"
#include "stats/database.h"
#include "stats/run_table.h"
#include "stats/schema.h"
#include "stats/schema_variants.h"
#include "sweep/table_copy.h"

namespace warpsim {

namespace {

namespace fs = std::filesystem;

// First column of all rows.
std::vector<std::string> texts(const Database& database, const std::string& sql) {
  std::vector<std::string> all;
  Statement statement(database, sql);
  while (statement.step()) {
    all.push_back(statement.text(0));
  }
  return all;
}

// SQLite's information on a table: a query of one of its pragmas.
std::string of_table(const char* what, const char* pragma, const std::string& table, const char* more = "") {
  return fmt::format("SELECT {} FROM pragma_{}('{}') {}", what, pragma, table, more);
}

// The columns of the first UNIQUE constraint that is not the primary key.
std::vector<std::string> unique_columns(const Database& database, const std::string& table) {
  const std::vector<std::string> indices =
      texts(database, of_table("name", "index_list", table, "WHERE \"unique\" AND origin = 'u'"));
  return indices.empty() ? indices : texts(database, of_table("name", "index_info", indices.front(), "ORDER BY seqno"));
}

TableRole role_of(const Database& database, const std::string& table) {
  TableRole role;
  role.name = table;
  role.columns = texts(database, of_table("name", "table_info", table, "ORDER BY cid"));
  const std::vector<std::string> key =
      texts(database, of_table("name", "table_info", table, "WHERE pk > 0 ORDER BY pk"));
  const std::vector<std::string> references = texts(database, of_table("\"from\"", "foreign_key_list", table));
  const std::vector<std::string> numbers =
      texts(database, of_table("name", "table_info", table, "WHERE pk > 0 AND type = 'INTEGER'"));
  if (key.size() == 1 && numbers == key && std::ranges::find(references, key.front()) == references.end()) {
    role.id = key.front();
  }
  role.shared = !role.has("run_id");
  role.natural_key = role.id.empty() ? key : unique_columns(database, table);
  SIM_CHECK(!role.shared || !role.natural_key.empty(), "rows of table " + table + " have no natural key");
  return role;
}

// Runs of `source` whose names exist in the target.
void refuse_known_runs(const Database& source, Database& target, bool replace) {
  Statement runs(source, "SELECT name, source FROM run ORDER BY run_id");
  Statement known(target, "SELECT run_id FROM run WHERE name = ? AND source = ?");
  Statement remove(target, "DELETE FROM run WHERE name = ? AND source = ?");
  while (runs.step()) {
    const std::string name = runs.text(0);
    const std::string kind = runs.text(1);
    std::optional<std::int64_t> there;
    known.bind(1, std::string_view(name)).bind(2, std::string_view(kind));
    while (known.step()) {
      there = known.integer(0);
    }
    if (!there) {
      continue;
    }
    if (!replace) {
      throw DatabaseError(fmt::format(
          "{}: its {} run '{}' already exists, from the target or an earlier database; --replace keeps the last one",
          source.path(), kind, name));
    }
    if (const std::string writer = live_writer(target, *there); !writer.empty()) {
      throw DatabaseError(fmt::format("{}: its run '{}' is being written by {}; wait until that has ended",
                                      target.path(), name, writer));
    }
    remove.bind(1, std::string_view(name)).bind(2, std::string_view(kind)).run();
  }
}

// An existing target is written only after all inputs are known to be databases.
void check_places(const std::string& target, const std::vector<std::string>& inputs) {
  OutputPlaces places;
  for (const std::string& input : inputs) {
    const Database database(input, Database::Mode::kReadOnly);
    check_schema(database);
    places.add_input(input, "a database to merge into it", OutputPlaces::Kind::kDatabase);
  }
  places.add_output(target, "--out", OutputPlaces::Kind::kDatabase);
}

// In one transaction of `target`.
std::size_t add_all(Database& target, const std::vector<std::string>& inputs, const MergeOptions& options) {
  std::vector<TableRole> roles = table_roles(target);
  std::erase_if(roles, [](const TableRole& role) { return role.name == "run_writer"; });  // a copy has no writer
  if (options.replace) {
    target.execute("PRAGMA foreign_keys = ON");  // deletes what belongs to a replaced run
  }
  std::size_t runs = 0;
  Transaction transaction(target);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (options.progress) {
      options.progress(i);
    }
    Database source(inputs[i], Database::Mode::kReadOnly);
    check_schema(source);
    source.execute("BEGIN");  // an unfinished run is read in one consistent state
    refuse_known_runs(source, target, options.replace);
    runs += static_cast<std::size_t>(source.integer("SELECT count(*) FROM run"));
    TableCopy(source, target, roles).copy_all();
  }
  update_sweep_view(target);
  target.require_in_place();
  transaction.commit();
  return runs;
}

// A complete database that is not visible yet. Errors name `target`.
std::size_t build_new(const std::string& scratch, const std::string& target, const std::vector<std::string>& inputs,
                      const MergeOptions& options) {
  Database database(scratch, Database::Mode::kCreate, target);
  // A rollback is never needed.
  database.execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF");
  create_schema(database);
  return add_all(database, inputs, options);
}

// Gives the file the target's name. False: another process has created a file of that name.
bool publish_new(const std::string& scratch, const std::string& target) {
  // Depending on the file system, one of the two ways works.
  if (::link(scratch.c_str(), target.c_str()) == 0 ||
      (errno != EEXIST && ::renameat2(AT_FDCWD, scratch.c_str(), AT_FDCWD, target.c_str(), RENAME_NOREPLACE) == 0)) {
    return true;
  }
  if (errno != EEXIST) {
    throw DatabaseError(target + ": cannot be put in place: " + std::strerror(errno));
  }
  return false;
}

}  // namespace

bool TableRole::has(const std::string& column) const {
  return std::ranges::find(columns, column) != columns.end();
}

std::vector<TableRole> table_roles(const Database& database) {
  std::vector<TableRole> roles;
  std::set<std::string> stored;
  constexpr const char* kTables =
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY rowid";
  for (const std::string& table : texts(database, kTables)) {
    for (const std::string& parent : texts(database, of_table("\"table\"", "foreign_key_list", table))) {
      SIM_CHECK(stored.contains(parent), fmt::format("table {} refers to {}, which is created later", table, parent));
    }
    stored.insert(table);
    roles.push_back(role_of(database, table));
  }
  return roles;
}

std::size_t merge_into_new(const std::string& target, const std::string& scratch,
                           const std::vector<std::string>& inputs, const MergeOptions& options) {
  OutputFile file(target, scratch);
  const std::size_t runs = build_new(scratch, target, inputs, options);
  file.publish();
  return runs;
}

std::size_t merge_databases(const std::string& target, const std::vector<std::string>& inputs,
                            const MergeOptions& options) {
  check_places(target, inputs);
  std::error_code error;
  if (!fs::exists(target, error)) {
    OutputFile file(target);
    const std::size_t runs = build_new(file.temporary(), target, inputs, options);
    file.flush();
    if (publish_new(file.temporary(), target)) {
      return runs;
    }
  }
  Database database(target, Database::Mode::kReadWrite);
  create_schema(database);  // another process may be creating it
  return add_all(database, inputs, options);
}

}  // namespace warpsim
