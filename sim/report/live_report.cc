#include "report/live_report.h"

#include <sys/stat.h>

#include <utility>

#include "base/error.h"
#include "stats/schema.h"

namespace warpsim {

namespace {

struct stat file_of(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) {
    throw DatabaseError(path + ": cannot be opened");
  }
  return status;
}

}  // namespace

LiveReport::LiveReport(ReportOptions options) : options_(std::move(options)) {
  for (const std::string& path : options_.databases) {
    open(sources_.emplace_back(Source{path, nullptr, 0, 0, 0}));
  }
}

void LiveReport::open(Source& source) {
  const struct stat status = file_of(source.path);
  source.database = std::make_unique<Database>(source.path, Database::Mode::kReadOnly);
  check_schema(*source.database);
  source.device = status.st_dev;
  source.file = status.st_ino;
  source.data_version = source.database->integer("PRAGMA data_version");
}

bool LiveReport::changed(Source& source) {
  const struct stat status = file_of(source.path);
  if (status.st_dev != source.device || status.st_ino != source.file) {
    open(source);
    return true;
  }
  const std::int64_t version = source.database->integer("PRAGMA data_version");
  return std::exchange(source.data_version, version) != version;
}

std::uint64_t LiveReport::look() {
  bool any = false;
  for (Source& source : sources_) {
    any = changed(source) || any;
  }
  generation_ += any ? 1 : 0;
  return generation_;
}

std::uint64_t LiveReport::generation() {
  const std::lock_guard lock(mutex_);
  return look();
}

std::shared_ptr<const LiveReport::Snapshot> LiveReport::newest() {
  const std::lock_guard lock(mutex_);
  const std::uint64_t generation = look();
  if (!newest_ || newest_->generation != generation) {
    std::vector<Database*> databases;
    for (Source& source : sources_) {
      databases.push_back(source.database.get());
    }
    newest_ = std::make_shared<Snapshot>(Snapshot{generation, read_report(options_, databases)});
  }
  return newest_;
}

}  // namespace warpsim
