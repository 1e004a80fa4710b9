#include "emulator/execution/grid_execution.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <memory>
#include <numeric>
#include <vector>

#include "base/check.h"
#include "base/host_float_state.h"
#include "emulator/code/kernel_image.h"
#include "emulator/execution/launch_watch.h"

namespace warpsim {

namespace {

// Operations of warps that a thread executes in a round, after which all threads stop and the launch is examined. The
// first round is one thread's: small launches are over then.
constexpr std::uint64_t kFirstRound = 100'000;
constexpr std::uint64_t kRound = std::uint64_t{1} << 22U;
// What a launch that waits counts for a look at its memory.
constexpr std::uint64_t kPoll = 20'000;

}  // namespace

bool can_be_concurrent(const LaunchContext& launch) {
  return launch.races == nullptr && launch.breakpoints == nullptr && !launch.kernel->calls_system() &&
         launch.grid.count() > launch.cluster.count();
}

GridExecution::GridExecution(const LaunchContext& launch, const GridExecutionOptions& options)
    : launch_(launch),
      workers_(options.workers),
      benefit_(options.benefit),
      progress_(launch.grid.count() / launch.cluster.count()) {
  const std::uint64_t clusters = launch.grid.count() / launch.cluster.count();
  const auto places = static_cast<std::size_t>(std::clamp<std::uint64_t>(
      options.resident_blocks / launch.cluster.count(), 1, std::max<std::uint64_t>(clusters, 1)));
  SIM_CHECK(!launch.concurrent || (workers_ != nullptr && benefit_ != nullptr), "a concurrent launch without threads");
  const std::size_t parts = launch.concurrent ? std::min<std::size_t>(workers_->threads(), places) : 1;
  for (std::size_t i = 0; i < parts; ++i) {
    parts_.push_back(
        std::make_unique<GridPart>(launch, options.local_bytes,
                                   GridPart::Places{(places + parts - 1 - i) / parts, static_cast<std::uint32_t>(i),
                                                    static_cast<std::uint32_t>(parts)},
                                   progress_));
  }
}

GridExecution::~GridExecution() = default;

std::uint64_t GridExecution::turns(std::uint64_t most) {
  if (!launch_.concurrent) {
    const std::uint64_t executed = parts_.front()->pass(kNoLimit);
    busy_ = parts_.front()->busy();
    executed_ += executed;
    return executed;
  }
  using Clock = std::chrono::steady_clock;
  const Clock::time_point begin = Clock::now();
  // Others need tens of microseconds to begin.
  const bool first = executed_ == 0;
  const ThreadBenefit::By by = first ? ThreadBenefit::By::kOne : benefit_->next();
  const std::size_t parts = first ? 1 : parts_.size();
  const std::uint64_t share =
      std::clamp<std::uint64_t>(std::min(most, launch_.watch->left()) / parts, 1, first ? kFirstRound : kRound);
  std::vector<std::uint64_t> executed(parts, 0);
  std::vector<std::exception_ptr> faults(parts);
  const auto work = [&](std::size_t number) {
    GridPart& part = *parts_[number];
    std::uint64_t& done = executed[number];
    try {
      for (std::uint64_t latest = 1; part.busy() && latest != 0 && done < share && !progress_.is_stopped();) {
        latest = part.pass(share - done);
        done += latest;
      }
    } catch (...) {
      faults[number] = std::current_exception();
      progress_.stop();
    }
  };
  if (by == ThreadBenefit::By::kAll) {
    workers_->run(parts, work);
  } else {
    for (std::size_t i = 0; i < parts; ++i) {
      work(i);
    }
  }
  // The fault of the first part that has one.
  for (const std::exception_ptr& fault : faults) {
    if (fault != nullptr) {
      std::rethrow_exception(fault);
    }
  }
  const std::uint64_t all = std::accumulate(executed.begin(), executed.end(), std::uint64_t{0});
  executed_ += all;
  benefit_->note(by, all, std::chrono::duration<double, std::nano>(Clock::now() - begin).count());
  launch_.watch->spend(all);
  busy_ = std::ranges::any_of(parts_, [](const auto& part) { return part->busy(); });
  return all;
}

GridExecution::State GridExecution::run(std::uint64_t most) {
  const HostFloatState float_state;
  LaunchWatch& watch = *launch_.watch;
  if (waits_ && watch.only_waits()) {
    watch.spend(kPoll);  // as if it polled: there may be a limit
    return State::kWaits;
  }
  waits_ = false;
  for (std::uint64_t done = 0; busy_ && done < most;) {
    const std::uint64_t executed = turns(most - done);
    done += executed;
    if (busy_ && (executed == 0 ? watch.only_waits() : watch.is_found_waiting())) {
      if (!watch.waits_for_others()) {
        end_deadlocked();
      }
      waits_ = true;
      return State::kWaits;
    }
  }
  return busy_ ? State::kOpen : State::kEnded;
}

bool GridExecution::waits_for_host() const {
  return launch_.watch->waits_for_host();
}

void GridExecution::end_deadlocked() {
  launch_.watch->end_deadlocked();
}

ExecutedWork GridExecution::work() const {
  ExecutedWork work;
  for (const auto& part : parts_) {
    part->add_to(work);
  }
  return work;
}

ExecutedWork execute_grid(const LaunchContext& launch, const GridExecutionOptions& options) {
  if (launch.watch == nullptr) {
    LaunchWatch unbounded(*launch.kernel, launch.grid.count(), {});
    LaunchContext watched = launch;
    watched.watch = &unbounded;
    return execute_grid(watched, options);
  }
  GridExecution execution(launch, options);
  for (auto state = GridExecution::State::kOpen; state != GridExecution::State::kEnded;) {
    state = execution.run(GridExecution::kNoLimit);
    if (state == GridExecution::State::kWaits && !execution.waits_for_host()) {
      execution.end_deadlocked();
    }
  }
  return execution.work();
}

}  // namespace warpsim
