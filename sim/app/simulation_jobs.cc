#include "app/simulation_jobs.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <ctime>
#include <map>
#include <mutex>
#include <thread>

#include "app/progress.h"
#include "app/simulation.h"
#include "base/error.h"
#include "config/gpu_files.h"

namespace warpsim {

namespace {

// Two runs of one name are refused before any work.
void refuse_equal_names(const std::vector<SimulationJob>& jobs) {
  std::map<std::string, std::string> traces;  // by name of the run
  for (const SimulationJob& job : jobs) {
    const auto [first, is_new] = traces.emplace(job.record.name, job.trace);
    if (!is_new) {
      throw UsageError("two runs would be named '" + job.record.name + "': " + first->second + " and " + job.trace +
                       "; run one of them separately with --name");
    }
  }
}

// The jobs, worked off by several threads.
class JobRunner {
 public:
  JobRunner(std::vector<SimulationJob>& jobs, const JobSettings& settings, ResultsWriter& writer,
            ProgressDisplay& progress)
      : jobs_(jobs), settings_(settings), writer_(writer), progress_(progress) {}

  // Returns after all threads have ended; an error of the first job that has one is thrown then.
  void run() {
    std::vector<std::thread> threads;
    const std::size_t count = std::min<std::size_t>(settings_.options.jobs, jobs_.size());
    for (std::size_t i = 1; i < count; ++i) {
      threads.emplace_back([this] { work(); });
    }
    work();
    for (std::thread& thread : threads) {
      thread.join();
    }
    for (const SimulationJob& job : jobs_) {
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
      } catch (const ConfigError& error) {
        if (settings_.keep_going) {
          refuse(index, error.what());
        } else {
          fail(index);
        }
      } catch (...) {
        fail(index);
      }
    }
  }

  void fail(std::size_t index) {
    jobs_[index].error = std::current_exception();
    failed_ = true;
  }

  // What ran before stays in the database.
  void refuse(std::size_t index, const std::string& why) {
    SimulationJob& job = jobs_[index];
    job.workload.reset();
    job.refusal = why;
    const std::lock_guard<std::mutex> lock(writer_mutex_);
    writer_.finish_run(job.run_id, RunStatus::kIncomplete, {why}, 0);
    progress_.finish_run();
  }

  void run_job(std::size_t index) {
    SimulationJob& job = jobs_[index];
    const RunOptions& options = settings_.options;
    const auto began = std::chrono::steady_clock::now();
    GpuOptions gpu_options;
    gpu_options.skip = options.skip;
    gpu_options.flush_before_launch = options.flush_caches;
    gpu_options.max_cycles = options.max_cycles.value_or(kNever);
    std::uint64_t instructions = 0;  // of the launch
    SimulationHooks hooks;
    hooks.cancelled = [this] { return failed_.load(); };
    hooks.progress = [&](std::uint32_t launch, const LaunchProgress& now) {
      instructions = now.instructions;
      progress_.update(index, launch, {now.cycle, now.instructions, now.blocks_done, now.blocks});
    };
    hooks.launch_done = [&](const LaunchRecord& launch, const StatGroup& stats, const LaunchDetails& details) {
      const std::lock_guard<std::mutex> lock(writer_mutex_);
      writer_.add_launch(job.run_id, launch, stats, details);
      progress_.finish_launch(index, instructions);
    };
    const SimulationResult result =
        simulate(*job.workload, job.gpu->config, {gpu_options, options.details, options.timeline, options.strict},
                 options.launches, hooks);
    job.workload.reset();
    job.status = result.status;
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    if (result.status != RunStatus::kIncomplete) {
      const std::lock_guard<std::mutex> lock(writer_mutex_);
      writer_.finish_run(job.run_id, result.status, result.notes, seconds);
    }
    progress_.finish_run();
  }

  std::vector<SimulationJob>& jobs_;
  const JobSettings& settings_;
  ResultsWriter& writer_;
  ProgressDisplay& progress_;
  std::mutex writer_mutex_;
  std::atomic<std::size_t> next_ = 0;
  std::atomic<bool> failed_ = false;
};

}  // namespace

std::shared_ptr<const SimulatedGpu> load_gpu(const std::string& gpu, const std::vector<std::string>& overrides) {
  const std::string file = find_gpu_file(gpu);
  auto loaded = std::make_shared<SimulatedGpu>(SimulatedGpu{file, ConfigTree::load(file, overrides), {}});
  loaded->config = loaded->tree.read<GpuConfig>();
  return loaded;
}

SimulationJob open_job(const std::string& trace, std::shared_ptr<const SimulatedGpu> gpu, const RunOptions& options) {
  SimulationJob job;
  job.trace = trace;
  job.gpu = std::move(gpu);
  job.workload =
      open_workload(trace, {.sass_file = options.sass_file, .strict = options.strict, .infer_asynchronous = true});
  RunRecord& record = job.record;
  record.name = options.name.empty() ? job.workload->name() : options.name;
  record.gpu = job.gpu->config.name;
  record.config_file = job.gpu->file;
  record.config_hash = fmt::format("{:016x}", job.gpu->tree.hash());
  record.trace = trace;
  record.trace_hash = job.workload->content_hash();
  record.cache_control = options.flush_caches ? "all" : "none";
  record.launches = options.launches.text();
  record.max_cycles = options.max_cycles;
  record.config = job.gpu->tree.values();
  return job;
}

double run_jobs(std::vector<SimulationJob>& jobs, const JobSettings& settings) {
  refuse_equal_names(jobs);
  const std::string started = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
  std::vector<RunRecord> records;
  std::vector<std::string> names;
  for (SimulationJob& job : jobs) {
    job.record.command = settings.command;
    job.record.started = started;
    records.push_back(job.record);
    names.push_back(job.record.name);
  }
  ResultsWriter writer(settings.options.out);
  const std::vector<std::int64_t> run_ids = writer.begin_runs(records, settings.options.replace);
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    jobs[i].run_id = run_ids[i];
  }
  ProgressDisplay progress(settings.options.progress, names);
  JobRunner(jobs, settings, writer, progress).run();
  return progress.seconds();
}

}  // namespace warpsim
