// A thin owner of SQLite handles: every error is a DatabaseError that names the file and quotes SQLite's message.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

struct sqlite3;
struct sqlite3_stmt;

namespace warpsim {

class Database;

// As SQLite stores it; monostate: NULL.
using StoredValue = std::variant<std::monostate, std::int64_t, double, std::string>;

// A prepared statement. Parameters are numbered from 1, columns from 0.
class Statement {
 public:
  Statement(const Database& database, std::string_view sql);
  ~Statement();
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  Statement& bind(int parameter, std::int64_t value);
  Statement& bind(int parameter, std::uint64_t value) { return bind(parameter, static_cast<std::int64_t>(value)); }
  Statement& bind(int parameter, std::uint32_t value) { return bind(parameter, static_cast<std::int64_t>(value)); }
  Statement& bind(int parameter, double value);
  Statement& bind(int parameter, std::string_view value);
  Statement& bind_null(int parameter);
  Statement& bind_stored(int parameter, const StoredValue& value);
  // NULL for an empty optional.
  Statement& bind(int parameter, const std::optional<double>& value) {
    return value ? bind(parameter, *value) : bind_null(parameter);
  }

  // True as long as there is a row. After false the statement can be executed again.
  bool step();
  // For a statement that returns no rows.
  void run() {
    while (step()) {
    }
  }

  int column_count() const;
  std::string column_name(int column) const;
  bool is_null(int column) const;
  std::int64_t integer(int column) const;
  double real(int column) const;
  std::string text(int column) const;
  StoredValue cell(int column) const;

 private:
  void check(int code) const;

  const Database& database_;
  sqlite3_stmt* handle_ = nullptr;
};

// Used by one thread at a time; SQLite does not lock.
class Database {
 public:
  enum class Mode : unsigned char { kReadOnly, kReadWrite, kCreate };  // kCreate: also opens an existing file

  // Throws DatabaseError, also if the path is not a regular file. If `name` is given, messages use it for the file: the
  // final name of a temporary file.
  Database(const std::string& path, Mode mode, const std::string& name = "");
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  const std::string& path() const { return path_; }
  // One or several statements without parameters.
  void execute(const std::string& sql);
  // First column of the first row.
  std::int64_t integer(std::string_view sql) const;
  std::int64_t last_row_id() const;

  // Readers then see the last finished transaction while another one is written. Waits for other processes that use the
  // database. If one of them does not release it, the journal mode stays as it is, which is slower but correct.
  void use_write_ahead_log();
  // Throws if the path no longer names the file that is open: it was moved, deleted or replaced, and further writes
  // would be lost.
  void require_in_place() const;

 private:
  friend class Statement;
  [[noreturn]] void fail(int code) const;

  std::string path_;
  sqlite3* handle_ = nullptr;
};

// Rolls back unless committed.
class Transaction {
 public:
  explicit Transaction(Database& database);
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  void commit();

 private:
  Database& database_;
  bool open_ = true;
};

}  // namespace warpsim
