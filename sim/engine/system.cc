#include "engine/system.h"

#include <algorithm>
#include <utility>

#include "base/check.h"

namespace warpsim {
namespace {

// What the caller's thread has executed alone by the time that a round of threads has begun and ended, if a window is
// like the last one of its engines: such a round takes about ten microseconds, and a tick some hundred nanoseconds.
constexpr std::uint64_t kFewTicks = 64;

}  // namespace

std::uint32_t System::add_domain(const std::string& name, double frequency_mhz) {
  SIM_CHECK(engines_.empty(), "a clock domain is added after an engine");
  clocks_.push_back(std::make_shared<const ClockDomain>(name, frequency_mhz));
  return static_cast<std::uint32_t>(clocks_.size() - 1);
}

Engine& System::add_engine(const std::string& prefix) {
  engines_.push_back(std::make_unique<Engine>(options_.skip, options_.shuffle, prefix));
  for (const std::shared_ptr<const ClockDomain>& clock : clocks_) {
    engines_.back()->add_domain(clock);
  }
  thread_of_.push_back(static_cast<std::uint32_t>(engines_.size() - 1) % pool_.threads());
  engines_.back()->show_on(board_, board_.add_engine());
  return *engines_.back();
}

std::uint64_t System::lookahead_fs() const {
  std::uint64_t shortest = kNeverFs.fs;
  for (const std::unique_ptr<Engine>& engine : engines_) {
    for (const Crossing* crossing : engine->crossings()) {
      shortest = crossing->is_used() ? std::min(shortest, crossing->lookahead_fs()) : shortest;
    }
  }
  return shortest;
}

void System::run_window(TimeFs end) {
  const std::uint64_t ticks = board_.collect(end.fs, !options_.skip, due_);
  if (!ordered_) {
    order_.arrange(due_);
  }
  if (!concurrent_ || pool_.threads() == 1 || due_.size() == 1 || ticks <= kFewTicks) {
    for (const std::size_t engine : due_) {
      run_engine(engine, end);
    }
  } else {
    run_on_threads(end);
  }
  if (!failures_.empty()) {
    report_failure();
  }
}

void System::run_on_threads(TimeFs end) {
  parts_.resize(pool_.threads());
  for (std::vector<std::uint32_t>& part : parts_) {
    part.clear();
  }
  for (const std::size_t engine : due_) {
    parts_[thread_of_[engine]].push_back(static_cast<std::uint32_t>(engine));
  }
  pool_.run(parts_, [this, end](std::size_t engine, std::size_t thread) {
    thread_of_[engine] = static_cast<std::uint32_t>(thread);
    run_engine(engine, end);
  });
}

void System::run_engine(std::size_t engine, TimeFs end) {
  try {
    engines_[engine]->run_window(end);
  } catch (...) {
    const std::scoped_lock lock(failures_mutex_);
    failures_.emplace_back(engine, std::current_exception());
  }
}

// Of several errors the one of the first engine is reported, whichever was executed first.
void System::report_failure() {
  const auto first = std::ranges::min_element(failures_, {}, [](const auto& failure) { return failure.first; });
  const std::exception_ptr failure = first->second;
  failures_.clear();
  std::rethrow_exception(failure);
}

void System::set_meetings(std::uint64_t interval_fs, std::function<void(TimeFs)> meet) {
  meeting_interval_fs_ = interval_fs;
  next_meeting_fs_ = interval_fs == 0 ? kNeverFs.fs : (time().fs / interval_fs + 1) * interval_fs;
  meet_ = std::move(meet);
}

void System::hold_meeting(TimeFs begin) {
  const std::uint64_t at = begin.fs / meeting_interval_fs_ * meeting_interval_fs_;
  next_meeting_fs_ = at + meeting_interval_fs_;
  meet_(TimeFs{at});
}

// What engines have sent is with its receivers when a run ends, also if nothing is due there.
Engine::Outcome System::run(TimeFs limit) {
  const Engine::Outcome outcome = run_windows(limit);
  for (std::size_t i = 0; i < engines_.size(); ++i) {
    if (board_.has_mail(i)) {
      board_.clear_mail(i);
      engines_[i]->take_mail();
    }
  }
  return outcome;
}

Engine::Outcome System::run_windows(TimeFs limit) {
  const std::uint64_t longest = std::min(lookahead_fs(), longest_window_fs_);
  while (true) {
    const TimeFs begin{board_.earliest()};
    if (begin == kNeverFs) {
      return Engine::Outcome::kNothingDue;
    }
    if (begin > limit && limit.fs >= next_meeting_fs_) {
      hold_meeting(limit);  // what was put off until then can be seen from outside
      continue;
    }
    if (begin > limit) {
      return Engine::Outcome::kTimeLimit;
    }
    if (begin.fs >= next_meeting_fs_) {
      hold_meeting(begin);
      continue;  // it may wake components
    }
    // The limit belongs to the window.
    const std::uint64_t left = limit == kNeverFs ? kNeverFs.fs : limit.fs - begin.fs + 1;
    run_window(TimeFs{std::min(begin.fs + std::min(longest, left), next_meeting_fs_)});
    board_.turn();
    if (board_.take_stop()) {
      return Engine::Outcome::kStopped;
    }
  }
}

TimeFs System::time() const {
  TimeFs latest;
  for (const std::unique_ptr<Engine>& engine : engines_) {
    latest = std::max(latest, engine->time());
  }
  return latest;
}

std::uint64_t System::ticks() const {
  std::uint64_t total = 0;
  for (const std::unique_ptr<Engine>& engine : engines_) {
    total += engine->ticks();
  }
  return total;
}

std::uint64_t System::component_cycles() const {
  const TimeFs until = time();
  std::uint64_t total = 0;
  for (const std::unique_ptr<Engine>& engine : engines_) {
    total += engine->component_cycles(until);
  }
  return total;
}

std::string System::describe_stalls() const {
  std::string report;
  for (const std::unique_ptr<Engine>& engine : engines_) {
    report += engine->describe_stalls();
  }
  return report;
}

}  // namespace warpsim
