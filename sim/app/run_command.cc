#include "app/run_command.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <ctime>
#include <exception>
#include <map>
#include <mutex>
#include <thread>

#include "app/exit_codes.h"
#include "app/gpu_files.h"
#include "app/progress.h"
#include "app/simulation.h"
#include "app/summary.h"
#include "base/error.h"
#include "config/config_tree.h"
#include "core/gpu_config.h"
#include "frontend/workload.h"
#include "stats/results_writer.h"

namespace warpsim {

namespace {

struct Job {
  std::string trace;
  std::unique_ptr<Workload> workload;
  RunRecord record;
  std::int64_t run_id = 0;
  RunStatus status = RunStatus::kIncomplete;
  std::exception_ptr error;
};

// Opens all traces and names their runs: two runs of one name are refused before any work.
std::vector<Job> open_jobs(const RunOptions& options) {
  std::vector<Job> jobs;
  std::map<std::string, std::string> traces;  // by name of the run
  for (const std::string& trace : options.traces) {
    Job job;
    job.trace = trace;
    job.workload =
        open_workload(trace, {.sass_file = options.sass_file, .strict = options.strict, .infer_asynchronous = true});
    job.record.name = options.name.empty() ? job.workload->name() : options.name;
    const auto [first, is_new] = traces.emplace(job.record.name, trace);
    if (!is_new) {
      throw UsageError("two runs would be named '" + job.record.name + "': " + first->second + " and " + trace +
                       "; run one of them by itself with --name");
    }
    jobs.push_back(std::move(job));
  }
  return jobs;
}

void fill_records(std::vector<Job>& jobs, const RunOptions& options, const std::string& gpu_file,
                  const ConfigTree& tree, const GpuConfig& config, const std::string& command) {
  const std::string started = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
  for (Job& job : jobs) {
    RunRecord& record = job.record;
    record.gpu = config.name;
    record.config_file = gpu_file;
    record.config_hash = fmt::format("{:016x}", tree.hash());
    record.trace = job.trace;
    record.trace_hash = job.workload->content_hash();
    record.cache_control = options.flush_caches ? "all" : "none";
    record.launches = options.launches.text();
    record.max_cycles = options.max_cycles;
    record.config = tree.values();
    record.command = command;
    record.started = started;
  }
}

// The jobs, worked off by several threads.
class JobRunner {
 public:
  JobRunner(std::vector<Job>& jobs, const RunOptions& options, const GpuConfig& config, ResultsWriter& writer,
            ProgressDisplay& progress)
      : jobs_(jobs), options_(options), config_(config), writer_(writer), progress_(progress) {}

  // Returns after all threads have ended; an error of the first job that has one is thrown then.
  void run() {
    std::vector<std::thread> threads;
    const std::size_t count = std::min<std::size_t>(options_.jobs, jobs_.size());
    for (std::size_t i = 1; i < count; ++i) {
      threads.emplace_back([this] { work(); });
    }
    work();
    for (std::thread& thread : threads) {
      thread.join();
    }
    for (const Job& job : jobs_) {
      if (job.error) {
        std::rethrow_exception(job.error);
      }
    }
  }

 private:
  void work() {
    for (std::size_t index = next_++; index < jobs_.size() && !failed_; index = next_++) {
      try {
        run_job(index);
      } catch (...) {
        jobs_[index].error = std::current_exception();
        failed_ = true;
      }
    }
  }

  void run_job(std::size_t index) {
    Job& job = jobs_[index];
    const auto began = std::chrono::steady_clock::now();
    GpuOptions gpu_options;
    gpu_options.skip = options_.skip;
    gpu_options.flush_before_launch = options_.flush_caches;
    gpu_options.max_cycles = options_.max_cycles.value_or(kNever);
    std::uint64_t instructions = 0;  // of the launch
    SimulationHooks hooks;
    hooks.cancelled = [this] { return failed_.load(); };
    hooks.progress = [&](std::uint32_t launch, const LaunchProgress& now) {
      instructions = now.instructions;
      progress_.update(index, launch, {now.cycle, now.instructions, now.blocks_done, now.blocks});
    };
    hooks.launch_done = [&](const LaunchRecord& launch, const StatGroup& stats) {
      const std::lock_guard<std::mutex> lock(writer_mutex_);
      writer_.add_launch(job.run_id, launch, stats);
      progress_.finish_launch(index, instructions);
    };
    const SimulationResult result = simulate(*job.workload, config_, gpu_options, options_.launches, hooks);
    job.workload.reset();
    job.status = result.status;
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    if (result.status != RunStatus::kIncomplete) {
      const std::lock_guard<std::mutex> lock(writer_mutex_);
      writer_.finish_run(job.run_id, result.status, result.notes, seconds);
    }
    progress_.finish_run();
  }

  std::vector<Job>& jobs_;
  const RunOptions& options_;
  const GpuConfig& config_;
  ResultsWriter& writer_;
  ProgressDisplay& progress_;
  std::mutex writer_mutex_;
  std::atomic<std::size_t> next_ = 0;
  std::atomic<bool> failed_ = false;
};

}  // namespace

int run_command(const RunOptions& options, const std::string& command) {
  const std::string gpu_file = find_gpu_file(options.gpu);
  ConfigTree tree = ConfigTree::load(gpu_file, options.overrides);
  const auto config = tree.read<GpuConfig>();
  std::vector<Job> jobs = open_jobs(options);
  fill_records(jobs, options, gpu_file, tree, config, command);

  std::vector<RunRecord> records;
  std::vector<std::string> names;
  for (const Job& job : jobs) {
    records.push_back(job.record);
    names.push_back(job.record.name);
  }
  double seconds = 0;
  bool limited = false;
  std::vector<std::int64_t> run_ids;
  {
    ResultsWriter writer(options.out);
    run_ids = writer.begin_runs(records, options.replace);
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      jobs[i].run_id = run_ids[i];
    }
    ProgressDisplay progress(options.progress, names);
    JobRunner(jobs, options, config, writer, progress).run();
    seconds = progress.seconds();
  }
  for (const Job& job : jobs) {
    limited = limited || job.status == RunStatus::kLimited;
  }
  fmt::print("{}", summary_text(options.out, run_ids, seconds));
  return limited ? kExitLimited : kExitDone;
}

}  // namespace warpsim
