#include "emulator/execution/grid_part.h"

#include <algorithm>

#include "emulator/execution/block_execution.h"

namespace warpsim {

namespace {

// Operations of a warp before the next block continues. With a race check they take longer, so polls must end sooner.
constexpr std::uint64_t kTurn = 20'000;
constexpr std::uint64_t kTurnWithRaces = 1'000;

}  // namespace

void GridProgress::advance(std::uint64_t operations, Cycle at_least) {
  Cycle now = now_.load(std::memory_order_relaxed);
  while (!now_.compare_exchange_weak(now, std::max(now + operations, at_least), std::memory_order_relaxed)) {
  }
}

// Space on the device for one cluster.
class GridPart::Resident {
 public:
  Resident(const LaunchContext& launch, std::uint32_t local_bytes) : launch_(launch) {
    for (std::uint64_t i = 0; i < launch.cluster.count(); ++i) {
      blocks_.push_back(std::make_unique<BlockExecution>(launch, local_bytes));
      memories_.push_back(&blocks_.back()->memory());
    }
    for (const auto& block : blocks_) {
      block->memory().cluster = memories_;
    }
  }

  void start(std::uint64_t cluster, std::uint32_t place) {
    state_ = {};
    if (blocks_.size() == 1) {
      start_block(0, cluster, place);
    } else {
      const std::vector<std::uint64_t> indices = blocks_of_cluster(launch_, cluster);
      for (std::size_t i = 0; i < indices.size(); ++i) {
        start_block(i, indices[i], static_cast<std::uint32_t>(place * indices.size() + i));
      }
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
  void start_block(std::size_t number, std::uint64_t linear_index, std::uint32_t place) {
    blocks_[number]->start(linear_index, place % launch_.sm_count, &state_);
    blocks_[number]->let_time_pass();
  }

  const LaunchContext& launch_;
  std::vector<std::unique_ptr<BlockExecution>> blocks_;
  std::vector<BlockMemory*> memories_;
  ClusterState state_;
  bool busy_ = false;
};

GridPart::GridPart(const LaunchContext& launch, std::uint32_t local_bytes, const Places& places, GridProgress& progress)
    : launch_(launch), local_bytes_(local_bytes), places_(places), progress_(progress) {}

GridPart::~GridPart() = default;

std::uint64_t GridPart::pass(std::uint64_t most) {
  std::uint64_t done = 0;
  busy_ = false;
  // A new place is used only when the previous ones have had their turn and are still busy: most grids need only one.
  for (std::size_t i = 0; i < places_.count; ++i) {
    if (i == residents_.size()) {
      if (progress_.has_begun()) {
        break;
      }
      const std::lock_guard guard(progress_.lock());
      residents_.push_back(std::make_unique<Resident>(launch_, local_bytes_));
    }
    Resident& resident = *residents_[i];
    do {
      if (!resident.busy()) {
        std::uint64_t cluster = 0;
        if (!progress_.take(cluster)) {
          break;
        }
        resident.start(cluster, places_.first + static_cast<std::uint32_t>(i) * places_.step);
      }
      const std::uint64_t executed = resident.run(progress_.now());
      done += executed;
      progress_.advance(executed, resident.latest());
    } while (!resident.busy() && done < most && !progress_.is_stopped());
    busy_ = busy_ || resident.busy();
    if (done >= most || progress_.is_stopped()) {
      busy_ = true;  // as far as is known
      break;
    }
  }
  return done;
}

void GridPart::add_to(ExecutedWork& work) const {
  for (const auto& resident : residents_) {
    resident->add_to(work);
  }
}

}  // namespace warpsim
