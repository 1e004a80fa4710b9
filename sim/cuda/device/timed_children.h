// Work that kernels launch on a device with time: it is put on the device when it is launched.
//
// Modelled: the work of a call can start when the last of its launches has been taken (kernel_calls.h); work of one
// stream of a block or thread is done in order, tail work after the rest of its parent. Streams of a grid that has
// created events are one order, since they may wait for each other. A thread that waits for the work of its block holds
// its warp until that is over. Evidence: tests/hardware/host_calls, h200_nested.csv. State: the grids that run, the
// warps that wait.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <tuple>
#include <vector>

#include "core/launch/host_interface.h"
#include "cuda/device/child_executor.h"
#include "cuda/device/kernel_calls.h"

namespace warpsim::cuda {

class TimedChildren final : public ChildExecutor {
 public:
  struct Place {
    WorkHandle parent;
    bool is_tail = false;
    double launched_ns = 0;  // from then on it may start
    std::vector<Dependence> after;
  };
  using Start = std::function<WorkHandle(const Work&, const Place&)>;
  // A warp of the block of a grid waits for the block's work, or no longer does.
  struct WarpWait {
    std::uint64_t block = 0;
    std::uint32_t warp = 0;
    bool begins = false;
  };
  using Report = std::function<void(const WorkHandle& grid, const WarpWait&)>;
  // `calls` outlives it.
  TimedChildren(const DeviceQueuesConfig& times, KernelCalls& calls, Start start, Report report);

  void set_most_pending(std::uint64_t launches) override { most_pending_ = launches; }
  void set_sync_depth(std::uint64_t levels) override { sync_depth_ = levels; }
  void begin(std::uint64_t grid, ModuleId module) override;
  void placed(std::uint64_t grid, const WorkHandle& work) override { grids_.at(grid).work = work; }
  ModuleId module_of(std::uint64_t grid) const override { return grids_.at(grid).module; }
  int add(Work work, bool in_order) override;
  int synchronise(const DeviceThread& thread) override;
  bool awaits(const DeviceThread& thread) const override { return waits_.contains(warp_of(thread)); }
  bool has_work(const DeviceThread& thread) const override;
  void complete(std::uint64_t /*grid*/) override {}
  void ended(std::uint64_t grid) override { grids_.erase(grid); }
  void abandon() override;
  // Work that was added is over.
  void work_ended();
  std::uint64_t pending() const override { return pending_; }

 private:
  // Work of one key is done in order.
  using Key = std::tuple<DeviceStream::Kind, std::uint64_t>;
  struct Grid {
    ModuleId module = 0;
    std::uint32_t depth = 0;  // the host's has 0
    WorkHandle work;
    std::map<Key, WorkHandle> last;
    std::map<std::uint64_t, std::vector<WorkHandle>> of_blocks;  // by block: what it may wait for
  };
  using WarpKey = std::tuple<std::uint64_t, std::uint64_t, std::uint32_t>;  // grid, block, warp
  static WarpKey warp_of(const DeviceThread& thread) { return {thread.grid, thread.block, thread.thread / kWarpSize}; }

  KernelCalls::Times times_;
  KernelCalls& calls_;
  Start start_;
  Report report_;
  std::map<std::uint64_t, Grid> grids_;  // whose blocks have not ended
  std::map<WarpKey, std::vector<WorkHandle>> waits_;
  std::uint32_t depth_ = 0;  // of the grid that is put on the device next
  std::uint64_t pending_ = 0;
  std::uint64_t most_pending_ = 0;
  std::uint64_t sync_depth_ = 0;
};

}  // namespace warpsim::cuda
