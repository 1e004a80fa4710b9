#include "engine/system.h"

#include <algorithm>

#include "base/check.h"

namespace warpsim {

std::uint32_t System::add_domain(const std::string& name, double frequency_mhz) {
  SIM_CHECK(engines_.empty(), "a clock domain is added after an engine");
  clocks_.push_back(std::make_shared<const ClockDomain>(name, frequency_mhz));
  return static_cast<std::uint32_t>(clocks_.size() - 1);
}

Engine& System::add_engine() {
  engines_.push_back(std::make_unique<Engine>(options_.skip, options_.shuffle));
  for (const std::shared_ptr<const ClockDomain>& clock : clocks_) {
    engines_.back()->add_domain(clock);
  }
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

// The earliest instant at which an engine has something to do.
TimeFs System::find_begin() {
  TimeFs begin = kNeverFs;
  for (const std::unique_ptr<Engine>& engine : engines_) {
    begin = std::min(begin, engine->next_due());
  }
  return begin;
}

// Of several errors the one of the first engine is reported, whichever thread was fastest.
void System::run_window(TimeFs end) {
  due_.clear();
  for (const std::unique_ptr<Engine>& engine : engines_) {
    if (!options_.skip || engine->next_due() < end) {
      due_.push_back(engine.get());
    }
  }
  order_.arrange(due_);
  if (!concurrent_ || pool_.threads() == 1 || due_.size() == 1) {
    for (Engine* engine : due_) {
      engine->run_window(end);
    }
    return;
  }
  failures_.assign(due_.size(), nullptr);
  pool_.run(due_.size(), [this, end](std::size_t i) {
    try {
      due_[i]->run_window(end);
    } catch (...) {
      failures_[i] = std::current_exception();
    }
  });
  for (const std::exception_ptr& failure : failures_) {
    if (failure != nullptr) {
      std::rethrow_exception(failure);
    }
  }
}

Engine::Outcome System::run(TimeFs limit) {
  const std::uint64_t longest = std::min(lookahead_fs(), longest_window_fs_);
  while (true) {
    const TimeFs begin = find_begin();
    if (begin == kNeverFs) {
      return Engine::Outcome::kNothingDue;
    }
    if (begin > limit) {
      return Engine::Outcome::kTimeLimit;
    }
    // The limit belongs to the window.
    const std::uint64_t left = limit == kNeverFs ? kNeverFs.fs : limit.fs - begin.fs + 1;
    run_window(TimeFs{begin.fs + std::min(longest, left)});
    bool stopped = false;
    for (const std::unique_ptr<Engine>& engine : engines_) {
      engine->exchange();
      stopped = engine->take_stop() || stopped;
    }
    if (stopped) {
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
