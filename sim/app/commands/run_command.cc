#include "app/commands/run_command.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/commands/command_files.h"
#include "app/exit_codes.h"
#include "app/simulation/simulation_jobs.h"
#include "app/simulation/summary.h"
#include "app/simulation/thread_note.h"

namespace warpsim {

int run_command(const RunOptions& options, const std::string& command) {
  const auto gpu = load_gpu(options.gpu, options.overrides);
  std::vector<SimulationJob> jobs;
  for (const std::string& trace : options.traces) {
    jobs.push_back(open_job(trace, gpu, options));
  }
  check_files(options, jobs);
  tell_thread_note(std::min<std::size_t>(options.jobs, jobs.size()), options.threads);
  const JobSettings settings{options, command};
  const JobsResult result = run_jobs(jobs, settings);
  if (result.signal != 0) {
    fmt::print("{}", stopped_text(jobs, settings, result.signal));
    return kExitSignal + result.signal;
  }
  bool limited = false;
  std::size_t launches_before = 0;
  std::vector<std::int64_t> run_ids;
  for (const SimulationJob& job : jobs) {
    run_ids.push_back(job.run_id);
    launches_before += job.stored.size();
    limited = limited || job.status == RunStatus::kLimited;
  }
  fmt::print("{}", summary_text(options.out, run_ids, {result.seconds, launches_before}));
  return limited ? kExitLimited : kExitDone;
}

}  // namespace warpsim
