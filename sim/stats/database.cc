#include "stats/database.h"

#include <sqlite3.h>

#include <filesystem>

#include "base/error.h"
#include "base/input_file.h"
#include "base/output_place.h"

namespace warpsim {

namespace {

constexpr int kBusyMilliseconds = 60000;  // how long to wait for another process that writes

// Users of a database take care that one thread at a time uses it, so that SQLite does not need a lock for each call.
int open_flags(Database::Mode mode) {
  switch (mode) {
    case Database::Mode::kReadOnly:
      return SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_READONLY;
    case Database::Mode::kReadWrite:
      return SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_READWRITE;
    case Database::Mode::kCreate:
      break;
  }
  return SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
}

// SQLite would block on a pipe and read a device endlessly.
void require_database_file(const std::string& path, Database::Mode mode) {
  if (path == ":memory:") {
    return;
  }
  std::error_code error;
  if (mode == Database::Mode::kReadOnly || std::filesystem::exists(path, error)) {
    if (const std::string fault = input_fault(path); !fault.empty()) {
      throw DatabaseError(path + ": cannot be read: " + fault + "; expected a results database");
    }
  }
  if (mode != Database::Mode::kReadOnly) {
    require_output_place(path);
  }
}

}  // namespace

Statement::Statement(const Database& database, std::string_view sql) : database_(database) {
  check(sqlite3_prepare_v2(database.handle_, sql.data(), static_cast<int>(sql.size()), &handle_, nullptr));
}

Statement::~Statement() {
  sqlite3_finalize(handle_);
}

void Statement::check(int code) const {
  if (code != SQLITE_OK) {
    database_.fail(code);
  }
}

Statement& Statement::bind(int parameter, std::int64_t value) {
  check(sqlite3_bind_int64(handle_, parameter, value));
  return *this;
}

Statement& Statement::bind(int parameter, double value) {
  check(sqlite3_bind_double(handle_, parameter, value));
  return *this;
}

Statement& Statement::bind(int parameter, std::string_view value) {
  // A string_view without storage would be bound as NULL.
  const char* data = value.data() == nullptr ? "" : value.data();
  check(sqlite3_bind_text(handle_, parameter, data, static_cast<int>(value.size()), SQLITE_TRANSIENT));
  return *this;
}

Statement& Statement::bind_null(int parameter) {
  check(sqlite3_bind_null(handle_, parameter));
  return *this;
}

bool Statement::step() {
  const int code = sqlite3_step(handle_);
  if (code == SQLITE_ROW) {
    return true;
  }
  const int reset = sqlite3_reset(handle_);
  if (code != SQLITE_DONE) {
    database_.fail(reset);
  }
  return false;
}

int Statement::column_count() const {
  return sqlite3_column_count(handle_);
}
std::string Statement::column_name(int column) const {
  return sqlite3_column_name(handle_, column);
}
bool Statement::is_null(int column) const {
  return sqlite3_column_type(handle_, column) == SQLITE_NULL;
}
std::int64_t Statement::integer(int column) const {
  return sqlite3_column_int64(handle_, column);
}
double Statement::real(int column) const {
  return sqlite3_column_double(handle_, column);
}
std::string Statement::text(int column) const {
  const unsigned char* data = sqlite3_column_text(handle_, column);
  return data == nullptr ? std::string() : std::string(reinterpret_cast<const char*>(data));
}

Statement& Statement::bind_stored(int parameter, const StoredValue& value) {
  if (const auto* integer = std::get_if<std::int64_t>(&value)) {
    return bind(parameter, *integer);
  }
  if (const auto* real = std::get_if<double>(&value)) {
    return bind(parameter, *real);
  }
  if (const auto* text = std::get_if<std::string>(&value)) {
    return bind(parameter, std::string_view(*text));
  }
  return bind_null(parameter);
}

StoredValue Statement::cell(int column) const {
  switch (sqlite3_column_type(handle_, column)) {
    case SQLITE_NULL:
      return std::monostate{};
    case SQLITE_INTEGER:
      return integer(column);
    case SQLITE_FLOAT:
      return real(column);
    default:
      return text(column);
  }
}

Database::Database(const std::string& path, Mode mode, const std::string& name) : path_(name.empty() ? path : name) {
  require_database_file(path, mode);
  const int code = sqlite3_open_v2(path.c_str(), &handle_, open_flags(mode), nullptr);
  if (code != SQLITE_OK) {
    const std::string reason = handle_ == nullptr ? sqlite3_errstr(code) : sqlite3_errmsg(handle_);
    sqlite3_close(handle_);
    throw DatabaseError(path_ + ": " + reason);
  }
  sqlite3_busy_timeout(handle_, kBusyMilliseconds);
}

Database::~Database() {
  sqlite3_close(handle_);
}

void Database::fail(int code) const {
  if (code == SQLITE_FULL) {
    throw DatabaseError(path_ + ": the disk is full");
  }
  if (code == SQLITE_NOTADB) {
    throw DatabaseError(path_ + ": not a warpsim results database");
  }
  if (code == SQLITE_BUSY) {
    throw DatabaseError(path_ + ": another process has locked the database for more than " +
                        std::to_string(kBusyMilliseconds / 1000) + " s");
  }
  const std::string message = path_ + ": " + sqlite3_errmsg(handle_);
  if (code == SQLITE_CONSTRAINT || code == SQLITE_MISMATCH) {
    throw ConstraintError(message);
  }
  throw DatabaseError(message);
}

void Database::execute(const std::string& sql) {
  const int code = sqlite3_exec(handle_, sql.c_str(), nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) {
    fail(code);
  }
}

std::int64_t Database::integer(std::string_view sql) const {
  Statement statement(*this, sql);
  return statement.step() ? statement.integer(0) : 0;
}

std::int64_t Database::last_row_id() const {
  return sqlite3_last_insert_rowid(handle_);
}

void Database::use_write_ahead_log() {
  // SQLite does not wait when a read lock must become a write lock.
  constexpr int kPauseMilliseconds = 20;
  constexpr int kAttempts = 500;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    const int code = sqlite3_exec(handle_, "PRAGMA journal_mode = WAL", nullptr, nullptr, nullptr);
    if (code == SQLITE_OK) {
      return;
    }
    if ((code & 0xff) != SQLITE_BUSY && (code & 0xff) != SQLITE_LOCKED) {
      fail(code);
    }
    sqlite3_sleep(kPauseMilliseconds);
  }
}

void Database::require_in_place() const {
  int moved = 0;
  if (sqlite3_file_control(handle_, "main", SQLITE_FCNTL_HAS_MOVED, &moved) == SQLITE_OK && moved != 0) {
    throw DatabaseError(path_ +
                        ": was moved, deleted or replaced by another file while this process wrote to it; its results "
                        "are not stored there");
  }
}

Transaction::Transaction(Database& database) : database_(database) {
  database_.execute("BEGIN IMMEDIATE");
}

Transaction::~Transaction() {
  if (!open_) {
    return;
  }
  try {
    database_.execute("ROLLBACK");
  } catch (const DatabaseError&) {
    // SQLite may have rolled back already (for example when the disk is full).
  }
}

void Transaction::commit() {
  database_.execute("COMMIT");
  open_ = false;
}

}  // namespace warpsim
