// Points of a sweep on a cluster: job arrays of Slurm, each task some points, one after another.
//
// What is submitted is noted in the sweep's folder before and after it happens, so that a driver that was killed finds
// its arrays again, waits for what still runs in them, and submits only what is missing. Arrays do not need the driver:
// results are put in place by the tasks themselves. What becomes of a task is learned from the queue, what becomes of
// a point from the folder; a task that left the queue without all of its results was killed, and Slurm is asked why.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "sweep/sweep_engine.h"
#include "sweep/sweep_state.h"

namespace warpsim {

enum class SlurmMode : std::uint8_t {
  kWait,     // submit what is missing and wait for it
  kSubmit,   // submit and leave
  kCollect,  // submit nothing and wait for nothing
};

struct SlurmSettings {
  std::string program;  // the simulator, as it is called on the nodes
  std::string version;  // of it (SweepSubject::version())
  SlurmMode mode = SlurmMode::kWait;
  std::vector<std::string> user_words;  // further options of sbatch
  std::uint32_t points_per_task = 1;
  std::uint32_t tasks_at_a_time = 0;  // 0: as many as Slurm likes
  std::uint32_t retries = 0;
  std::chrono::seconds poll{10};  // how often the queue is asked
};

// Throws UserError if Slurm cannot be asked or does not take the jobs, and if files cannot be written.
SweepOutcome run_on_slurm(const std::vector<SweepPoint>& points, const SlurmSettings& settings, const SweepState& state,
                          SweepObserver& observer);

}  // namespace warpsim
