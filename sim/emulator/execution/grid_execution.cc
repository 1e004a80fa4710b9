#include "emulator/execution/grid_execution.h"

#include <algorithm>
#include <memory>
#include <vector>

#include "emulator/code/kernel_image.h"
#include "emulator/execution/block_execution.h"
#include "emulator/execution/launch_watch.h"

namespace warpsim {

namespace {

// Operations of a warp before the next block continues. With a race check they take longer, so polls must end sooner.
constexpr std::uint64_t kTurn = 20'000;
constexpr std::uint64_t kTurnWithRaces = 1'000;

}  // namespace

// Space on the device for one cluster.
class GridExecution::Resident {
 public:
  Resident(const LaunchContext& launch, std::uint32_t local_bytes) : launch_(launch) {
    for (std::uint64_t i = 0; i < launch.cluster.count(); ++i) {
      blocks_.push_back(std::make_unique<BlockExecution>(launch, local_bytes));
    }
  }

  void start(std::uint64_t cluster, std::uint32_t place) {
    state_ = std::make_unique<ClusterState>();
    const std::vector<std::uint64_t> indices = blocks_of_cluster(launch_, cluster);
    std::vector<BlockMemory*> memories;
    for (const auto& block : blocks_) {
      memories.push_back(&block->memory());
    }
    for (std::size_t i = 0; i < indices.size(); ++i) {
      blocks_[i]->memory().cluster = memories;
      blocks_[i]->start(indices[i], static_cast<std::uint32_t>(place * indices.size() + i) % launch_.sm_count,
                        state_.get());
      blocks_[i]->let_time_pass();
    }
    busy_ = true;
  }

  bool busy() const { return busy_; }
  Cycle latest() const {
    Cycle latest = 0;
    for (const auto& block : blocks_) {
      latest = std::max(latest, block->latest());
    }
    return latest;
  }

  std::uint64_t run(Cycle now) {
    std::uint64_t done = 0;
    bool all_finished = true;
    const std::uint64_t turn = launch_.races == nullptr ? kTurn : kTurnWithRaces;
    for (const auto& block : blocks_) {
      done += block->run(turn, now);
      all_finished = all_finished && block->finished();
    }
    busy_ = !all_finished;
    return done;
  }

  void add_to(ExecutedWork& work) const {
    for (const auto& block : blocks_) {
      work.warp_operations += block->warp_operations();
      work.thread_operations += block->thread_operations();
    }
  }

 private:
  const LaunchContext& launch_;
  std::vector<std::unique_ptr<BlockExecution>> blocks_;
  std::unique_ptr<ClusterState> state_;
  bool busy_ = false;
};

GridExecution::GridExecution(const LaunchContext& launch, const GridExecutionOptions& options)
    : launch_(launch),
      local_bytes_(options.local_bytes),
      clusters_(launch.grid.count() / launch.cluster.count()),
      places_(static_cast<std::size_t>(std::clamp<std::uint64_t>(options.resident_blocks / launch.cluster.count(), 1,
                                                                 std::max<std::uint64_t>(clusters_, 1)))) {}

GridExecution::~GridExecution() = default;

std::uint64_t GridExecution::pass() {
  std::uint64_t done = 0;
  busy_ = false;
  // A new place is used only when the previous ones have had their turn and are still busy: most grids need only one.
  for (std::size_t i = 0; i < places_; ++i) {
    if (i == residents_.size()) {
      if (has_begun()) {
        break;
      }
      residents_.push_back(std::make_unique<Resident>(launch_, local_bytes_));
    }
    Resident& resident = *residents_[i];
    do {
      if (!resident.busy()) {
        if (has_begun()) {
          break;
        }
        resident.start(next_++, static_cast<std::uint32_t>(i));
      }
      const std::uint64_t executed = resident.run(now_);
      done += executed;
      executed_ += executed;
      now_ = std::max(now_ + executed, resident.latest());
    } while (!resident.busy());
    busy_ = busy_ || resident.busy();
  }
  return done;
}

GridExecution::State GridExecution::run(std::uint64_t most) {
  LaunchWatch& watch = *launch_.watch;
  if (waits_ && watch.only_waits()) {
    watch.spend(kTurn);  // as if it polled: there may be a limit
    return State::kWaits;
  }
  waits_ = false;
  for (std::uint64_t done = 0; busy_ && done < most;) {
    const std::uint64_t executed = pass();
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
  for (const auto& resident : residents_) {
    resident->add_to(work);
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
