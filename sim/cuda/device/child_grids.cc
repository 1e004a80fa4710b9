// The grids of a simulated device as its device runtime needs them, for launches from kernels.
#include "cuda/device/device_transfers.h"
#include "cuda/device/simulated_device.h"

namespace warpsim::cuda {

Outcome SimulatedDevice::find_kernel_number(ModuleId module, std::uint32_t function, KernelId& kernel) {
  const std::vector<ptx::Function>& functions = modules_.image(module).module().functions;
  if (function >= functions.size() || !functions[function].is_entry) {
    return {Failure::kNotFound, "a launch of an address that is not a kernel's"};
  }
  return find_kernel(module, functions[function].name, kernel);
}

Outcome SimulatedDevice::check_launch(KernelId kernel, const Launch& launch) const {
  std::uint32_t resident_blocks = 0;
  return check(kernels_[kernel - 1], launch, resident_blocks);
}

std::uint64_t SimulatedDevice::run_grid(KernelId number, const Launch& launch) {
  const Kernel& kernel = kernels_[number - 1];
  std::uint32_t resident_blocks = 0;
  check(kernel, launch, resident_blocks);
  if (is_skipped(kernel)) {
    return 0;
  }
  const std::shared_ptr<PendingLaunch> pending = prepare(kernel, launch);
  pending->notes.emplace(LaunchNotes::Clock::now());
  pending->begins();
  system_->untimed()->execute(*pending, resident_blocks);
  return pending->work.context.grid_id;
}

WorkHandle SimulatedDevice::start_grid(KernelId number, const Launch& launch, const TimedChildren::Place& place) {
  const Kernel& kernel = kernels_[number - 1];
  if (is_skipped(kernel)) {
    return nullptr;
  }
  const std::shared_ptr<PendingLaunch> pending = prepare(kernel, launch);
  pending->over = [this] { runtime_.work_ended(); };
  return machine()->launch_from_kernel(pending, place);
}

WorkHandle SimulatedDevice::start_transfer(const DeviceTransfer& transfer, const TimedChildren::Place& place) {
  Work work;
  work.kind = transfer.fills ? WorkKind::kFill : WorkKind::kInDevice;
  work.bytes = transfer.width * transfer.height * transfer.depth;
  work.effect = [this, transfer] {
    run_transfer(transfer, memory_);
    runtime_.work_ended();
  };
  return machine()->put_from_kernel(std::move(work), place);
}

void SimulatedDevice::note_wait(const WorkHandle& grid, const TimedChildren::WarpWait& wait) {
  machine()->note_wait(grid, wait);
}

std::string SimulatedDevice::why_not_nested() const {
  if (races_ != nullptr) {
    return "is not possible with the search for races";
  }
  if (!options_.breakpoints.empty() && machine() == nullptr) {
    return "is only possible with breakpoints if there is timing (without --functional-only)";
  }
  return system_->recorder() != nullptr ? "is not possible while a trace is recorded" : "";
}

}  // namespace warpsim::cuda
