#include "sweep/database_merge.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <map>
#include <set>

#include "base/error.h"
#include "report/query_table.h"
#include "stats/database.h"
#include "stats/schema.h"
#include "support/temporary_folder.h"
#include "sweep/table_copy.h"

namespace warpsim {
namespace {

// The columns of a table with their possible values.
QueryTable columns_of(const Database& database, const std::string& table) {
  return read_table(database, "SELECT name, type FROM pragma_table_info('" + table + "') ORDER BY cid");
}

// Words that columns require.
std::string word_of(const std::string& table, const std::string& column) {
  static const std::map<std::string, std::string> words = {{"run.source", "simulated"},
                                                           {"run.status", "complete"},
                                                           {"launch.status", "complete"},
                                                           {"statistic.form", "counter"},
                                                           {"host_range.kind", "pushed"}};
  const auto found = words.find(table + "." + column);
  return found == words.end() ? "" : found->second;
}

// Fills every table that the schema has, so that a table added later is also filled. Rows of `runs` runs, their
// names and numbers begin with `first`; of shared rows there are two, `shared` of them the same in every database.
class FilledDatabase {
 public:
  FilledDatabase(const std::string& path, int first, int runs, int shared)
      : database_(path, Database::Mode::kCreate), first_(first), shared_(shared) {
    create_schema(database_);
    database_.execute("PRAGMA foreign_keys = ON");
    database_.execute("BEGIN");  // one transaction: each waits for the disk
    for (const TableRole& role : table_roles(database_)) {
      for (int row = 0; row < (role.shared ? 2 : runs); ++row) {
        insert(role, row);
      }
    }
    database_.execute("COMMIT");
  }

 private:
  void insert(const TableRole& role, int row) {
    std::string sql = "INSERT INTO " + role.name + " VALUES (";
    const QueryTable columns = columns_of(database_, role.name);
    for (std::size_t i = 0; i < columns.rows.size(); ++i) {
      const std::string column = std::get<std::string>(columns.rows[i][0]);
      const std::string type = std::get<std::string>(columns.rows[i][1]);
      sql += (i == 0 ? "" : ", ") + value(role, column, type, row);
    }
    database_.execute(sql + ")");
  }

  // Numbers of rows decrease, so that they differ from those of another database.
  std::string value(const TableRole& role, const std::string& column, const std::string& type, int row) const {
    if (column == "run_id") {
      return std::to_string(1000 - first_ - row);
    }
    if (column == "launch_index" || column == "range_number" || column == "position") {
      return "0";
    }
    const bool is_shared_number = column == "stat_id" || column == "instance_id" || column == "program_id";
    if (is_shared_number) {
      return std::to_string(500 + first_ - row % 2);
    }
    if (const std::string word = word_of(role.name, column); !word.empty()) {
      return "'" + word + "'";
    }
    if (column == "unit" || column == "component") {
      return "'some'";
    }
    const bool refers = column == "kernel" || column == "metric" || role.shared;
    const int number = refers ? (row % 2 < shared_ ? row % 2 : first_ + row % 2) : first_ + row;
    if (type == "TEXT") {
      return refers && (column == "kernel" || column == "name" || column == "metric")
                 ? "'shared " + std::to_string(number) + "'"
                 : "'" + column + " " + std::to_string(number) + "'";
    }
    return type == "REAL" ? std::to_string(number) + ".25" : std::to_string(number);
  }

  Database database_;
  int first_;
  int shared_;
};

// All rows of a table as text, with the meaning of numbers in their place, sorted.
std::vector<std::string> rows_of(const std::string& path, const TableRole& role) {
  const Database database(path, Database::Mode::kReadOnly);
  const std::map<std::string, std::string> meanings = {
      {"run_id", "SELECT name || source FROM run i WHERE i.run_id = "},
      {"stat_id", "SELECT component || name || form FROM statistic i WHERE i.stat_id = "},
      {"instance_id", "SELECT path FROM instance i WHERE i.instance_id = "},
      {"program_id", "SELECT hash FROM program i WHERE i.program_id = "}};
  std::string sql = "SELECT ";
  for (const std::string& column : role.columns) {
    const auto meaning = meanings.find(column);
    sql += (sql == "SELECT " ? "" : ", ") +
           (meaning == meanings.end() ? column : "(" + meaning->second + role.name + "." + column + ")");
  }
  std::vector<std::string> rows;
  for (const std::vector<Cell>& cells : read_table(database, sql + " FROM " + role.name).rows) {
    std::string row;
    for (const Cell& cell : cells) {
      row += std::to_string(cell.index()) + ":" + text_of(cell) + "|";
    }
    rows.push_back(std::move(row));
  }
  std::ranges::sort(rows);
  return rows;
}

std::vector<TableRole> roles_of(const std::string& path) {
  return table_roles(Database(path, Database::Mode::kReadOnly));
}

std::vector<std::string> run_names(const std::string& path) {
  std::vector<std::string> names;
  const Database database(path, Database::Mode::kReadOnly);
  for (const std::vector<Cell>& row : read_table(database, "SELECT name FROM run ORDER BY run_id").rows) {
    names.push_back(text_of(row[0]));
  }
  return names;
}

struct Two {
  TemporaryFolder folder;
  std::string a = folder.at("a.db");
  std::string b = folder.at("b.db");
  std::string out = folder.at("out.db");
  Two() {
    const FilledDatabase first(a, 10, 2, 1);
    const FilledDatabase second(b, 20, 3, 1);
  }
};

TEST_CASE("merge: every table of the schema is merged, shared rows once") {
  const Two two;
  CHECK(merge_databases(two.out, {two.a, two.b}, {}) == 5);
  const std::vector<TableRole> roles = roles_of(two.a);
  CHECK(roles.size() >= 20);
  for (const TableRole& role : roles) {
    INFO("table " << role.name);
    std::vector<std::string> expected = rows_of(two.a, role);
    CHECK(expected.size() == 2);
    std::vector<std::string> of_b = rows_of(two.b, role);
    CHECK(of_b.size() == (role.shared ? 2U : 3U));
    // Rows of one key are the same rows here, except for data that only one of the databases has.
    expected.insert(expected.end(), of_b.begin(), of_b.end());
    std::ranges::sort(expected);
    expected.erase(std::unique(expected.begin(), expected.end()), expected.end());
    if (role.name == "run_writer") {
      CHECK(rows_of(two.out, role).empty());  // no process writes the copy of a run
      continue;
    }
    CHECK(rows_of(two.out, role) == expected);
    CHECK(expected.size() == (role.shared ? 3U : 5U));
  }
  const Database out(two.out, Database::Mode::kReadOnly);
  CHECK(read_table(out, "PRAGMA foreign_key_check").rows.empty());
  CHECK_NOTHROW(check_schema(out));
  CHECK(out.integer("SELECT count(*) FROM sqlite_master WHERE type = 'view'") > 10);
}

TEST_CASE("merge: runs are numbered in the order of the files") {
  const Two two;
  merge_databases(two.out, {two.b, two.a}, {});
  // Within a file in the order of their numbers, which decrease there.
  CHECK(run_names(two.out) == std::vector<std::string>{"name 22", "name 21", "name 20", "name 11", "name 10"});
  CHECK(Database(two.out, Database::Mode::kReadOnly).integer("SELECT max(run_id) FROM run") == 5);
  const std::string again = two.folder.at("again.db");
  merge_databases(again, {two.b}, {});
  merge_databases(again, {two.a}, {});
  CHECK(TemporaryFolder::read(again).size() == TemporaryFolder::read(two.out).size());
  for (const TableRole& role : roles_of(again)) {
    CHECK(rows_of(again, role) == rows_of(two.out, role));
  }
}

TEST_CASE("merge: an existing name is refused without changes, or replaced with all of its data") {
  const Two two;
  merge_databases(two.out, {two.a}, {});
  const std::string before = TemporaryFolder::read(two.out);
  CHECK_THROWS_WITH(merge_databases(two.out, {two.b, two.a}, {}),
                    two.a +
                        ": its simulated run 'name 11' already exists, from the target or an earlier database; "
                        "--replace keeps the last one");
  CHECK(run_names(two.out) == std::vector<std::string>{"name 11", "name 10"});
  merge_databases(two.out, {two.b, two.a}, {.replace = true, .progress = {}});
  CHECK(run_names(two.out) == std::vector<std::string>{"name 22", "name 21", "name 20", "name 11", "name 10"});
  const std::string fresh = two.folder.at("fresh.db");
  merge_databases(fresh, {two.a, two.b}, {});
  for (const TableRole& role : roles_of(fresh)) {
    CHECK(rows_of(fresh, role) == rows_of(two.out, role));
  }
}

TEST_CASE("merge: inputs that are not results databases are refused by name, and no target is left") {
  const Two two;
  const std::string text = two.folder.write("text.db", "this is not a database, but long enough to be looked at");
  CHECK_THROWS_WITH(merge_databases(two.out, {two.a, text}, {}), text + ": not a warpsim results database");
  CHECK_THROWS_WITH(merge_databases(two.out, {two.a, two.folder.at("none.db")}, {}),
                    two.folder.at("none.db") + ": cannot be read: there is no such file; expected a results database");
  CHECK_THROWS_WITH(merge_databases(two.a, {two.a}, {}),
                    "--out '" + two.a + "': that is a database to merge into it; expected a file of its own");
  Database(two.b, Database::Mode::kReadWrite).execute("PRAGMA user_version = 2");
  CHECK_THROWS_WITH(merge_databases(two.out, {two.a, two.b}, {}), Catch::Contains("of schema version 2"));
  std::set<std::string> left;
  for (const auto& entry : std::filesystem::directory_iterator(two.folder.at(""))) {
    left.insert(entry.path().filename().string());
  }
  CHECK(left == std::set<std::string>{"a.db", "b.db", "text.db"});
}

TEST_CASE("merge: values in different units are not stored in one column") {
  const Two two;
  Database(two.b, Database::Mode::kReadWrite).execute("UPDATE statistic SET unit = 'other'");
  CHECK_THROWS_WITH(merge_databases(two.out, {two.a, two.b}, {}),
                    two.b +
                        ": counts 'some shared 0 counter' in 'other', the databases before it in 'some'; they are of "
                        "different builds");
  CHECK_FALSE(std::filesystem::exists(two.out));
}

TEST_CASE("merge: an exception of the caller between two files ends it without changes") {
  const Two two;
  merge_databases(two.out, {two.a}, {});
  const auto stop = [](std::size_t done) {
    if (done == 1) {
      throw UserError("stopped");
    }
  };
  const std::string c = two.folder.at("c.db");
  const FilledDatabase third(c, 30, 1, 1);
  CHECK_THROWS_WITH(merge_databases(two.out, {two.b, c}, {false, stop}), "stopped");
  CHECK(run_names(two.out) == std::vector<std::string>{"name 11", "name 10"});
}

TEST_CASE("merge: a row that refers to nothing is a damaged file") {
  const Two two;
  Database(two.b, Database::Mode::kReadWrite).execute("DELETE FROM instance");
  CHECK_THROWS_WITH(merge_databases(two.out, {two.b}, {}), Catch::Contains("which is not in the database; is the file "
                                                                           "damaged?"));
}

TEST_CASE("merge: a row that the target refuses is reported for its database, not for a temporary file") {
  const TemporaryFolder folder;
  FilledDatabase(folder.at("a.db"), 0, 1, 0);
  Database damaged(folder.at("a.db"), Database::Mode::kReadWrite);
  damaged.execute(
      "PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = replace(sql, 'note   TEXT NOT NULL', 'note TEXT')");
  damaged.execute("PRAGMA writable_schema = RESET");
  damaged.execute("UPDATE run_note SET note = NULL");
  CHECK_THROWS_WITH(merge_databases(folder.at("out.db"), {folder.at("a.db")}, {}),
                    folder.at("a.db") +
                        ": a row of table 'run_note' cannot be merged: NOT NULL constraint failed: "
                        "run_note.note; is the file damaged?");
  CHECK_FALSE(std::filesystem::exists(folder.at("out.db")));
}

}  // namespace
}  // namespace warpsim
