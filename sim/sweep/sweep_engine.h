// Executes the points of a sweep: the local machine (local_engine.h) or Slurm (slurm_engine.h).
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sweep/sweep_points.h"

namespace warpsim {

struct SweepFailure {
  std::string point;  // its name
  std::string why;    // first line: what happened; then the last lines of the output
};

struct SweepProgress {
  std::size_t points = 0;
  std::size_t finished = 0;
  std::size_t failed = 0;
  std::size_t running = 0;
  std::size_t waiting = 0;          // for Slurm to start them
  std::size_t finished_before = 0;  // of the finished ones, those that an earlier call had finished
};

class SweepObserver {
 public:
  virtual ~SweepObserver() = default;
  virtual void progress(const SweepProgress& progress) = 0;
  // Something that the user should see at once, without a line end.
  virtual void remark(const std::string& text) = 0;
};

struct SweepOutcome {
  std::vector<SweepFailure> failures;   // in order of the points
  std::vector<std::string> unfinished;  // names of points that are neither finished nor failed
  int signal = 0;                       // the signal that ended it early; 0: none
};

}  // namespace warpsim
