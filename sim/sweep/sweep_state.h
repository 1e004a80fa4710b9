// The state of a running sweep on disk, in RESULTS.db.sweep/ beside its database:
//
//   lock           held by the one process that runs the sweep
//   points/        one results database per finished point, named after its key
//   failed/        why a point failed, one text per point
//   running/       the points that are being simulated
//   slurm/         the submissions to Slurm (slurm_submission.h)
//   merged.db      the database of all points while it is written
//   published      exists when the database beside the folder belongs to this sweep
//
// A point is finished when its database is renamed into points/; it is then complete, checked against the request, and
// permanent. Everything else may be lost at any time. Several processes, on several machines that share the folder, may
// work on points at once, even on the same one: each writes under its own name, and results do not depend on their
// order.
#pragma once

#include <optional>
#include <set>
#include <string>

#include "sweep/sweep_points.h"

namespace warpsim {

class SweepState {
 public:
  // Creates the missing parts of the folder. Throws UserError.
  explicit SweepState(std::string folder);

  // The folder of the sweep with this database.
  static std::string folder_of(const std::string& database) { return database + ".sweep"; }
  // Keys of finished points; empty if the folder does not exist.
  static std::set<std::string> finished_in(const std::string& folder);

  const std::string& folder() const { return folder_; }
  std::set<std::string> finished() const { return finished_in(folder_); }
  std::string point_path(const std::string& key) const { return folder_ + "/points/" + key + ".db"; }
  // Where `worker` simulates a point. Names of workers must be unique at a time.
  std::string work_path(const std::string& key, const std::string& worker) const {
    return folder_ + "/running/" + key + "." + worker + ".db";
  }
  std::string scratch_path() const { return folder_ + "/merged.db"; }
  std::string slurm_folder() const { return folder_ + "/slurm"; }

  // Makes the database at `work` the result of the point if it is one. Returns the reason if it is not.
  std::optional<std::string> accept(const SweepPoint& point, const std::string& work) const;

  void record_failure(const std::string& key, const std::string& why) const;
  std::optional<std::string> failure(const std::string& key) const;
  void forget_failure(const std::string& key) const;

  // Removes the files of workers whose names begin so from running/.
  void clean_work(const std::string& worker) const;

  bool published() const;
  void note_published() const;

 private:
  std::string folder_;
};

// Held during its lifetime, and released when its process ends.
class SweepLock {
 public:
  // Throws UserError if another process runs the sweep.
  explicit SweepLock(const std::string& folder);
  ~SweepLock();
  SweepLock(const SweepLock&) = delete;
  SweepLock& operator=(const SweepLock&) = delete;

 private:
  int file_;
};

}  // namespace warpsim
