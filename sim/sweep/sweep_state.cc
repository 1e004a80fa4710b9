#include "sweep/sweep_state.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "base/error.h"
#include "base/input_file.h"
#include "base/output_file.h"
#include "stats/database.h"
#include "stats/schema.h"

namespace warpsim {

namespace {

namespace fs = std::filesystem;

// Why the database is not a result of the point.
std::optional<std::string> mismatch(const SweepPoint& point, const std::string& path) {
  const Database database(path, Database::Mode::kReadOnly);
  check_schema(database);
  Statement runs(database, "SELECT name, status, config_hash, trace_hash FROM run");
  int count = 0;
  std::optional<std::string> why;
  while (runs.step()) {
    ++count;
    if (runs.text(0) != point.name || runs.text(1) == "incomplete") {
      why = fmt::format("its database holds the {} run '{}'", runs.text(1), runs.text(0));
    } else if (runs.text(2) != point.config_hash) {
      why = "the description of its GPU was changed while the sweep was running; start the sweep again";
    } else if (runs.text(3) != point.trace_hash) {
      why = "its trace was changed while the sweep was running; start the sweep again";
    }
  }
  return count == 1 ? why : fmt::format("its database holds {} runs", count);
}

}  // namespace

SweepState::SweepState(std::string folder) : folder_(std::move(folder)) {
  for (const char* part : {"points", "failed", "running", "slurm"}) {
    std::error_code error;
    fs::create_directories(fs::path(folder_) / part, error);
    if (error) {
      throw UserError(fmt::format("{}/{}: cannot be created: {}", folder_, part, error.message()));
    }
  }
}

std::set<std::string> SweepState::finished_in(const std::string& folder) {
  std::set<std::string> keys;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder + "/points", error)) {
    if (entry.path().extension() == ".db") {
      keys.insert(entry.path().stem().string());
    }
  }
  return keys;
}

std::optional<std::string> SweepState::accept(const SweepPoint& point, const std::string& work) const {
  std::error_code error;
  if (fs::exists(work + "-wal", error) || fs::exists(work + "-journal", error)) {
    return "its database was not closed";
  }
  if (!fs::is_regular_file(work, error)) {
    return "it left no database";
  }
  try {
    if (auto why = mismatch(point, work)) {
      return why;
    }
  } catch (const DatabaseError& damaged) {
    return damaged.what();
  }
  publish_file(work, point_path(point.key));
  return std::nullopt;
}

void SweepState::record_failure(const std::string& key, const std::string& why) const {
  write_output_file(folder_ + "/failed/" + key + ".txt", why);
}

std::optional<std::string> SweepState::failure(const std::string& key) const {
  const std::string path = folder_ + "/failed/" + key + ".txt";
  std::error_code error;
  return fs::exists(path, error) ? std::optional(require_input(path, "why the point failed")) : std::nullopt;
}

void SweepState::forget_failure(const std::string& key) const {
  std::error_code ignored;
  fs::remove(folder_ + "/failed/" + key + ".txt", ignored);
}

void SweepState::clean_work(const std::string& worker) const {
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder_ + "/running", error)) {
    const std::string name = entry.path().filename().string();
    if (name.find("." + worker) != std::string::npos) {
      fs::remove(entry.path(), error);
    }
  }
}

bool SweepState::published() const {
  std::error_code error;
  return fs::exists(folder_ + "/published", error);
}

void SweepState::note_published() const {
  write_output_file(folder_ + "/published", "");
}

SweepLock::SweepLock(const std::string& folder)
    : file_(::open((folder + "/lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666)) {
  if (file_ < 0) {
    throw UserError(fmt::format("{}/lock: cannot be opened: {}", folder, std::strerror(errno)));
  }
  if (::flock(file_, LOCK_EX | LOCK_NB) != 0) {
    const int reason = errno;
    ::close(file_);
    if (reason == EWOULDBLOCK) {
      throw UserError(folder + ": another process works on this sweep; wait for it or end it");
    }
    throw UserError(fmt::format("{}/lock: cannot be locked: {}", folder, std::strerror(reason)));
  }
}

SweepLock::~SweepLock() {
  ::close(file_);
}

}  // namespace warpsim
