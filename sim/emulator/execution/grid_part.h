// What one thread of the host executes of a grid without timing: places of the device, with a cluster in each, in turn.
//
// A part takes the next cluster of the grid that has not begun when one of its own has ended, or when all of its own
// have had a turn and none has ended: so blocks that wait for each other make progress. With one part the order is
// fixed.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "emulator/execution/launch_context.h"

namespace warpsim {

struct ExecutedWork {
  std::uint64_t warp_operations = 0;
  std::uint64_t thread_operations = 0;
};

// What the parts of a grid share.
class GridProgress {
 public:
  explicit GridProgress(std::uint64_t clusters) : clusters_(clusters) {}

  // The next cluster; false if all have begun.
  bool take(std::uint64_t& cluster) {
    if (has_begun()) {
      return false;
    }
    cluster = next_.fetch_add(1, std::memory_order_relaxed);
    return cluster < clusters_;
  }
  bool has_begun() const { return next_.load(std::memory_order_relaxed) >= clusters_; }

  // One for each operation of a warp, and what loops that await time make pass.
  Cycle now() const { return now_.load(std::memory_order_relaxed); }
  void advance(std::uint64_t operations, Cycle at_least);

  // Of everything that parts add to the launch.
  std::mutex& lock() { return lock_; }
  // A part has failed: the others end their turns early.
  void stop() { is_stopped_.store(true, std::memory_order_relaxed); }
  bool is_stopped() const { return is_stopped_.load(std::memory_order_relaxed); }

 private:
  std::uint64_t clusters_;
  std::atomic<std::uint64_t> next_{0};
  std::atomic<Cycle> now_{0};
  std::atomic<bool> is_stopped_{false};
  std::mutex lock_;
};

class GridPart {
 public:
  struct Places {
    std::size_t count = 1;
    std::uint32_t first = 0;  // number of the first one on the device
    std::uint32_t step = 1;   // from one to the next
  };
  // `launch` and `progress` outlive it. `local_bytes` per thread.
  GridPart(const LaunchContext& launch, std::uint32_t local_bytes, const Places& places, GridProgress& progress);
  ~GridPart();
  GridPart(const GridPart&) = delete;
  GridPart& operator=(const GridPart&) = delete;

  // Gives every place a turn, or ends after about `most` operations of warps. Returns their number; 0: all warps wait.
  // Throws KernelFault.
  std::uint64_t pass(std::uint64_t most);
  // Some of its clusters have not ended, or the grid has some that have not begun.
  bool busy() const { return busy_; }
  void add_to(ExecutedWork& work) const;

 private:
  class Resident;

  const LaunchContext& launch_;
  std::uint32_t local_bytes_;
  Places places_;
  GridProgress& progress_;
  std::vector<std::unique_ptr<Resident>> residents_;
  bool busy_ = true;
};

}  // namespace warpsim
