// Whether a results database has all tables, views and columns of its schema. A file may be damaged, or have been
// changed by hand; without this check, readers would report errors of SQLite.
#pragma once

namespace warpsim {

class Database;

// Throws DatabaseError: "PATH: table 'launch' has no column 'grid_x'; ...". Reads the schema only, no rows.
void check_layout(const Database& database);

}  // namespace warpsim
