// Who decides when the work that running grids launch from their kernels is run.
#pragma once

#include <cstdint>
#include <variant>

#include "cuda/device/device.h"
#include "device/work.h"
#include "emulator/execution/device_launches.h"

namespace warpsim::cuda {

class ChildExecutor {
 public:
  // DeviceLaunch::kernel has no meaning here.
  using Work = std::variant<DeviceLaunch, DeviceTransfer>;

  virtual ~ChildExecutor() = default;

  virtual void set_most_pending(std::uint64_t launches) = 0;
  virtual void set_sync_depth(std::uint64_t levels) = 0;

  // A grid begins, or is put on the device: of the host, or the one that is being run. `module`: of its kernel.
  virtual void begin(std::uint64_t grid, ModuleId module) = 0;
  // The grid is this work of the device.
  virtual void placed(std::uint64_t /*grid*/, const WorkHandle& /*work*/) {}
  virtual ModuleId module_of(std::uint64_t grid) const = 0;
  // Returns CUDA's error number. The parent is running. `in_order`: its streams may wait for each other.
  virtual int add(Work work, bool in_order) = 0;
  // Runs the work of the thread's block so far, or makes the thread's warp wait for it: then awaits() holds until it is
  // over. Returns CUDA's error number.
  virtual int synchronise(const DeviceThread& thread) = 0;
  virtual bool awaits(const DeviceThread& /*thread*/) const { return false; }
  virtual bool has_work(const DeviceThread& thread) const = 0;
  // The blocks of the host's grid have ended: runs all work.
  virtual void complete(std::uint64_t grid) = 0;
  // The blocks of a grid have ended, where the device has what it has launched.
  virtual void ended(std::uint64_t /*grid*/) {}
  // A grid failed: forgets all.
  virtual void abandon() = 0;
  virtual std::uint64_t pending() const = 0;
};

}  // namespace warpsim::cuda
