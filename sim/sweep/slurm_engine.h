// Points of a sweep on a cluster: job arrays of Slurm; each task runs some points one after another.
//
// Submissions are recorded in the sweep's folder before and after they happen, so that a restarted driver finds its
// arrays, waits for the points that still run, and submits only the missing ones. Arrays do not need the driver: the
// tasks put results in place themselves. The state of a task is read from the queue, that of a point from the folder. A
// task that left the queue without all of its results was killed; Slurm is queried for the reason.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "sweep/sweep_engine.h"
#include "sweep/sweep_state.h"

namespace warpsim {

enum class SlurmMode : std::uint8_t {
  kWait,     // submit the missing points and wait for them
  kSubmit,   // submit and return
  kCollect,  // neither submit nor wait
};

struct SlurmSettings {
  std::string program;  // the simulator, as called on the nodes
  std::string version;  // of it (SweepSubject::version())
  SlurmMode mode = SlurmMode::kWait;
  std::vector<std::string> user_words;  // further options of sbatch
  std::uint32_t points_per_task = 1;
  std::uint32_t tasks_at_a_time = 0;  // 0: as many as Slurm likes
  std::uint32_t retries = 0;
  std::uint32_t threads = 1;      // of each launch; a task has as many processors
  std::chrono::seconds poll{10};  // interval between queries of the queue
};

// Throws UserError if Slurm cannot be queried or does not accept the jobs, and if files cannot be written.
SweepOutcome run_on_slurm(const std::vector<SweepPoint>& points, const SlurmSettings& settings, const SweepState& state,
                          SweepObserver& observer);

}  // namespace warpsim
