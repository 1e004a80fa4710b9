// Runs of small traces by the real program, and their results, for tests that interrupt, repeat and mix them.
#pragma once

#include <cstdint>
#include <sstream>
#include <string>
#include <string_view>

#include "stats/database.h"
#include "stats/writer_process.h"
#include "support/query_text.h"
#include "support/temporary_folder.h"
#include "unit/frontend/accelsim_text.h"

namespace warpsim::test {

// A trace of `launches` launches of one small kernel, in a folder of that name. Returns its path.
inline std::string write_launches(const TemporaryFolder& folder, const std::string& name, int launches) {
  std::string list;
  for (int i = 0; i < launches; ++i) {
    list += "kernel-0.traceg\n";
  }
  folder.write(name + "/kernel-0.traceg", tiny_trace());
  folder.write(name + "/kernelslist.g", list);
  return folder.at(name);
}

inline std::string stored_rows(const std::string& database, const std::string& sql) {
  return text(Database(database, Database::Mode::kReadOnly), sql);
}

inline std::int64_t launches_in(const std::string& database) {
  try {
    return Database(database, Database::Mode::kReadOnly).integer("SELECT count(*) FROM launch");
  } catch (const DatabaseError&) {
    return 0;  // not stored yet
  }
}

// All tables, without times and command lines of the host.
inline std::string stored_content(const std::string& database) {
  std::string all;
  std::istringstream tables(stored_rows(
      database, "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '%host' ORDER BY 1"));
  for (std::string table; std::getline(tables, table);) {
    all += table + "\n" + stored_rows(database, "SELECT * FROM " + table);
  }
  return all;
}

// Changes a database with one finished run to the state after a process killed after the launches below `launches`.
inline void cut_run(const std::string& database, int launches) {
  Database file(database, Database::Mode::kReadWrite);
  file.execute("PRAGMA foreign_keys = ON; DELETE FROM launch WHERE launch_index >= " + std::to_string(launches) +
               "; DELETE FROM run_note; UPDATE run SET status = 'incomplete'");
  const WriterProcess here = this_process();
  Statement(file, "INSERT INTO run_writer SELECT run_id, 'x', ?, ?, ?, 'before' FROM run")
      .bind(1, std::string_view(here.host))
      .bind(2, std::string_view(here.system))
      .bind(3, here.number)
      .run();
}

}  // namespace warpsim::test
