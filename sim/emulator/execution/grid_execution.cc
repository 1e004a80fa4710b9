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

// Space on the device for one cluster.
class Resident {
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
    }
    busy_ = true;
  }

  bool busy() const { return busy_; }

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

}  // namespace

ExecutedWork execute_grid(const LaunchContext& launch, const GridExecutionOptions& options) {
  if (launch.watch == nullptr) {
    LaunchWatch unbounded(*launch.kernel, launch.grid.count(), {});
    LaunchContext watched = launch;
    watched.watch = &unbounded;
    return execute_grid(watched, options);
  }
  LaunchWatch& watch = *launch.watch;
  const std::uint64_t clusters = launch.grid.count() / launch.cluster.count();
  const auto places = static_cast<std::size_t>(std::clamp<std::uint64_t>(
      options.resident_blocks / launch.cluster.count(), 1, std::max<std::uint64_t>(clusters, 1)));
  std::vector<std::unique_ptr<Resident>> residents;
  std::uint64_t next = 0;
  std::uint64_t now = 0;
  for (bool any = true; any;) {
    any = false;
    std::uint64_t done = 0;
    // A new place is used only when the previous ones have had their turn and are still busy: most grids need only one.
    for (std::size_t i = 0; i < places; ++i) {
      if (i == residents.size()) {
        if (next == clusters) {
          break;
        }
        residents.push_back(std::make_unique<Resident>(launch, options.local_bytes));
      }
      Resident& resident = *residents[i];
      do {
        if (!resident.busy()) {
          if (next == clusters) {
            break;
          }
          resident.start(next++, static_cast<std::uint32_t>(i));
        }
        const std::uint64_t executed = resident.run(now);
        done += executed;
        now += executed;
      } while (!resident.busy());
      any = any || resident.busy();
    }
    if (any && done == 0) {
      watch.end_deadlocked();
    }
    watch.look();
  }
  ExecutedWork work;
  for (const auto& resident : residents) {
    resident->add_to(work);
  }
  return work;
}

}  // namespace warpsim
