// The layout of a results database (documented in docs/statistics.md).
#pragma once

#include <cstdint>
#include <string>

namespace warpsim {

class Database;

// PRAGMA user_version. Increased with every change of a table or view that is visible to readers.
inline constexpr int kSchemaVersion = 8;
// PRAGMA application_id: "wsim".
inline constexpr std::int64_t kApplicationId = 0x7773696d;

// Creates tables and views in an empty database, in one transaction, and does nothing to a results database of this
// schema version: if several processes begin with one new file at the same time, the first one creates them. Throws
// DatabaseError for any other file.
void create_schema(Database& database);

// Throws DatabaseError unless the file is a results database of this schema version that has all its tables, views and
// columns.
void check_schema(const Database& database);

}  // namespace warpsim
