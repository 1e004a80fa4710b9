#include "cuda/run_results.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <unistd.h>

#include <ctime>

namespace warpsim::cuda {

RunResults::RunResults(const std::string& gpu_file, const ConfigTree& tree, const GpuConfig& config,
                       const DeviceOptions& options)
    : writer_(options.results), process_(getpid()) {
  RunRecord record;
  record.name = options.run_name;
  record.gpu = config.name;
  record.config_file = gpu_file;
  record.config_hash = fmt::format("{:016x}", tree.hash());
  record.trace = options.run_name;
  record.cache_control = options.flush_caches ? "all" : "none";
  record.max_cycles = options.max_cycles;
  record.config = tree.values();
  record.command = options.command;
  record.started = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
  run_id_ = writer_.begin_runs({record}, options.replace).front();
}

void RunResults::add(const LaunchRecord& launch, const StatGroup& stats, const LaunchDetails& details) {
  if (getpid() == process_) {
    host_seconds_ += launch.host_seconds;
    writer_.add_launch(run_id_, launch, stats, details);
  }
}

void RunResults::finish(RunStatus status, const std::vector<std::string>& notes) {
  if (getpid() == process_) {
    writer_.finish_run(run_id_, status, notes, host_seconds_);
  }
}

}  // namespace warpsim::cuda
