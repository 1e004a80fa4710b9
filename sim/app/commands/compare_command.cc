#include "app/commands/compare_command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <ostream>
#include <utility>

#include "app/commands/command_files.h"
#include "app/comparison/comparison.h"
#include "app/exit_codes.h"
#include "app/simulation/simulation_jobs.h"
#include "app/simulation/thread_note.h"
#include "base/error.h"
#include "stats/database.h"
#include "stats/schema.h"

namespace warpsim {

namespace {

namespace fs = std::filesystem;

// A temporary database for one comparison.
class TemporaryDatabase {
 public:
  TemporaryDatabase() {
    std::string pattern = (fs::temp_directory_path() / "warpsim-compare-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) {
      throw DatabaseError(pattern + ": no folder for the results can be created there; give a file with --out");
    }
    folder_ = pattern;
  }
  ~TemporaryDatabase() {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  TemporaryDatabase(const TemporaryDatabase&) = delete;
  TemporaryDatabase& operator=(const TemporaryDatabase&) = delete;
  std::string path() const { return (folder_ / "results.db").string(); }

 private:
  fs::path folder_;
};

// "configs/h200.yaml" and "h200" are both named h200.
std::string short_name(const std::string& gpu) {
  return fs::path(gpu).stem().string();
}

std::vector<SimulationJob> open_jobs(const CompareOptions& options, const RunOptions& run) {
  std::vector<std::shared_ptr<const SimulatedGpu>> gpus;
  for (const std::string& gpu : options.gpus) {
    gpus.push_back(load_gpu(gpu, run.overrides));
  }
  std::vector<SimulationJob> jobs;
  for (const std::string& trace : run.traces) {
    for (std::size_t i = 0; i < gpus.size(); ++i) {
      jobs.push_back(open_job(trace, gpus[i], run));
      jobs.back().record.name += "@" + short_name(options.gpus[i]);
    }
  }
  return jobs;
}

bool is_of(const std::string& run, const std::vector<SimulationJob>& jobs) {
  return std::any_of(jobs.begin(), jobs.end(), [&run](const SimulationJob& job) { return job.record.name == run; });
}

void print(const std::vector<LaunchGroup>& groups, const std::vector<RunNote>& notes, bool json, std::ostream& out) {
  constexpr int kIndent = 2;
  if (!json) {
    out << comparison_text(groups) << notes_text(notes);
    return;
  }
  nlohmann::ordered_json all;
  all["launches"] = comparison_json(groups);
  all["speedups"] = speedups_json(timed_launches(groups));
  all["notes"] = nlohmann::ordered_json::array();
  for (const RunNote& note : notes) {
    all["notes"].push_back({{"run", note.run}, {"note", note.note}});
  }
  out << all.dump(kIndent) << "\n";
}

// The notes of these runs only: an existing database also holds others.
void print_runs(const std::string& path, const std::vector<SimulationJob>& jobs, bool json, std::ostream& out) {
  const Database database(path, Database::Mode::kReadOnly);
  std::vector<ComparedLaunch> launches = read_launches(database);
  std::erase_if(launches, [&jobs](const ComparedLaunch& launch) { return !is_of(launch.run, jobs); });
  std::vector<RunNote> notes = read_notes(database);
  std::erase_if(notes, [&jobs](const RunNote& note) { return !is_of(note.run, jobs); });
  print(group_launches(launches), notes, json, out);
}

int compare_traces(const CompareOptions& options, const std::string& command, std::ostream& out) {
  RunOptions run = options.run;
  std::optional<TemporaryDatabase> temporary;
  if (run.out.empty()) {
    run.out = temporary.emplace().path();
  }
  std::vector<SimulationJob> jobs = open_jobs(options, run);
  check_files(run, jobs);
  tell_thread_note(std::min<std::size_t>(run.jobs, jobs.size()), run.threads);
  const JobSettings settings{run, command, true};
  if (const JobsResult result = run_jobs(jobs, settings); result.signal != 0) {
    out << (temporary ? "stopped; without --out nothing is kept\n" : stopped_text(jobs, settings, result.signal));
    return kExitSignal + result.signal;
  }
  print_runs(run.out, jobs, options.json, out);
  bool limited = false;
  bool any_ran = false;
  for (const SimulationJob& job : jobs) {
    limited = limited || job.status == RunStatus::kLimited;
    any_ran = any_ran || job.refusal.empty();
  }
  if (!any_ran) {
    throw ConfigError(jobs.front().record.name + ": " + jobs.front().refusal);
  }
  if (!temporary && !options.json) {
    out << "\n  Statistics are in " << run.out << ". To view them:\n  sqlite3 -box " << run.out
        << " 'SELECT * FROM comparison'\n";
  }
  return limited ? kExitLimited : kExitDone;
}

int compare_databases(const CompareOptions& options, std::ostream& out) {
  std::vector<ComparedLaunch> launches;
  std::vector<RunNote> notes;
  for (const std::string& path : options.run.traces) {
    const Database database(path, Database::Mode::kReadOnly);
    check_schema(database);
    for (ComparedLaunch& launch : read_launches(database)) {
      launches.push_back(std::move(launch));
    }
    for (RunNote& note : read_notes(database)) {
      notes.push_back(std::move(note));
    }
  }
  std::vector<LaunchGroup> groups = group_launches(launches);
  std::erase_if(groups, [](const LaunchGroup& group) { return group.size() < 2; });
  if (groups.empty()) {
    throw UsageError(
        fmt::format("{}: no launch of equal traces that could be compared", fmt::join(options.run.traces, ", ")));
  }
  print(groups, notes, options.json, out);
  return kExitDone;
}

}  // namespace

int compare_command(const CompareOptions& options, const std::string& command, std::ostream& out) {
  return options.gpus.empty() ? compare_databases(options, out) : compare_traces(options, command, out);
}

}  // namespace warpsim
