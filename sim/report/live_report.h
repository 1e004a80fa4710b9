// A report that follows its databases while runs add to them: polled often, it reads them again only if they have
// changed. Thread-safe.
#pragma once

#include <sys/types.h>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "report/report_document.h"
#include "stats/database.h"

namespace warpsim {

class LiveReport {
 public:
  // Throws DatabaseError for files that are not results databases.
  explicit LiveReport(ReportOptions options);

  // Increases when a database was changed or replaced by another file. Throws DatabaseError if one no longer exists.
  std::uint64_t generation();

  struct Snapshot {
    std::uint64_t generation = 0;
    ReportDocument document;
  };
  // The current state. Throws DatabaseError.
  std::shared_ptr<const Snapshot> newest();

 private:
  struct Source {
    std::string path;
    std::unique_ptr<Database> database;
    dev_t device = 0;
    ino_t file = 0;
    std::int64_t data_version = 0;  // SQLite's, of this connection
  };
  // Whether the content of the source has changed.
  static bool changed(Source& source);
  static void open(Source& source);
  std::uint64_t look();

  ReportOptions options_;
  std::mutex mutex_;
  std::vector<Source> sources_;
  std::uint64_t generation_ = 1;
  std::shared_ptr<const Snapshot> newest_;
};

}  // namespace warpsim
