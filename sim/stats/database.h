// A thin owner of SQLite handles: every error is a DatabaseError that names the file and says what SQLite said.
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
  // NULL for nothing.
  Statement& bind(int parameter, const std::optional<double>& value) {
    return value ? bind(parameter, *value) : bind_null(parameter);
  }

  // True while there is a row. Ready for the next execution after false.
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

class Database {
 public:
  enum class Mode : unsigned char { kReadOnly, kReadWrite, kCreate };  // kCreate: opens an existing file, too

  Database(const std::string& path, Mode mode);
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  const std::string& path() const { return path_; }
  // One or several statements without parameters.
  void execute(const std::string& sql);
  // First column of the first row.
  std::int64_t integer(std::string_view sql) const;
  std::int64_t last_row_id() const;

  // Readers then see the last finished transaction while another one is written. Waits for other processes that use
  // the database; where one of them does not let go, the database stays as it is, which is slower, but correct.
  void use_write_ahead_log();
  // Throws if the path no longer names the file that is open: it was moved, deleted or replaced, and what is written
  // now is lost.
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
