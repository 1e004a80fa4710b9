// Slurm as its commands show it: sbatch, squeue, scontrol and sacct. Works with Slurm 20.11 and later, with and without
// accounting.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace warpsim {

using SlurmTaskId = std::pair<std::string, std::uint32_t>;  // array job and index in it

struct SlurmQueue {
  struct Task {
    std::string state;  // "PENDING", "RUNNING", ...
    std::string job_name;
  };
  std::map<SlurmTaskId, Task> tasks;
};

// From lines of `squeue --array --format=%F|%K|%T|%j`; jobs that are no arrays are left out.
SlurmQueue parse_slurm_queue(const std::string& text);

// What this user's jobs are doing; those that ended are not in it. Throws UserError with what squeue says.
SlurmQueue ask_slurm_queue();

struct SlurmArray {
  std::string job_name;
  std::string folder;  // absolute; the tasks' output is written to task-N.log there
  std::string script;  // absolute
  std::size_t tasks = 0;
  std::uint32_t at_a_time = 0;          // tasks that may run at the same time; 0: as many as Slurm likes
  std::vector<std::string> user_words;  // further options of sbatch
};
// Throws UserError for a folder that Slurm could not write to.
std::vector<std::string> sbatch_words(const SlurmArray& array);
// Returns the number of the job. Throws UserError with what sbatch says.
std::string submit_slurm_array(const SlurmArray& array);

// "TIMEOUT", "NODE_FAIL", ... from the line of `scontrol show job --oneliner`; empty if it names none.
std::string parse_slurm_state(const std::string& line);
// How a task that is no longer in the queue ended, in a few words. Never empty.
std::string slurm_end(const SlurmTaskId& task);

// The most tasks that one array may have here.
std::size_t most_slurm_tasks();

// The word as a shell reads it back.
std::string shell_quoted(const std::string& word);

}  // namespace warpsim
