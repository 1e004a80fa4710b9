// The device of the CUDA libraries: PTX executed by the emulator, without timing or at issue on a simulated GPU.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "codegen/machine_code.h"
#include "core/gpu/topology.h"
#include "cuda/device/device.h"
#include "cuda/device/device_modules.h"
#include "cuda/device/device_runtime.h"
#include "cuda/device/grid_barrier.h"
#include "cuda/device/launch_reports.h"
#include "cuda/device/module_loader.h"
#include "cuda/device/pending_launch.h"
#include "cuda/device/race_search.h"
#include "cuda/device/simulated_system.h"
#include "cuda/device/system_call_times.h"
#include "cuda/device/timed_queue.h"
#include "cuda/device/untimed_queue.h"
#include "emulator/code/kernel_image.h"
#include "emulator/code/module_image.h"
#include "emulator/execution/breakpoints.h"
#include "emulator/execution/launch_context.h"
#include "emulator/memory/device_heap.h"
#include "emulator/textures/texture_unit.h"

namespace warpsim::cuda {

class SimulatedDevice final : public Device, private GridRunner {
 public:
  // One GPU of a system; alone, as in --gpu. Throws UserError.
  SimulatedDevice(std::shared_ptr<SimulatedSystem> system, std::uint32_t number, const DeviceOptions& options);
  SimulatedDevice(const std::string& gpu, const DeviceOptions& options);
  ~SimulatedDevice() override;

  std::uint32_t number() const override { return number_; }
  const GpuConfig& config() const override { return config_; }
  DeviceMemory& memory() override { return memory_; }
  ManagedMemory* managed() override { return &system_->managed(); }
  void call_begins() override { system_->call_begins(); }
  void call_ends() override { system_->call_ends(); }
  void interrupt_for(const std::function<bool()>& time_stops) override;
  void use_graphs(KernelGraphs& graphs) override { runtime_.use_graphs(graphs); }
  void use_ranges(HostRanges& ranges) override { system_->selection().use_ranges(ranges); }
  void set_profiled(bool profiled) override { system_->selection().set_open(profiled); }
  using Device::load_module;
  Outcome load_module(std::string_view ptx, const std::string& file, ModuleId& module, const Managed& managed) override;
  Outcome load_linked(std::span<const std::string> texts, const std::string& file, ModuleId& module,
                      const Managed& managed) override;
  std::string refusal(ModuleId module) const override { return modules_.refusal(module); }
  void unload_module(ModuleId module) override;
  Outcome find_kernel(ModuleId module, std::string_view name, KernelId& kernel) override;
  std::vector<std::string> kernel_names(ModuleId module) const override { return modules_.kernel_names(module); }
  Outcome find_variable(ModuleId module, std::string_view name, VariableInfo& variable) override;
  const KernelInfo& info(KernelId kernel) const override;
  Outcome launch(KernelId kernel, const Launch& launch, WorkHandle* work = nullptr) override;
  DeviceQueue& queue() override;
  Outcome take_failure() override;
  void finish_work() override;
  std::uint64_t create_texture(const TextureDescription& texture) override;
  void destroy_texture(std::uint64_t object) override;
  void note_written(Address address, std::uint64_t bytes) override;
  void note_touched(Address address, std::uint64_t bytes) override;
  std::string take_printed() override { return reports_.take_printed(); }
  std::vector<std::string> take_findings() override { return reports_.take_findings(); }
  void store_results() override;
  std::vector<std::string> closing_notes() const override { return system_->selection().notes(); }
  std::uint64_t races() const override { return races_ == nullptr ? 0 : races_->races(); }
  std::string check_summary() const override { return races_ == nullptr ? "" : summary_of(*races_); }
  void set_heap_bytes(std::uint64_t bytes) override { heap_.set_limit(bytes); }
  void set_stack_bytes(std::uint32_t bytes) override { stack_bytes_ = bytes; }
  void set_limit(int limit, std::uint64_t value) override { runtime_.set_limit(limit, value); }
  void set_aside_l2(std::uint32_t sixteenths) override { system_->set_aside_l2(number_, sixteenths); }
  void end_l2_persistence() override { system_->end_l2_persistence(number_); }

 private:
  struct Kernel {
    ModuleId module = 0;
    std::unique_ptr<KernelImage> image;
    MachineCode code;
    KernelInfo info;
  };
  // Launches from kernels.
  Outcome find_kernel_number(ModuleId module, std::uint32_t function, KernelId& kernel) override;
  const KernelInfo& kernel_info(KernelId kernel) const override { return info(kernel); }
  Outcome check_launch(KernelId kernel, const Launch& launch) const override;
  std::uint64_t run_grid(KernelId kernel, const Launch& launch) override;
  std::string why_not_nested() const override;
  WorkHandle start_grid(KernelId kernel, const Launch& launch, const TimedChildren::Place& place) override;
  WorkHandle start_transfer(const DeviceTransfer& transfer, const TimedChildren::Place& place) override;
  void note_wait(const WorkHandle& grid, const TimedChildren::WarpWait& wait) override;
  Outcome check(const Kernel& kernel, const Launch& launch, std::uint32_t& resident_blocks) const;
  bool is_skipped(const Kernel& kernel);
  LaunchContext context_of(const Kernel& kernel, const Launch& launch);
  std::shared_ptr<PendingLaunch> prepare(const Kernel& kernel, const Launch& launch, bool profiled = true);
  // Of the host's launch: whether it is profiled.
  bool is_profiled(const Kernel& kernel);
  // Gives it to the machine; throws KernelFault and ConfigError.
  WorkHandle execute(const std::shared_ptr<PendingLaunch>& launch, const WorkPlace& place,
                     std::uint32_t resident_blocks);
  // Of a launch that is not profiled, on a device with time: the work that executes it in no time.
  Work work_without_time(const std::shared_ptr<PendingLaunch>& launch, const WorkPlace& place,
                         std::uint32_t resident_blocks);
  std::string abandon();

  TimedMachine* machine() const { return system_->machine(); }

  std::shared_ptr<SimulatedSystem> system_;
  std::uint32_t number_;
  DeviceOptions options_;
  const GpuConfig& config_;
  DeviceMemory& memory_;
  DeviceHeap heap_;
  ModuleLoader loader_;
  TextureUnit textures_;
  Breakpoints breakpoints_;
  Topology topology_;
  DeviceModules modules_;
  std::deque<Kernel> kernels_;  // by id - 1; running grids refer to them
  std::map<std::pair<ModuleId, std::string>, KernelId> kernel_ids_;
  LaunchReports reports_;
  std::uint32_t stack_bytes_ = 1024;
  std::uint64_t launches_ = 0;
  std::unique_ptr<RaceCheck> races_;  // null: not looked for
  std::optional<TimedQueue> timed_;
  std::optional<UntimedQueue> untimed_;  // one of them
  DeviceRuntime runtime_{*this, memory_, *this};
  std::optional<SystemCallTimes> system_calls_;  // with time
  GridBarrier barrier_{memory_};
};

}  // namespace warpsim::cuda
