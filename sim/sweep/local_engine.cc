#include "sweep/local_engine.h"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <deque>
#include <map>
#include <memory>
#include <set>

#include "sweep/child_process.h"
#include "sweep/point_run.h"

namespace warpsim {

namespace {

constexpr std::chrono::milliseconds kProcessPollInterval{200};
constexpr const char* kWorker = "local-";

class LocalEngine {
 public:
  LocalEngine(const std::vector<SweepPoint>& points, const LocalSettings& settings, const SweepState& state,
              SweepObserver& observer)
      : points_(points), settings_(settings), state_(state), observer_(observer) {
    const std::set<std::string> finished = state.finished();
    for (const SweepPoint& point : points) {
      if (finished.contains(point.key)) {
        ++finished_;
      } else {
        state.forget_failure(point.key);
        todo_.push_back(&point);
      }
    }
    before_ = finished_;
  }

  SweepOutcome run() {
    state_.clean_work(kWorker);
    SweepOutcome outcome;
    while (!todo_.empty() || !running_.empty()) {
      start();
      tell();
      outcome.signal = signals_.wait(kProcessPollInterval);
      if (outcome.signal != 0) {
        break;
      }
      collect();
    }
    tell();
    std::set<const SweepPoint*> unfinished(todo_.begin(), todo_.end());
    for (const auto& run : running_) {
      unfinished.insert(&run->point());
    }
    running_.clear();
    for (const SweepPoint& point : points_) {
      if (const auto failure = failures_.find(point.key); failure != failures_.end()) {
        outcome.failures.push_back({point.name, failure->second});
      } else if (unfinished.contains(&point)) {
        outcome.unfinished.push_back(point.name);
      }
    }
    return outcome;
  }

 private:
  void start() {
    while (running_.size() < settings_.jobs && !todo_.empty()) {
      const SweepPoint& point = *todo_.front();
      todo_.pop_front();
      running_.push_back(std::make_unique<PointRun>(state_, point, PointProgram{settings_.program, settings_.threads},
                                                    kWorker + std::to_string(::getpid())));
    }
  }

  void collect() {
    for (auto run = running_.begin(); run != running_.end();) {
      const std::optional<std::string> why = (*run)->outcome();
      if (!why) {
        ++run;
        continue;
      }
      const SweepPoint& point = (*run)->point();
      run = running_.erase(run);
      if (why->empty()) {
        ++finished_;
      } else if (++attempts_[point.key] <= settings_.retries) {
        todo_.push_back(&point);
      } else {
        failures_[point.key] = *why;
        state_.record_failure(point.key, *why);
      }
    }
  }

  void tell() { observer_.progress({points_.size(), finished_, failures_.size(), running_.size(), 0, before_}); }

  const std::vector<SweepPoint>& points_;
  const LocalSettings& settings_;
  const SweepState& state_;
  SweepObserver& observer_;
  SignalWait signals_;
  std::deque<const SweepPoint*> todo_;
  std::vector<std::unique_ptr<PointRun>> running_;
  std::map<std::string, std::uint32_t> attempts_;
  std::map<std::string, std::string> failures_;
  std::size_t finished_ = 0;
  std::size_t before_ = 0;
};

}  // namespace

SweepOutcome run_locally(const std::vector<SweepPoint>& points, const LocalSettings& settings, const SweepState& state,
                         SweepObserver& observer) {
  return LocalEngine(points, settings, state, observer).run();
}

std::uint32_t usable_processors() {
  cpu_set_t set;
  CPU_ZERO(&set);
  return ::sched_getaffinity(0, sizeof set, &set) == 0 ? static_cast<std::uint32_t>(CPU_COUNT(&set)) : 1;
}

}  // namespace warpsim
