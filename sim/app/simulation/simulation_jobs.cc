#include "app/simulation/simulation_jobs.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <ctime>
#include <iostream>
#include <map>
#include <mutex>
#include <thread>

#include "app/program/program_hash.h"
#include "app/simulation/library_fault.h"
#include "app/simulation/progress.h"
#include "app/simulation/simulation.h"
#include "app/simulation/stop_signals.h"
#include "app/text_format.h"
#include "base/error.h"
#include "config/gpu_files.h"

namespace warpsim {

namespace {

// Two runs with one name are refused before any work.
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

// Thrown to abort a launch.
struct Stopped {};

// The jobs, executed by several threads.
class JobRunner {
 public:
  JobRunner(std::vector<SimulationJob>& jobs, const JobSettings& settings, ResultsWriter& writer,
            ProgressDisplay& progress, StopSignals& signals)
      : jobs_(jobs), settings_(settings), writer_(writer), progress_(progress), signals_(signals) {}

  // Returns after all threads have ended, then throws the first job's error.
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
    for (std::size_t index = next_++; index < jobs_.size() && !ends(); index = next_++) {
      try {
        run_job(index);
      } catch (const Stopped&) {
        return;
      } catch (...) {
        fail(index);
      }
    }
  }

  bool ends() { return failed_ || signals_.pending() != 0; }

  void fail(std::size_t index) {
    jobs_[index].error = std::current_exception();
    failed_ = true;
  }

  // Earlier launches stay in the database.
  void refuse(std::size_t index, const std::string& why) {
    SimulationJob& job = jobs_[index];
    job.workload.reset();
    job.refusal = why;
    const std::lock_guard<std::mutex> lock(writer_mutex_);
    writer_.finish_run(job.run_id, RunStatus::kIncomplete, {why}, 0);
    progress_.finish_run();
  }

  SimulationHooks hooks_of(std::size_t index, std::uint64_t& instructions) {
    SimulationJob& job = jobs_[index];
    SimulationHooks hooks;
    hooks.cancelled = [this] { return ends(); };
    hooks.progress = [this, index, &instructions](std::uint32_t launch, const LaunchProgress& now) {
      if (signals_.pending() != 0) {
        throw Stopped();
      }
      instructions = now.instructions;
      progress_.update(index, launch, {now.cycle, now.instructions, now.blocks_done, now.blocks});
    };
    hooks.launch_done = [this, index, &job, &instructions](const LaunchRecord& launch, const StatGroup& stats,
                                                           const LaunchDetails& details) {
      const std::lock_guard<std::mutex> lock(writer_mutex_);
      writer_.add_launch(job.run_id, launch, stats, details);
      ++job.launches_stored;
      progress_.finish_launch(index, instructions);
    };
    return hooks;
  }

  SimulationOptions options_of(const SimulationJob& job) const {
    const RunOptions& options = settings_.options;
    MachineOptions gpu_options;
    gpu_options.skip = options.skip;
    gpu_options.threads = options.threads;
    gpu_options.shuffle = options.shuffle;
    gpu_options.flush_before_launch = options.flush_caches;
    gpu_options.max_cycles = options.max_cycles.value_or(kNever);
    return {gpu_options, options.details, options.timeline, options.strict, options.recorded_streams, job.stored};
  }

  void run_job(std::size_t index) {
    try {
      simulate_job(index);
    } catch (const ConfigError& error) {
      if (!settings_.keep_going) {
        throw ConfigError(jobs_[index].trace + ": " + error.what());
      }
      refuse(index, error.what());
    }
  }

  void simulate_job(std::size_t index) {
    SimulationJob& job = jobs_[index];
    const bool was_finished = job.status != RunStatus::kIncomplete;
    if (was_finished && settings_.options.timeline.file.empty()) {
      job.workload.reset();
      progress_.finish_run();
      return;
    }
    const auto began = std::chrono::steady_clock::now();
    std::uint64_t instructions = 0;  // of the launch
    const SimulationHooks hooks = hooks_of(index, instructions);
    const SimulationResult result = simulate_with(job, hooks);
    job.workload.reset();
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    if (!was_finished && result.status != RunStatus::kIncomplete) {
      const std::lock_guard<std::mutex> lock(writer_mutex_);
      writer_.add_work(job.run_id, result.works);
      writer_.finish_run(job.run_id, result.status, result.notes, seconds);
      job.status = result.status;
    }
    progress_.finish_run();
  }

  SimulationResult simulate_with(const SimulationJob& job, const SimulationHooks& hooks) const {
    try {
      return simulate(*job.workload, job.gpu->config, options_of(job), settings_.options.launches, hooks);
    } catch (const std::exception&) {
      rethrow_with_libraries(job.record.config);
    }
  }

  std::vector<SimulationJob>& jobs_;
  const JobSettings& settings_;
  ResultsWriter& writer_;
  ProgressDisplay& progress_;
  StopSignals& signals_;
  std::mutex writer_mutex_;
  std::atomic<std::size_t> next_ = 0;
  std::atomic<bool> failed_ = false;
};

// Stores the runs, or finds the launches that earlier processes have stored.
void begin(std::vector<SimulationJob>& jobs, const RunOptions& options, ResultsWriter& writer) {
  std::vector<RunRecord> records;
  records.reserve(jobs.size());
  for (const SimulationJob& job : jobs) {
    records.push_back(job.record);
  }
  if (options.replace) {
    const std::vector<std::int64_t> run_ids = writer.begin_runs(records, true);
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      jobs[i].run_id = run_ids[i];
    }
    return;
  }
  std::vector<BegunRun> runs = writer.continue_runs(records);
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    SimulationJob& job = jobs[i];
    job.run_id = runs[i].run_id;
    job.status = runs[i].status;
    job.stored = std::move(runs[i].launches);
    job.launches_stored = job.stored.size();
  }
}

// Why stored launches are simulated again; empty: they are not.
std::string reason_to_repeat(const RunOptions& options) {
  if (options.recorded_streams) {
    return "others run beside them (--streams recorded)";
  }
  return options.flush_caches ? "" : "later launches depend on the cache content after them (--cache-control none)";
}

void tell_continued(const SimulationJob& job, const RunOptions& options) {
  if (job.status != RunStatus::kIncomplete) {
    std::cerr << fmt::format("warpsim: run '{}' is finished in {}; --replace simulates it again\n", job.record.name,
                             options.out);
  } else if (!job.stored.empty()) {
    std::string why = reason_to_repeat(options);
    if (!why.empty()) {
      why.insert(0, "; they are simulated again without being stored, since ");
    }
    std::cerr << fmt::format("warpsim: run '{}' is continued: {} of it {} stored in {}{}\n", job.record.name,
                             launches_text(job.stored.size()), job.stored.size() == 1 ? "is" : "are", options.out, why);
  }
}

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
  record.settings = detail_settings(options.details);
  if (options.recorded_streams) {
    record.settings["streams"] = "recorded";
  }
  record.config = job.gpu->tree.values();
  return job;
}

JobsResult run_jobs(std::vector<SimulationJob>& jobs, const JobSettings& settings) {
  refuse_equal_names(jobs);
  const std::string started = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
  const std::string program = program_hash();
  std::vector<std::string> names;
  for (SimulationJob& job : jobs) {
    job.record.command = settings.command;
    job.record.started = started;
    job.record.program = program;
    names.push_back(job.record.name);
  }
  ResultsWriter writer(settings.options.out);
  begin(jobs, settings.options, writer);
  for (const SimulationJob& job : jobs) {
    tell_continued(job, settings.options);
  }
  const auto signals = std::make_shared<StopSignals>();
  ProgressDisplay progress(settings.options.progress, names);
  JobRunner(jobs, settings, writer, progress, *signals).run();
  const bool finished = std::ranges::all_of(
      jobs, [](const SimulationJob& job) { return job.status != RunStatus::kIncomplete || !job.refusal.empty(); });
  if (finished || signals->pending() == 0) {
    return {progress.seconds()};
  }
  return {progress.seconds(), signals->pending(), signals};
}

namespace {

// The same command without the option that starts again.
std::string continuing(std::string command) {
  const std::string word = " --replace";
  for (std::size_t at = command.find(word); at != std::string::npos; at = command.find(word, at)) {
    const std::size_t end = at + word.size();
    if (end == command.size() || command[end] == ' ') {
      command.erase(at, word.size());
    } else {
      at = end;
    }
  }
  return command;
}

}  // namespace

std::string stopped_text(const std::vector<SimulationJob>& jobs, const JobSettings& settings, int signal) {
  std::string text =
      fmt::format("stopped by signal {} ({}). {} holds\n", signal, ::strsignal(signal), settings.options.out);
  for (const SimulationJob& job : jobs) {
    const bool finished = job.status != RunStatus::kIncomplete;
    text += fmt::format("  {}: {}{}\n", job.record.name, launches_text(job.launches_stored),
                        finished ? ", finished" : " so far");
  }
  return text + fmt::format("To continue:\n  {}\n", continuing(settings.command));
}

}  // namespace warpsim
