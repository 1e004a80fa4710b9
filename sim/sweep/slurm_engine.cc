#include "sweep/slurm_engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <system_error>

#include "base/error.h"
#include "base/input_file.h"
#include "sweep/child_process.h"
#include "sweep/point_run.h"
#include "sweep/slurm_commands.h"
#include "sweep/slurm_submission.h"

namespace warpsim {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kFolderPollInterval{500};  // between checks of the folder
constexpr std::chrono::seconds kGrace{5};  // in which results of a task that has ended may still become visible

class SlurmEngine {
 public:
  SlurmEngine(const std::vector<SweepPoint>& points, const SlurmSettings& settings, const SweepState& state,
              SweepObserver& observer)
      : points_(points), settings_(settings), state_(state), observer_(observer) {}

  SweepOutcome run() {
    load();
    if (settings_.mode != SlurmMode::kCollect) {
      submit(missing());
    }
    SweepOutcome outcome;
    if (settings_.mode == SlurmMode::kWait) {
      outcome.signal = wait_and_retry();
    } else {
      look();
      settle(false);
    }
    tell();
    if (running_ + waiting_ == 0) {
      state_.clean_work("slurm-");
    }
    for (const SweepPoint& point : points_) {
      if (failures_.contains(point.key)) {
        outcome.failures.push_back({point.name, failures_[point.key]});
      } else if (!finished_.contains(point.key)) {
        outcome.unfinished.push_back(point.name);
      }
    }
    return outcome;
  }

 private:
  enum class Life : std::uint8_t { kWaiting, kRunning, kLeaving, kGone };

  // The last submission of a point to Slurm.
  struct Place {
    std::size_t submission;
    std::uint32_t task;
  };

  void load() {
    submissions_ = load_submissions(state_.folder());
    finished_ = state_.finished();
    before_ = finished_points();
    asked_ = Clock::now();
    if (!submissions_.empty() && before_ < points_.size()) {
      queue_ = ask_slurm_queue();
    }
    for (SlurmSubmission& submission : submissions_) {
      if (submission.job.empty()) {
        adopt(submission);
      }
    }
    for (std::size_t i = 0; i < submissions_.size(); ++i) {
      note_places(i);
    }
  }

  std::size_t finished_points() const {
    return static_cast<std::size_t>(
        std::ranges::count_if(points_, [this](const SweepPoint& point) { return finished_.contains(point.key); }));
  }

  // Its driver was killed before it recorded the number.
  void adopt(SlurmSubmission& submission) {
    for (const auto& [id, task] : queue_.tasks) {
      if (task.job_name == submission.job_name) {
        note_job(submission, id.first);
        return;
      }
    }
  }

  void note_places(std::size_t submission) {
    for (std::uint32_t task = 0; task < submissions_[submission].tasks.size(); ++task) {
      for (const SweepPoint& point : submissions_[submission].tasks[task]) {
        places_[point.key] = {submission, task};
      }
    }
  }

  SlurmTaskId id_of(const Place& place) const { return {submissions_[place.submission].job, place.task}; }

  Life life_of(const Place& place) const {
    const SlurmTaskId id = id_of(place);
    const auto task = queue_.tasks.find(id);
    if (task != queue_.tasks.end()) {
      return task->second.state == "PENDING" ? Life::kWaiting : Life::kRunning;
    }
    const auto left = left_.find(id);
    return left != left_.end() && Clock::now() - left->second < kGrace ? Life::kLeaving : Life::kGone;
  }

  // Neither finished, nor failed, nor submitted to Slurm.
  std::vector<const SweepPoint*> missing() const {
    std::vector<const SweepPoint*> points;
    for (const SweepPoint& point : points_) {
      const auto place = places_.find(point.key);
      const bool failed = state_.failure(point.key).has_value();
      const bool in_hands = place != places_.end() && life_of(place->second) != Life::kGone && !failed;
      if (!finished_.contains(point.key) && !in_hands) {
        points.push_back(&point);
      }
    }
    return points;
  }

  void submit(const std::vector<const SweepPoint*>& points) {
    if (points.empty()) {
      return;
    }
    const std::size_t most = most_slurm_tasks();
    std::vector<std::vector<SweepPoint>> tasks;
    for (const SweepPoint* point : points) {
      state_.forget_failure(point->key);
      if (tasks.empty() || tasks.back().size() == settings_.points_per_task) {
        if (tasks.size() == most) {
          submit_array(std::move(tasks));
          tasks = {};
        }
        tasks.emplace_back();
      }
      tasks.back().push_back(*point);
    }
    submit_array(std::move(tasks));
    queue_ = ask_slurm_queue();
    asked_ = Clock::now();
  }

  void submit_array(std::vector<std::vector<SweepPoint>> tasks) {
    SlurmSubmission submission = prepare_submission(state_.folder(), {settings_.program, settings_.threads},
                                                    settings_.version, std::move(tasks));
    const SlurmArray array = {submission.job_name,     submission.folder,         submission.folder + "/script.sh",
                              submission.tasks.size(), settings_.tasks_at_a_time, settings_.user_words,
                              settings_.threads};
    note_job(submission, submit_slurm_array(array));
    std::size_t points = 0;
    for (std::uint32_t task = 0; task < submission.tasks.size(); ++task) {
      points += submission.tasks[task].size();
      left_[{submission.job, task}] = Clock::now();  // until it appears in the queue
    }
    observer_.remark(
        fmt::format("Slurm has job {}: {} points in {} tasks", submission.job, points, submission.tasks.size()));
    submissions_.push_back(std::move(submission));
    note_places(submissions_.size() - 1);
  }

  // Returns the signal that ended the wait, or 0.
  int wait_and_retry() {
    std::uint32_t round = 0;
    while (true) {
      look();
      settle(true);
      tell();
      if (running_ + waiting_ == 0) {
        if (failures_.empty() || round == settings_.retries) {
          return 0;
        }
        ++round;
        failures_.clear();
        submit(missing());
        continue;
      }
      if (const int signal = signals_.wait(kFolderPollInterval); signal != 0) {
        return signal;
      }
    }
  }

  // The queue is read first: tasks that are no longer in it have written their results.
  void look() {
    if (Clock::now() - asked_ >= settings_.poll) {
      ask_again();
    }
    finished_ = state_.finished();
  }

  void ask_again() {
    asked_ = Clock::now();
    try {
      SlurmQueue queue = ask_slurm_queue();
      for (const auto& [id, task] : queue_.tasks) {
        if (!queue.tasks.contains(id)) {
          left_[id] = asked_;
        }
      }
      queue_ = std::move(queue);
      answered_ = true;
    } catch (const UserError& error) {
      // A restarting controller is unavailable for a while; the jobs continue.
      if (answered_) {
        observer_.remark(fmt::format("{} (still waiting)", error.what()));
      }
      answered_ = false;
    }
  }

  // Counts the active points, and determines why the others are not active. `keep`: also for later calls.
  void settle(bool keep) {
    running_ = 0;
    waiting_ = 0;
    std::map<SlurmTaskId, std::string> ends;
    for (const SweepPoint& point : points_) {
      const auto place = places_.find(point.key);
      if (finished_.contains(point.key) || failures_.contains(point.key) || place == places_.end()) {
        continue;
      }
      if (const std::optional<std::string> why = state_.failure(point.key)) {
        failures_[point.key] = *why;
        continue;
      }
      const Life life = life_of(place->second);
      if (life != Life::kGone) {
        ++(life == Life::kWaiting ? waiting_ : running_);
        continue;
      }
      if (!std::filesystem::exists(state_.point_path(point.key))) {
        failures_[point.key] = why_gone(place->second, ends);
        if (keep) {
          state_.record_failure(point.key, failures_[point.key]);
        }
      }
    }
  }

  std::string why_gone(const Place& place, std::map<SlurmTaskId, std::string>& ends) const {
    const SlurmSubmission& submission = submissions_[place.submission];
    if (submission.job.empty()) {
      return "was not submitted: the sweep ended before";
    }
    const SlurmTaskId id = id_of(place);
    std::string& end = ends[id];
    if (end.empty()) {
      end = fmt::format("Slurm task {}_{}: {}", id.first, id.second, slurm_end(id));
      std::error_code error;
      if (std::filesystem::exists(submission.log_of(place.task), error)) {
        const std::string tail = last_lines(require_input(submission.log_of(place.task), "what the task printed"));
        end += tail.empty() ? "" : "\n" + tail;
      }
    }
    return end;
  }

  void tell() {
    observer_.progress({points_.size(), finished_points(), failures_.size(), running_, waiting_, before_});
  }

  const std::vector<SweepPoint>& points_;
  const SlurmSettings& settings_;
  const SweepState& state_;
  SweepObserver& observer_;
  SignalWait signals_;
  std::vector<SlurmSubmission> submissions_;
  std::map<std::string, Place> places_;  // by key
  SlurmQueue queue_;                     // at the last query
  std::map<SlurmTaskId, Clock::time_point> left_;
  Clock::time_point asked_;
  bool answered_ = true;
  std::set<std::string> finished_;
  std::map<std::string, std::string> failures_;  // by key
  std::size_t running_ = 0;
  std::size_t waiting_ = 0;
  std::size_t before_ = 0;
};

}  // namespace

SweepOutcome run_on_slurm(const std::vector<SweepPoint>& points, const SlurmSettings& settings, const SweepState& state,
                          SweepObserver& observer) {
  return SlurmEngine(points, settings, state, observer).run();
}

}  // namespace warpsim
