// The work that running grids have launched from their kernels: which of it is run when, and when a grid is complete.
//
// Modelled: work of a grid is run when the grid's blocks have ended, in the order of the calls, each with everything
// that it launches in turn; then the grid's tail launches, in order. A grid is complete when its descendants are
// (CUDA's programming guide, dynamic parallelism). This order satisfies every order that streams and events ask for,
// since these only put work after work that was requested before. Work of one block is run at once when the block waits
// for it, which is possible in the first interface. How work is run is not known here.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <vector>

#include "cuda/device/child_executor.h"
#include "emulator/execution/device_launches.h"

namespace warpsim::cuda {

class ChildLaunches final : public ChildExecutor {
 public:
  // Runs it until its own blocks have ended; a grid calls begin(). Returns the grid's number, 0 if there is none.
  using Run = std::function<std::uint64_t(const Work& work)>;

  explicit ChildLaunches(Run run) : run_(std::move(run)) {}

  void set_most_pending(std::uint64_t launches) override { most_pending_ = launches; }
  void set_sync_depth(std::uint64_t levels) override { sync_depth_ = levels; }

  void begin(std::uint64_t grid, ModuleId module) override;
  ModuleId module_of(std::uint64_t grid) const override { return grids_.at(grid).module; }
  int add(Work work, bool in_order) override;
  int synchronise(const DeviceThread& thread) override;
  bool has_work(const DeviceThread& thread) const override;
  void complete(std::uint64_t grid) override;
  void abandon() override;
  std::uint64_t pending() const override { return pending_; }
  bool is_idle() const { return grids_.empty(); }

 private:
  struct Item {
    Work work;
    std::uint32_t depth = 0;   // of the grid; the host's has 0
    bool ends_parent = false;  // no work: what was launched before is complete
  };
  struct Grid {
    ModuleId module = 0;
    std::uint32_t depth = 0;
    std::vector<Item> work;
    std::vector<Item> tails;
  };

  static std::uint64_t block_of(const Work& work);
  // The next item is the last one.
  void run_all(std::vector<Item> items);
  void put_work_of(std::uint64_t grid, std::vector<Item>& items);

  Run run_;
  std::map<std::uint64_t, Grid> grids_;  // whose blocks are running
  std::uint32_t depth_ = 0;              // of the grid that begins next
  std::uint64_t pending_ = 0;
  std::uint64_t most_pending_ = 0;
  std::uint64_t sync_depth_ = 0;
};

}  // namespace warpsim::cuda
