#include "app/commands/exec_command.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/personality.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <iostream>

#include "app/commands/command_files.h"
#include "app/exit_codes.h"
#include "app/program/elf_program.h"
#include "app/program/exec_results.h"
#include "app/program/program_file.h"
#include "app/program/program_process.h"
#include "app/simulation/thread_note.h"
#include "base/error.h"
#include "config/gpu_files.h"
#include "cuda/environment.h"

namespace warpsim {

namespace {

namespace fs = std::filesystem;

// Relative to the program, in the build tree and when installed.
std::string library_folder() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  const fs::path folder = program.parent_path().parent_path() / "lib" / "warpsim";
  if (error || !fs::is_directory(folder, error)) {
    throw UserError("the CUDA libraries that belong to warpsim are missing: there is no folder " + folder.string());
  }
  return folder.string();
}

// The new value in front of the variable's old value.
void put_before(const char* variable, const std::string& value) {
  const char* const old = std::getenv(variable);
  const std::string whole = old == nullptr || *old == '\0' ? value : value + ":" + old;
  setenv(variable, whole.c_str(), 1);
}

void set_or_remove(const char* variable, const std::string& value) {
  if (value.empty()) {
    unsetenv(variable);
  } else {
    setenv(variable, value.c_str(), 1);
  }
}

std::string run_name(const ExecOptions& options) {
  return options.name.empty() ? fs::path(options.program.front()).filename().string() : options.name;
}

int run_with_results(const ExecOptions& options, const std::string& path, const std::string& command) {
  ExecResults results(options, run_name(options), command);
  setenv(cuda::kRunVariable, results.token().c_str(), 1);
  int status = 0;
  try {
    status = run_program_to_end(path, options.program);
  } catch (const UserError&) {
    results.withdraw();
    throw;
  }
  std::cerr << "warpsim: " << results.closing_line(status) << "\n";
  return WIFSIGNALED(status) ? kExitSignal + WTERMSIG(status) : WEXITSTATUS(status);
}

void set_environment(const ExecOptions& options, const std::string& whole) {
  std::vector<std::string> gpus;
  for (const std::string& gpu : options.gpus) {
    gpus.push_back(fs::absolute(find_gpu_file(gpu)).string());
  }
  setenv(cuda::kGpuVariable, fmt::format("{}", fmt::join(gpus, "\n")).c_str(), 1);
  // The program may change its working directory before its first call.
  set_or_remove(cuda::kResultsVariable, options.out.empty() ? "" : fs::absolute(options.out).string());
  set_or_remove(cuda::kNameVariable, run_name(options));
  set_or_remove(cuda::kCommandVariable, whole);
  unsetenv(cuda::kRunVariable);
  set_or_remove(cuda::kTraceVariable, options.trace.empty() ? "" : fs::absolute(options.trace).string());
  set_or_remove(cuda::kFlushVariable, options.flush_caches ? "1" : "");
  set_or_remove(cuda::kMaxCyclesVariable, options.max_cycles ? std::to_string(*options.max_cycles) : "");
  set_or_remove(cuda::kThreadsVariable, std::to_string(options.threads));
  const auto number_text = [](const std::optional<std::uint64_t>& number) {
    return number ? std::to_string(*number) : std::string();
  };
  set_or_remove(cuda::kMaxInstructionsVariable, number_text(options.bounds.max_instructions));
  set_or_remove(cuda::kQuarantineVariable, number_text(options.bounds.quarantine_mib));
  set_or_remove(cuda::kCheckVariable, text_of(options.bounds.checks));
  set_or_remove(cuda::kTolerantVariable, options.bounds.tolerant ? "1" : "");
  set_or_remove(cuda::kSampleVariable,
                options.details.sample_interval != 0 ? std::to_string(options.details.sample_interval) : "");
  set_or_remove(cuda::kHotSpotsVariable, options.details.hot_spots ? "1" : "");
  set_or_remove(cuda::kReplaceVariable, options.replace ? "1" : "");
  set_or_remove(cuda::kFunctionalVariable, options.functional_only ? "1" : "");
  set_or_remove(cuda::kForceTargetVariable, options.force_target ? "1" : "");
  set_or_remove(cuda::kCodeVariable, options.code);
  set_or_remove(cuda::kPtxasVariable, fmt::format("{}", fmt::join(options.ptxas, "\n")));
  set_or_remove(cuda::kMemoryVariable, options.memory_at == 0 ? "" : std::to_string(options.memory_at));
  set_or_remove(cuda::kOverridesVariable, fmt::format("{}", fmt::join(options.overrides, "\n")));
  set_or_remove(cuda::kSkipVariable, fmt::format("{}", fmt::join(options.skipped_kernels, "\n")));
  set_or_remove(cuda::kProfileVariable, options.profile_from_start ? "" : "off");
  set_or_remove(cuda::kRangesVariable, fmt::format("{}", fmt::join(options.ranges, "\n")));
  set_or_remove(cuda::kBreakVariable, fmt::format("{}", fmt::join(options.breaks.places, "\n")));
  set_or_remove(cuda::kBreakWarpVariable, options.breaks.warp);
  set_or_remove(cuda::kBreakCountVariable, fmt::format("{}", options.breaks.count));
}

}  // namespace

std::vector<std::string> check_cuda_program(const std::string& path, const std::string& folder) {
  const ElfProgram program = read_elf_program(path);
  std::vector<std::string> before_others;
  bool shared_runtime = false;
  for (const std::string& library : program.libraries) {
    if (library.rfind("libcudart.so", 0) != 0 && library.rfind("libcuda.so", 0) != 0) {
      continue;
    }
    shared_runtime |= library.rfind("libcudart.so", 0) == 0;
    const fs::path ours = fs::path(folder) / library;
    if (!fs::exists(ours)) {
      throw UserError(
          fmt::format("{} needs {}; warpsim provides the CUDA libraries of toolkits 11 to 13", path, library));
    }
    if (program.fixed_search_path) {
      before_others.push_back(ours.string());
    }
  }
  if (program.has_device_code && !shared_runtime && program.fixed_search_path) {
    before_others.push_back((fs::path(folder) / "libcuda.so.1").string());  // what the runtime in the program loads
  }
  return before_others;
}

int exec_command(const ExecOptions& options, const std::string& whole) {
  const char* const search_path = std::getenv("PATH");
  const std::string path = find_program(options.program.front(), search_path == nullptr ? "" : search_path);
  const std::string folder = library_folder();
  check_files(options, path);
  const std::vector<std::string> before_others = check_cuda_program(path, folder);
  tell_thread_note(1, options.threads);
  set_environment(options, whole);
  if (options.memory_at != 0) {
    // Libraries are then loaded at the end of the address space, and not where device memory may have been.
    ::personality(ADDR_NO_RANDOMIZE);
  }
  put_before("LD_LIBRARY_PATH", folder);
  setenv("NVTX_INJECTION64_PATH", (fs::path(folder) / "libwarpsim_cuda.so").c_str(), 1);
  if (!before_others.empty()) {
    put_before("LD_PRELOAD", fmt::format("{}", fmt::join(before_others, ":")));
  }
  if (options.out.empty()) {
    become_program(path, options.program);
  }
  return run_with_results(options, path, whole);
}

}  // namespace warpsim
