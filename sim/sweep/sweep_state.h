// The state of a sweep on disk while it runs, beside its database, in RESULTS.db.sweep/:
//
//   lock           held by the one process that runs the sweep
//   points/        one results database per finished point, named after its key
//   failed/        why a point failed, one text per point
//   running/       what is being simulated
//   slurm/         what was submitted to Slurm (slurm_submission.h)
//   merged.db      the database of all points while it is made
//   published      there once the database beside the folder is this sweep's own
//
// A point is finished when its database is renamed into points/; it is then complete, checked against the request, and
// stays. Everything else may be lost at any time. Several processes, on several machines that
// share the folder, may work on points at once, even on the same one: each writes under a name of its own, and results
// do not depend on who was first.
#pragma once

#include <optional>
#include <set>
#include <string>

#include "sweep/sweep_points.h"

namespace warpsim {

class SweepState {
 public:
  // Makes what is missing of the folder. Throws UserError.
  explicit SweepState(std::string folder);

  // Of the database that a sweep is written to.
  static std::string folder_of(const std::string& database) { return database + ".sweep"; }
  // Keys of finished points; empty if there is no such folder.
  static std::set<std::string> finished_in(const std::string& folder);

  const std::string& folder() const { return folder_; }
  std::set<std::string> finished() const { return finished_in(folder_); }
  std::string point_path(const std::string& key) const { return folder_ + "/points/" + key + ".db"; }
  // Where `worker` simulates a point. Two that work at the same time must not have the same name.
  std::string work_path(const std::string& key, const std::string& worker) const {
    return folder_ + "/running/" + key + "." + worker + ".db";
  }
  std::string scratch_path() const { return folder_ + "/merged.db"; }
  std::string slurm_folder() const { return folder_ + "/slurm"; }

  // Makes the database at `work` the point's, after having looked whether it is. Returns why it is not.
  std::optional<std::string> accept(const SweepPoint& point, const std::string& work) const;

  void record_failure(const std::string& key, const std::string& why) const;
  std::optional<std::string> failure(const std::string& key) const;
  void forget_failure(const std::string& key) const;

  // Removes what workers whose names begin so have left in running/.
  void clean_work(const std::string& worker) const;

  bool published() const;
  void note_published() const;

 private:
  std::string folder_;
};

// Held as long as it lives, and gone with its process.
class SweepLock {
 public:
  // Throws UserError if another process leads the sweep.
  explicit SweepLock(const std::string& folder);
  ~SweepLock();
  SweepLock(const SweepLock&) = delete;
  SweepLock& operator=(const SweepLock&) = delete;

 private:
  int file_;
};

}  // namespace warpsim
