#include "app/commands/ptx_run_command.h"

#include <fmt/format.h>

#include <filesystem>
#include <iostream>
#include <memory>

#include "app/commands/command_files.h"
#include "app/exit_codes.h"
#include "app/launch_file/kernel_names.h"
#include "app/launch_file/launch_checks.h"
#include "app/launch_file/launch_file.h"
#include "app/launch_file/launch_memory.h"
#include "app/simulation/thread_note.h"
#include "app/simulation/timeline_file.h"
#include "app/text_format.h"
#include "base/demangle.h"
#include "base/error.h"
#include "base/input_file.h"
#include "emulator/machine_code/cubin_module.h"

namespace warpsim {

namespace {

constexpr std::uint64_t kLargestCluster = 16;  // blocks

struct PreparedLaunch {
  const KernelLaunchRequest* request = nullptr;
  cuda::KernelId kernel = 0;
  Dim3 cluster;
  std::vector<std::byte> parameters;
};

std::string read_ptx(const std::string& path) {
  return require_input(path, "PTX");
}

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

class PtxRun {
 public:
  PtxRun(const PtxRunOptions& options, const std::string& command)
      : options_(options),
        file_(read_launch_file(options.launch_file)),
        ptx_(read_ptx(options.ptx)),
        timeline_(options.timeline) {
    check_files(options, file_);
    const std::unique_ptr<const ptx::Module> module = module_of_code(ptx_, options.ptx);
    for (KernelLaunchRequest& launch : file_.launches) {
      launch.kernel = find_kernel_name(*module, launch.kernel, launch.origin.position());
    }
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
    device.shown = timeline_.shown(options.gpu);
    device.results = options.out;
    device.run_name = options.name.empty() ? std::filesystem::path(options.ptx).stem().string() : options.name;
    device.command = command;
    device.overrides = options.overrides;
    device.breakpoints = options.breaks.breakpoints();
    device_ = cuda::make_device(options.gpu, device);
    if (file_.heap_bytes) {
      device_->set_heap_bytes(*file_.heap_bytes);
    }
    if (file_.stack_bytes) {
      device_->set_stack_bytes(*file_.stack_bytes);
    }
    note_capability(*module);
    must(device_->load_module(ptx_, options.ptx, module_), "");
    memory_ = std::make_unique<LaunchMemory>(file_, *device_, module_);
    for (const KernelLaunchRequest& launch : file_.launches) {
      prepare(launch);
    }
  }

  int run() {
    for (const PreparedLaunch& launch : launches_) {
      for (std::uint64_t i = 0; i < launch.request->repeat; ++i) {
        const bool last = &launch == &launches_.back() && i + 1 == launch.request->repeat;
        if (!run(launch, last)) {
          return finish();
        }
      }
    }
    timeline_.require_written();
    check_values(file_, *memory_, report_);
    check_printed(file_, printed_, report_);
    return finish();
  }

 private:
  // Machine code runs on GPUs of its major capability that are not older.
  void note_capability(const ptx::Module& module) const {
    constexpr std::uint32_t kFamily = 10;
    const std::string& capability = device_->config().compute_capability;
    const std::uint32_t own = architecture_of(capability);
    if (module.is_machine_code && (module.target > own || module.target / kFamily != own / kFamily)) {
      std::cerr << fmt::format(
          "warpsim: {}: machine code for sm_{} is executed on compute capability {}, where a GPU "
          "refuses it\n",
          options_.ptx, module.target, capability);
    }
  }

  void must(const cuda::Outcome& outcome, const std::string& position) const {
    if (!outcome) {
      throw UserError(position.empty() ? outcome.message : position + ": " + outcome.message);
    }
  }

  void prepare(const KernelLaunchRequest& request) {
    PreparedLaunch launch;
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

  // False: the launch failed.
  bool run(const PreparedLaunch& prepared, bool last) {
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
    std::cout << printed << std::flush;
    printed_ += printed;
    for (const std::string& finding : device_->take_findings()) {
      std::cerr << "warpsim: " << finding << "\n";
    }
    const bool expected_to_fail = last && file_.failure.has_value();
    if (!outcome || expected_to_fail) {
      judge_failure(outcome, request, expected_to_fail);
      return false;
    }
    std::cout << fmt::format("{}: grid {}, block {}{}\n", plain_name(request.kernel), shape_text(request.grid),
                             shape_text(request.block), time);
    return true;
  }

  void judge_failure(const cuda::Outcome& outcome, const KernelLaunchRequest& request, bool expected) {
    const std::string position = request.origin.position();
    if (!expected) {
      if (!failed_while_running(outcome.failure)) {
        must(outcome, position);
      }
      limited_ = outcome.failure == cuda::Failure::kLimited;
      report_.broken.push_back(outcome.message);
      return;
    }
    const ExpectedFailure& failure = *file_.failure;
    if (outcome) {
      report_.broken.push_back(
          fmt::format("{}: kernel {} succeeded; it was expected to fail", position, request.kernel));
    } else if (outcome.failure != failure.reason || outcome.message.find(failure.message) == std::string::npos) {
      report_.broken.push_back(fmt::format("{}: kernel {} failed with another error than expected: {}", position,
                                           request.kernel, outcome.message));
    } else {
      report_.fulfilled.push_back(
          fmt::format("{}: failed as expected: {}", plain_name(request.kernel), outcome.message));
      check_values(file_, *memory_, report_);
      check_printed(file_, printed_, report_);
    }
  }

  int finish() const {
    device_->store_results();
    for (const std::string& line : report_.fulfilled) {
      std::cout << line << "\n";
    }
    std::cout.flush();
    for (const std::string& line : report_.broken) {
      std::cerr << "warpsim: error: " << line << "\n";
    }
    if (const std::string checked = device_->check_summary(); !checked.empty()) {
      std::cerr << "warpsim: " << checked << "\n";
    }
    if (limited_) {
      return kExitLimited;
    }
    return report_.broken.empty() && device_->races() == 0 ? kExitDone : kExitFailed;
  }

  const PtxRunOptions& options_;
  LaunchFile file_;
  std::string ptx_;
  TimelineFile timeline_;  // outlives the device
  std::unique_ptr<cuda::Device> device_;
  cuda::ModuleId module_ = 0;
  std::unique_ptr<LaunchMemory> memory_;
  std::vector<PreparedLaunch> launches_;
  std::string printed_;
  CheckReport report_;
  bool limited_ = false;  // a launch has reached a limit
};

}  // namespace

int ptx_run_command(const PtxRunOptions& options, const std::string& command) {
  tell_thread_note(1, options.threads);
  return PtxRun(options, command).run();
}

}  // namespace warpsim
