#include "app/commands/sweep_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <set>
#include <system_error>

#include "app/commands/command_files.h"
#include "app/commands/command_line.h"
#include "app/exit_codes.h"
#include "app/simulation/simulator_subject.h"
#include "app/simulation/status_line.h"
#include "app/simulation/thread_note.h"
#include "app/text_format.h"
#include "base/error.h"
#include "stats/database.h"
#include "stats/schema.h"
#include "sweep/database_merge.h"
#include "sweep/local_engine.h"
#include "sweep/slurm_engine.h"
#include "sweep/slurm_submission.h"
#include "sweep/sweep_state.h"

namespace warpsim {

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

// The running program, also if its file was replaced after the start.
constexpr const char* kSelf = "/proc/self/exe";

// One task of a job array, on its node.
int work_on_task(const std::string& folder) {
  const char* const index = std::getenv("SLURM_ARRAY_TASK_ID");
  if (index == nullptr) {
    throw UsageError("--slurm-task is for the tasks of a job array, which 'warpsim sweep --engine slurm' submits");
  }
  run_slurm_task(folder, static_cast<std::uint32_t>(std::strtoul(index, nullptr, 10)), kSelf, version_text());
  return kExitDone;
}

std::set<std::string> simulated_runs(const std::string& path) {
  const Database database(path, Database::Mode::kReadOnly);
  std::set<std::string> names;
  // A database of another schema version was written by another warpsim for this sweep and can be replaced.
  if (database.integer("PRAGMA user_version") == kSchemaVersion) {
    Statement runs(database, "SELECT name FROM run WHERE source = 'simulated'");
    while (runs.step()) {
      names.insert(runs.text(0));
    }
  }
  return names;
}

// A simulated run of the database at `path` that is not a point of the sweep or of its file's earlier versions; empty
// if there is none.
std::string foreign_run(const std::string& path, const std::vector<SweepPoint>& points, const SweepState& state) {
  std::set<std::string> names = simulated_runs(path);
  for (const SweepPoint& point : points) {
    names.erase(point.name);
  }
  for (const std::string& key : names.empty() ? std::set<std::string>() : state.finished()) {
    for (const std::string& name : simulated_runs(state.point_path(key))) {
      names.erase(name);
    }
  }
  return names.empty() ? "" : *names.begin();
}

class Observer final : public SweepObserver {
 public:
  explicit Observer(ProgressMode mode) : line_(mode) {}
  void progress(const SweepProgress& progress) override {
    finished_before_ = progress.finished_before;
    line_.draw(sweep_progress_line(progress, std::chrono::duration<double>(Clock::now() - began_).count()));
  }
  void remark(const std::string& text) override {
    line_.clear();
    std::cerr << "warpsim: " << text << "\n";
  }
  void clear() { line_.clear(); }
  std::size_t finished_before() const { return finished_before_; }

 private:
  StatusLine line_;
  Clock::time_point began_ = Clock::now();
  std::size_t finished_before_ = 0;
};

class Sweep {
 public:
  Sweep(const SweepOptions& options, const std::string& command, std::ostream& out)
      : options_(options), command_(command), out_(out) {}

  int run() {
    SimulatorSubject subject;
    points_ = expand_sweep(read_sweep_file(options_.file), subject);
    check_files(options_, subject.files());
    const std::string folder = SweepState::folder_of(options_.out);
    if (options_.dry_run) {
      return list(folder);
    }
    const SweepState state(folder);
    const SweepLock lock(folder);
    refuse_foreign_database(state);
    Observer observer(options_.progress);
    const SweepOutcome outcome = work(state, observer);
    observer.clear();
    if (outcome.signal != 0) {
      return interrupted(outcome);
    }
    if (options_.slurm && !options_.wait && !outcome.unfinished.empty()) {
      return submitted(outcome);
    }
    return store(state, outcome, observer.finished_before());
  }

 private:
  int list(const std::string& folder) {
    const std::set<std::string> finished = SweepState::finished_in(folder);
    TextTable table({{"point", Align::kLeft}, {"key", Align::kLeft}, {"state", Align::kLeft}});
    std::size_t done = 0;
    for (const SweepPoint& point : points_) {
      const bool is_done = finished.contains(point.key);
      done += is_done ? 1 : 0;
      table.add({point.name, point.key, is_done ? "finished" : "to do"});
    }
    out_ << "\n" << table.render();
    out_ << fmt::format("\n  {} points, {} of them finished (in {})\n", points_.size(), done, folder);
    return kExitDone;
  }

  // A sweep does not overwrite another database of the user, nor runs that others have stored in the sweep's database.
  void refuse_foreign_database(const SweepState& state) const {
    std::error_code error;
    if (options_.replace || !fs::exists(options_.out, error)) {
      return;
    }
    if (!state.published()) {
      throw UserError(options_.out +
                      ": exists and does not belong to this sweep; give another --out, or --replace to overwrite it");
    }
    if (const std::string run = foreign_run(options_.out, points_, state); !run.empty()) {
      throw UserError(fmt::format(
          "{}: also holds the run '{}', which is not of this sweep and would be lost; give another --out, or --replace "
          "to delete it",
          options_.out, run));
    }
  }

  SweepOutcome work(const SweepState& state, Observer& observer) const {
    if (options_.slurm) {
      SlurmSettings settings;
      settings.program = fs::read_symlink(kSelf).string();
      settings.version = version_text();
      settings.mode = options_.collect ? SlurmMode::kCollect : options_.wait ? SlurmMode::kWait : SlurmMode::kSubmit;
      settings.user_words = options_.slurm_words;
      settings.points_per_task = options_.points_per_task;
      settings.tasks_at_a_time = options_.jobs.value_or(0);
      settings.retries = options_.retries;
      settings.threads = options_.threads;
      settings.poll = options_.poll;
      return run_on_slurm(points_, settings, state, observer);
    }
    if (!options_.collect) {
      const std::uint32_t jobs = options_.jobs.value_or(std::max(1U, usable_processors() / options_.threads));
      tell_thread_note(std::min<std::size_t>(jobs, points_.size()), options_.threads);
      return run_locally(points_, {kSelf, jobs, options_.retries, options_.threads}, state, observer);
    }
    const std::set<std::string> finished = state.finished();
    SweepOutcome outcome;
    for (const SweepPoint& point : points_) {
      if (finished.contains(point.key)) {
        continue;
      }
      if (const auto why = state.failure(point.key)) {
        outcome.failures.push_back({point.name, *why});
      } else {
        outcome.unfinished.push_back(point.name);
      }
    }
    return outcome;
  }

  int interrupted(const SweepOutcome& outcome) {
    out_ << fmt::format("stopped: {} of {} points are not finished. To continue:\n  {}\n", outcome.unfinished.size(),
                        points_.size(), command_);
    if (options_.slurm) {
      out_ << "Jobs that were submitted to Slurm continue.\n";
    }
    return kExitSignal + outcome.signal;
  }

  int submitted(const SweepOutcome& outcome) {
    out_ << fmt::format(
        "{} of {} points are submitted to Slurm. To wait for them, repeat the command without --no-wait;\n"
        "to store the finished points, repeat it with --collect.\n",
        outcome.unfinished.size(), points_.size());
    return kExitDone;
  }

  int store(const SweepState& state, const SweepOutcome& outcome, std::size_t finished_before) {
    const std::set<std::string> finished = state.finished();
    std::vector<std::string> databases;
    for (const SweepPoint& point : points_) {
      if (finished.contains(point.key)) {
        databases.push_back(state.point_path(point.key));
      }
    }
    report_failures(outcome);
    if (databases.empty()) {
      std::cerr << "warpsim: error: no point is finished; " << options_.out << " is not written\n";
      return kExitFailed;
    }
    refuse_foreign_database(state);  // other processes may have created or written it meanwhile
    state.note_published();
    StatusLine line(options_.progress);
    const auto tell = [&line, &databases](std::size_t done) {
      line.draw(fmt::format("storing {} of {} points", done, databases.size()));
    };
    merge_into_new(options_.out, state.scratch_path(), databases, {false, tell});
    line.clear();
    const std::string before = finished_before == 0 ? "" : fmt::format(" ({} were finished before)", finished_before);
    if (databases.size() == points_.size()) {
      out_ << fmt::format("all {} points are in {}{}\n", points_.size(), options_.out, before);
    } else {
      out_ << fmt::format("{} of {} points are in {}{}; the others failed or are not finished. To try them {}\n",
                          databases.size(), points_.size(), options_.out, before,
                          options_.collect ? "give the command without --collect." : "again:\n  " + command_);
    }
    out_ << "To view them:\n  sqlite3 -box " << quoted_word(options_.out) << " 'SELECT * FROM sweep'\n";
    if (databases.size() < points_.size()) {
      return kExitFailed;
    }
    const Database database(options_.out, Database::Mode::kReadOnly);
    const std::int64_t limited = database.integer("SELECT count(*) FROM run WHERE status = 'limited'");
    if (limited > 0) {
      out_ << fmt::format("{} points reached the limit of max_cycles\n", limited);
    }
    return limited > 0 ? kExitLimited : kExitDone;
  }

  static void report_failures(const SweepOutcome& outcome) {
    constexpr std::size_t kExplained = 20;  // the others are only named
    for (std::size_t i = 0; i < outcome.failures.size(); ++i) {
      const SweepFailure& failure = outcome.failures[i];
      std::string why = failure.why;
      if (i >= kExplained) {
        why = why.substr(0, why.find('\n'));
      }
      for (std::size_t at = why.find('\n'); at != std::string::npos; at = why.find('\n', at + 1)) {
        why.insert(at + 1, "    ");
      }
      std::cerr << "warpsim: point " << failure.point << " failed: " << why << "\n";
    }
    if (!outcome.unfinished.empty()) {
      std::cerr << fmt::format("warpsim: {} points are not finished: {}", outcome.unfinished.size(),
                               outcome.unfinished.front())
                << (outcome.unfinished.size() > 1 ? ", ...\n" : "\n");
    }
  }

  const SweepOptions& options_;
  const std::string& command_;
  std::ostream& out_;
  std::vector<SweepPoint> points_;
};

}  // namespace

std::string sweep_progress_line(const SweepProgress& progress, double seconds) {
  constexpr std::size_t kBar = 20;
  const std::size_t over = progress.finished + progress.failed;
  const double share = progress.points == 0 ? 1 : static_cast<double>(over) / static_cast<double>(progress.points);
  const auto filled = static_cast<std::size_t>(share * static_cast<double>(kBar));
  std::string line = fmt::format("{} of {} points  ", progress.finished, progress.points);
  const auto part = [&line](std::size_t count, const char* what) {
    line += count == 0 ? "" : fmt::format("{} {}  ", count, what);
  };
  part(progress.failed, "failed");
  part(progress.running, "running");
  part(progress.waiting, "waiting");
  line += fmt::format("{}{} {:3.0f} %", std::string(filled, '#'), std::string(kBar - filled, '-'), share * 100);
  if (over > progress.finished_before && over < progress.points) {
    const double each = seconds / static_cast<double>(over - progress.finished_before);
    line += fmt::format("  ETA {}", short_seconds(std::max(1.0, each * static_cast<double>(progress.points - over))));
  }
  return line;
}

int sweep_command(const SweepOptions& options, const std::string& command, std::ostream& out) {
  return options.slurm_task.empty() ? Sweep(options, command, out).run() : work_on_task(options.slurm_task);
}

}  // namespace warpsim
