#include "app/run_command.h"

#include <fmt/format.h>

#include "app/command_files.h"
#include "app/exit_codes.h"
#include "app/simulation_jobs.h"
#include "app/summary.h"

namespace warpsim {

int run_command(const RunOptions& options, const std::string& command) {
  const auto gpu = load_gpu(options.gpu, options.overrides);
  std::vector<SimulationJob> jobs;
  for (const std::string& trace : options.traces) {
    jobs.push_back(open_job(trace, gpu, options));
  }
  check_files(options, jobs);
  const double seconds = run_jobs(jobs, {options, command});
  bool limited = false;
  std::vector<std::int64_t> run_ids;
  for (const SimulationJob& job : jobs) {
    run_ids.push_back(job.run_id);
    limited = limited || job.status == RunStatus::kLimited;
  }
  fmt::print("{}", summary_text(options.out, run_ids, seconds));
  return limited ? kExitLimited : kExitDone;
}

}  // namespace warpsim
