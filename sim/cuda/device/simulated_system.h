// What the GPUs of a process share: the address space, time, the host's clock and the results.
//
// A program's GPUs are numbered from 0 in the order of their descriptions. State: the memory of each GPU; with time the
// machine that holds all of them.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cuda/device/device.h"
#include "cuda/device/gpu_description.h"
#include "cuda/device/grid_executor.h"
#include "cuda/device/launch_selection.h"
#include "cuda/device/managed_system.h"
#include "cuda/device/timed_machine.h"
#include "cuda/device/trace_recorder.h"
#include "cuda/device/untimed_machine.h"
#include "emulator/memory/device_memory.h"
#include "memory/remote/memory_homes.h"

namespace warpsim::cuda {

class SimulatedSystem {
 public:
  // `gpus`: each as in --gpu. Throws UserError.
  SimulatedSystem(const std::vector<std::string>& gpus, const DeviceOptions& options);
  SimulatedSystem(const SimulatedSystem&) = delete;
  SimulatedSystem& operator=(const SimulatedSystem&) = delete;

  std::size_t size() const { return gpus_.size(); }
  const GpuDescription& gpu(std::uint32_t number) const { return gpus_[number]; }
  DeviceMemory& memory(std::uint32_t gpu) { return *memories_[gpu]; }
  // With and without timing; the other one is null. The recorder also, unless a trace is recorded.
  TimedMachine* machine() { return machine_.get(); }
  UntimedMachine* untimed() { return untimed_ ? &*untimed_ : nullptr; }
  TraceRecorder* recorder() { return recorder_.get(); }
  ManagedMemory& managed() { return managed_->memory(); }
  LaunchSelection& selection() { return selection_; }
  GridExecutor& executor() { return executor_; }
  // At the beginning and at the end of a call of the program.
  void call_begins();
  void call_ends();

  // See Device. Without timing nothing is in L2.
  void set_aside_l2(std::uint32_t gpu, std::uint32_t sixteenths);
  void end_l2_persistence(std::uint32_t gpu);

  // A GPU goes away: what runs on any of them is thrown away, and the run ends in the database.
  void end();

 private:
  void manage(bool timed);
  void note(const DeviceMemory::Allocation& allocation, bool exists);

  std::vector<GpuDescription> gpus_;
  LaunchSelection selection_;
  GridExecutor executor_;
  std::vector<std::unique_ptr<DeviceMemory>> memories_;  // by GPU
  MemoryHomes homes_;                                    // what the memory of each allocation is, for the machine
  std::unique_ptr<ManagedSystem> managed_;
  std::unique_ptr<TimedMachine> machine_;
  std::unique_ptr<TraceRecorder> recorder_;
  std::optional<UntimedMachine> untimed_;
};

}  // namespace warpsim::cuda
