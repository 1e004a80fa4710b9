// Access to Slurm through its commands: sbatch, squeue, scontrol and sacct. Works with Slurm 20.11 and later, with and
// without accounting.
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

// From lines of `squeue --array --format=%F|%K|%T|%j`; jobs that are not arrays are left out.
SlurmQueue parse_slurm_queue(const std::string& text);

// The states of this user's jobs, without those that ended. Throws UserError with squeue's message.
SlurmQueue ask_slurm_queue();

struct SlurmArray {
  std::string job_name;
  std::string folder;  // absolute; the tasks' output is written to task-N.log there
  std::string script;  // absolute
  std::size_t tasks = 0;
  std::uint32_t at_a_time = 0;          // tasks that may run at the same time; 0: no limit
  std::vector<std::string> user_words;  // further options of sbatch
  std::uint32_t processors = 1;         // of a task
};
// Throws UserError for a folder to which Slurm cannot write.
std::vector<std::string> sbatch_words(const SlurmArray& array);
// Returns the number of the job. Throws UserError with sbatch's message.
std::string submit_slurm_array(const SlurmArray& array);

// "TIMEOUT", "NODE_FAIL", ... from the line of `scontrol show job --oneliner`; empty if it contains none.
std::string parse_slurm_state(const std::string& line);
// How a task that is no longer in the queue ended, as a short text. Never empty.
std::string slurm_end(const SlurmTaskId& task);

// The maximum number of tasks of one array on this cluster.
std::size_t most_slurm_tasks();

// The word quoted for a shell.
std::string shell_quoted(const std::string& word);

}  // namespace warpsim
