// The submissions to Slurm in the sweep's folder: one folder per job array, with
//
//   tasks.json   the points of each task, and their commands; never changed, even if the sweep file changes
//   script.sh    the command of each task
//   job          the array's number, once it is known
//   task-N.log   the output of task N
//
// The name of the array is unique. A driver that was killed between submitting the array to Slurm and recording its
// number finds it again.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sweep/point_run.h"
#include "sweep/sweep_points.h"

namespace warpsim {

struct SlurmSubmission {
  std::string folder;  // absolute
  std::string job_name;
  PointProgram program;  // as called on the nodes
  std::string version;   // of the program (SweepSubject::version())
  std::string state;     // folder of the sweep, absolute
  std::string job;       // empty: not known
  std::vector<std::vector<SweepPoint>> tasks;

  std::string log_of(std::uint32_t task) const { return folder + "/task-" + std::to_string(task) + ".log"; }
};

// Creates folder, list and script of a new array. Throws UserError.
SlurmSubmission prepare_submission(const std::string& state, const PointProgram& program, const std::string& version,
                                   std::vector<std::vector<SweepPoint>> tasks);
std::string script_of(const SlurmSubmission& submission);
// Records the array's number.
void note_job(SlurmSubmission& submission, const std::string& job);

// Throws UserError if it cannot be read.
SlurmSubmission load_submission(const std::string& folder);
// Of a sweep, oldest first. Incomplete ones are left out.
std::vector<SlurmSubmission> load_submissions(const std::string& state);

// Runs a task on its node: its points one after another, without those that are finished or have failed. The reason of
// a failure is recorded for the driver. `program` is the simulator, `version` its version. Throws UserError if the
// folder cannot be used, and if the program is not the one that submitted the task: its results would have wrong keys.
void run_slurm_task(const std::string& submission_folder, std::uint32_t task, const std::string& program,
                    const std::string& version);

}  // namespace warpsim
