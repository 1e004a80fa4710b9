// The CUDA device runtime of a simulated device: what kernels call to launch grids, and the answers to their questions.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "cuda/device/child_launches.h"
#include "cuda/device/device.h"
#include "cuda/device/device_limits.h"
#include "cuda/device/kernel_calls.h"
#include "cuda/device/kernel_graphs.h"
#include "cuda/device/parameter_buffers.h"
#include "cuda/device/timed_children.h"
#include "emulator/execution/device_launches.h"

namespace warpsim::cuda {

// The grids of a device as its runtime needs them.
class GridRunner {
 public:
  virtual ~GridRunner() = default;
  // The kernel with a number among a module's functions. Fails with kNotFound.
  virtual Outcome find_kernel_number(ModuleId module, std::uint32_t function, KernelId& kernel) = 0;
  virtual const KernelInfo& kernel_info(KernelId kernel) const = 0;
  // Whether the GPU allows the launch.
  virtual Outcome check_launch(KernelId kernel, const Launch& launch) const = 0;
  // Runs the grid until its blocks have ended and tells the runtime when it begins. Returns its number; 0 if it is
  // skipped. Throws KernelFault and ConfigError.
  virtual std::uint64_t run_grid(KernelId kernel, const Launch& launch) = 0;
  // Why no grid can be run while another one is; empty if it can be.
  virtual std::string why_not_nested() const = 0;
  // With time: puts the grid on the device; null if it is skipped.
  virtual WorkHandle start_grid(KernelId kernel, const Launch& launch, const TimedChildren::Place& place) = 0;
  virtual WorkHandle start_transfer(const DeviceTransfer& transfer, const TimedChildren::Place& place) = 0;
  virtual void note_wait(const WorkHandle& grid, const TimedChildren::WarpWait& wait) = 0;
};

class DeviceRuntime final : public DeviceLaunches, private DeviceQueries, private DeviceGraphs {
 public:
  // Both outlive this. Nothing of `device` is used before the first launch.
  DeviceRuntime(Device& device, DeviceMemory& memory, GridRunner& grids);

  // Who launches graphs; outlives it.
  void use_graphs(KernelGraphs& graphs) { graphs_ = &graphs; }
  // For the device: a grid begins, all blocks of the host's grid have ended, a grid has failed. `graph_launch`: as in
  // Launch.
  void begin(std::uint64_t grid, ModuleId module, std::uint64_t graph_launch = 0);
  void placed(std::uint64_t grid, const WorkHandle& work) { children_->placed(grid, work); }
  void complete(std::uint64_t grid);
  // With time: the blocks of any grid have ended; work that a grid has launched is over.
  void use_time(const DeviceQueuesConfig& times, double core_mhz, std::function<double(Cycle)> time_of);
  void ended(std::uint64_t grid);
  void work_ended() { timed_->work_ended(); }
  void abandon();
  // What a message about a grid that cannot end adds: work of it that waits for its end; empty if there is none.
  std::string waiting_work() const;
  void set_limit(int limit, std::uint64_t value);

  // --- DeviceLaunches ---
  void set_time(Cycle now) override;
  Cycle call_ends_at(Cycle now) const override { return calls_ == nullptr ? now : calls_->ends_at(now); }
  Address parameter_buffer(const DeviceThread& thread, std::uint64_t bytes) override;
  Address parameter_buffer(const DeviceLaunch& launch) override;
  int launch(const DeviceLaunch& launch, Address buffer) override;
  int launch_configured(Address buffer, const DeviceStream& stream, const DeviceThread& thread) override;
  int transfer(const DeviceTransfer& transfer) override;
  std::string why_not_synchronised(const DeviceThread& thread) const override;
  int synchronise(const DeviceThread& thread) override;
  bool awaits_launches(const DeviceThread& thread) const override { return children_->awaits(thread); }
  int create(DeviceObject kind, const DeviceThread& thread, std::uint64_t& handle) override;
  int destroy(DeviceObject kind, std::uint64_t handle) override;
  bool exists(DeviceObject kind, std::uint64_t handle) override;
  void set_last_error(const DeviceThread& thread, int error) override;
  int last_error(const DeviceThread& thread, bool clear) override;
  DeviceQueries& queries() override { return *this; }
  DeviceGraphs& graphs() override { return *this; }

 private:
  int attribute(int number, int& value) override;
  int limit(int number, std::uint64_t& value) override;
  int runtime_version() override;
  int function_attributes(const DeviceThread& thread, std::uint32_t kernel, std::vector<std::byte>& bytes) override;
  int active_blocks(const DeviceLaunch& launch, int& blocks) override;
  Address error_text(int error, bool name) override;

  std::string why_not_launched(const DeviceThread& thread) const override;
  int launch_graph(const DeviceThread& thread, std::uint64_t graph, GraphStream stream) override;
  int change_node(const DeviceThread& thread, const DeviceNodeChange& change) override;

  std::uint64_t run(const ChildExecutor::Work& work);
  WorkHandle start(const ChildExecutor::Work& work, const TimedChildren::Place& place);
  bool has_events(std::uint64_t grid) const;
  Outcome find(const DeviceLaunch& launch, KernelId& kernel);
  // The launch as the device takes it; `parameters` outlives it.
  Launch launch_of(const DeviceLaunch& launch, KernelId kernel) const;
  // The grid has ended: what its threads have created is gone.
  void forget(std::uint64_t grid);

  Device& device_;
  DeviceMemory& memory_;
  GridRunner& grids_;
  DeviceQueuesConfig times_;
  std::unique_ptr<KernelCalls> calls_;  // null: without time
  std::unique_ptr<ChildExecutor> children_;
  TimedChildren* timed_ = nullptr;  // the same, with time
  KernelGraphs* graphs_ = nullptr;
  std::map<std::uint64_t, std::uint64_t> graph_launches_;  // by grid, of those that are parts of graphs
  ParameterBuffers buffers_;
  std::array<std::uint64_t, kFirstLimits.size()> limits_ = {};
  struct Object {
    DeviceObject kind = DeviceObject::kStream;
    std::uint64_t grid = 0;  // whose thread has created it
  };
  std::map<std::uint64_t, Object> objects_;  // streams and events, by handle
  std::uint64_t next_handle_;
  std::map<DeviceThread, int> errors_;
  std::map<std::pair<int, bool>, Address> texts_;
};

}  // namespace warpsim::cuda
