#include "app/simulation/ptx_run.h"

#include <fmt/format.h>

#include <filesystem>
#include <utility>

#include "app/launch_file/kernel_names.h"
#include "app/text_format.h"
#include "base/demangle.h"
#include "base/error.h"
#include "base/input_file.h"
#include "emulator/machine_code/cubin_module.h"

namespace warpsim {

namespace {

constexpr std::uint64_t kLargestCluster = 16;  // blocks

std::string shape_text(const Dim3& size) {
  return fmt::format("({}, {}, {})", size.x, size.y, size.z);
}

// For errors of running kernels; all others were reported before.
bool failed_while_running(cuda::Failure failure) {
  using cuda::Failure;
  switch (failure) {
    case Failure::kIllegalAddress:
    case Failure::kMisalignedAddress:
    case Failure::kIllegalInstruction:
    case Failure::kAssert:
    case Failure::kTrap:
    case Failure::kTimeout:
    case Failure::kLimited:
      return true;
    default:
      return false;
  }
}

void must(const cuda::Outcome& outcome, const std::string& position) {
  if (!outcome) {
    throw UserError(position.empty() ? outcome.message : position + ": " + outcome.message);
  }
}

cuda::DeviceOptions device_options(const PtxRunOptions& options) {
  cuda::DeviceOptions device;
  device.functional_only = options.functional_only;
  device.force_target = options.force_target;
  device.ptxas = options.ptxas;
  device.flush_caches = options.flush_caches;
  device.max_cycles = options.max_cycles;
  device.threads = options.threads;
  device.skip = options.skip;
  device.shuffle = options.shuffle;
  device.max_instructions = options.bounds.max_instructions;
  constexpr std::uint64_t kMebibyte = std::uint64_t{1} << 20U;
  if (options.bounds.quarantine_mib) {
    device.quarantine_bytes = *options.bounds.quarantine_mib * kMebibyte;
  }
  device.checks = options.bounds.checks;
  device.tolerant = options.bounds.tolerant;
  device.replace = options.replace;
  device.details = options.details;
  device.results = options.out;
  device.run_name = options.name.empty() ? std::filesystem::path(options.ptx).stem().string() : options.name;
  device.overrides = options.overrides;
  device.breakpoints = options.breaks.breakpoints();
  return device;
}

}  // namespace

PtxRun::PtxRun(const PtxRunOptions& options, const LaunchFile& file, const std::string& command, Tell tell)
    : options_(options),
      file_(file),
      ptx_(require_input(options.ptx, "PTX")),
      tell_(std::move(tell)),
      timeline_(options.timeline) {
  const std::unique_ptr<const ptx::Module> module = module_of_code(ptx_, options.ptx);
  for (KernelLaunchRequest& launch : file_.launches) {
    launch.kernel = find_kernel_name(*module, launch.kernel, launch.origin.position());
  }
  cuda::DeviceOptions device = device_options(options);
  device.shown = timeline_.shown(options.gpu);
  device.command = command;
  device.listener = tell_.listener;
  device_ = cuda::make_device(options.gpu, device);
  if (file_.heap_bytes) {
    device_->set_heap_bytes(*file_.heap_bytes);
  }
  if (file_.stack_bytes) {
    device_->set_stack_bytes(*file_.stack_bytes);
  }
  remark_capability(*module);
  must(device_->load_module(ptx_, options.ptx, module_), "");
  memory_ = std::make_unique<LaunchMemory>(file_, *device_, module_);
  for (const KernelLaunchRequest& launch : file_.launches) {
    prepare(launch);
  }
}

PtxRun::~PtxRun() = default;

// Machine code runs on GPUs of its major capability that are not older.
void PtxRun::remark_capability(const ptx::Module& module) const {
  constexpr std::uint32_t kFamily = 10;
  const std::string& capability = device_->config().compute_capability;
  const std::uint32_t own = architecture_of(capability);
  if (module.is_machine_code && (module.target > own || module.target / kFamily != own / kFamily)) {
    tell_.remark(fmt::format("{}: machine code for sm_{} is executed on compute capability {}, where a GPU refuses it",
                             options_.ptx, module.target, capability));
  }
}

void PtxRun::prepare(const KernelLaunchRequest& request) {
  Prepared launch;
  launch.request = &request;
  must(device_->find_kernel(module_, request.kernel, launch.kernel), request.origin.position());
  const cuda::KernelInfo& info = device_->info(launch.kernel);
  const Dim3 required = info.required_cluster;
  launch.cluster = request.cluster.value_or(required.x != 0 ? required : Dim3{});
  const bool possible = device_->config().specifications.features.clusters != Support::kNo;
  if (launch.cluster.count() > (possible ? kLargestCluster : 1)) {
    throw UserError(fmt::format(
        "{}: a cluster of {} blocks; {}", request.origin.position(), launch.cluster.count(),
        possible ? fmt::format("at most {} are possible", kLargestCluster) : "clusters need compute capability 9.0"));
  }
  launch.parameters = memory_->parameters(request, info);
  launches_.push_back(std::move(launch));
}

PtxRun::Result PtxRun::run() {
  run_all();
  device_->store_results();
  result_.checked = device_->check_summary();
  result_.races = device_->races() != 0;
  return std::move(result_);
}

void PtxRun::run_all() {
  for (const Prepared& launch : launches_) {
    for (std::uint64_t i = 0; i < launch.request->repeat; ++i) {
      const bool last = &launch == &launches_.back() && i + 1 == launch.request->repeat;
      if (!run(launch, last)) {
        return;
      }
    }
  }
  timeline_.require_written();
  check_values(file_, *memory_, result_.report);
  check_printed(file_, printed_, result_.report);
}

bool PtxRun::run(const Prepared& prepared, bool last) {
  const KernelLaunchRequest& request = *prepared.request;
  cuda::Launch launch;
  launch.grid = request.grid;
  launch.block = request.block;
  launch.cluster = prepared.cluster;
  launch.dynamic_shared_bytes = request.dynamic_shared_bytes;
  launch.cooperative = request.cooperative;
  launch.parameters = prepared.parameters;
  WorkHandle work;
  cuda::Outcome outcome = device_->launch(prepared.kernel, launch, &work);
  if (outcome) {
    device_->finish_work();
    outcome = device_->take_failure();
  }
  constexpr double kNanosecond = 1e-9;
  const bool has_time = work != nullptr && !options_.functional_only;
  const std::string time = !has_time ? "" : ", " + short_seconds((work->end_ns - work->start_ns) * kNanosecond);
  const std::string printed = device_->take_printed();
  tell_.printed(printed);
  printed_ += printed;
  for (const std::string& finding : device_->take_findings()) {
    tell_.remark(finding);
  }
  const bool expected_to_fail = last && file_.failure.has_value();
  if (!outcome || expected_to_fail) {
    judge_failure(outcome, request, expected_to_fail);
    return false;
  }
  tell_.launched(fmt::format("{}: grid {}, block {}{}", plain_name(request.kernel), shape_text(request.grid),
                             shape_text(request.block), time));
  return true;
}

void PtxRun::judge_failure(const cuda::Outcome& outcome, const KernelLaunchRequest& request, bool expected) {
  CheckReport& report = result_.report;
  const std::string position = request.origin.position();
  if (!expected) {
    if (!failed_while_running(outcome.failure)) {
      must(outcome, position);
    }
    result_.limited = outcome.failure == cuda::Failure::kLimited;
    report.broken.push_back(outcome.message);
    return;
  }
  const ExpectedFailure& failure = *file_.failure;
  if (outcome) {
    report.broken.push_back(fmt::format("{}: kernel {} succeeded; it was expected to fail", position, request.kernel));
  } else if (outcome.failure != failure.reason || outcome.message.find(failure.message) == std::string::npos) {
    report.broken.push_back(fmt::format("{}: kernel {} failed with another error than expected: {}", position,
                                        request.kernel, outcome.message));
  } else {
    report.fulfilled.push_back(fmt::format("{}: failed as expected: {}", plain_name(request.kernel), outcome.message));
    check_values(file_, *memory_, report);
    check_printed(file_, printed_, report);
  }
}

}  // namespace warpsim
