#include "cuda/device/trace_recorder.h"

#include <cstdio>

#include "base/error.h"
#include "base/host_float_state.h"
#include "emulator/execution/fault.h"
#include "emulator/execution/launch_watch.h"
#include "frontend/workload/kernel_recorder.h"

namespace warpsim::cuda {

namespace {

// Of a warp: addresses are consumed as soon as they are produced.
constexpr std::uint32_t kAccessesInFlight = 1;

}  // namespace

TraceRecorder::TraceRecorder(const std::string& path) : writer_(path), path_(path) {}

TraceRecorder::~TraceRecorder() {
  if (!creator_.is_this()) {
    return;
  }
  if (failed_) {
    std::fprintf(stderr, "warpsim: a kernel failed, so that %s was not finished\n", path_.c_str());
    return;
  }
  try {
    writer_.finish();
  } catch (const UserError& error) {
    std::fprintf(stderr, "warpsim: error: %s\n", error.what());
  }
}

void TraceRecorder::run(const KernelWork& work, std::uint32_t resident_blocks) {
  if (failed_) {
    throw KernelFault(FaultKind::kTrap, "the device has failed before");
  }
  const HostFloatState float_state;
  failed_ = true;
  const std::unique_ptr<PtxKernel> kernel = make_ptx_kernel(work, launches_++, kAccessesInFlight);
  LaunchWatch* const watch = work.context.watch;
  record_kernel(*kernel, resident_blocks, writer_, [watch](bool any_went_on) {
    if (watch == nullptr) {
      return;
    }
    if (!any_went_on) {
      watch->end_deadlocked();
    }
    watch->look();
  });
  failed_ = false;
}

void TraceRecorder::written(Address address, std::uint64_t bytes) {
  if (!failed_) {
    writer_.add_copy({address, bytes});
  }
}

}  // namespace warpsim::cuda
