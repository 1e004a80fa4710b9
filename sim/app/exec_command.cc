#include "app/exec_command.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <sstream>

#include "app/elf_program.h"
#include "base/error.h"
#include "config/gpu_files.h"
#include "cuda/environment.h"

namespace warpsim {

namespace {

namespace fs = std::filesystem;

// Beside the program, as built and as installed.
std::string library_folder() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  const fs::path folder = program.parent_path().parent_path() / "lib" / "warpsim";
  if (error || !fs::is_directory(folder, error)) {
    throw UserError("the CUDA libraries that belong to warpsim are missing: there is no folder " + folder.string());
  }
  return folder.string();
}

// The new value before what the variable holds.
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

void set_environment(const ExecOptions& options, const std::string& whole) {
  setenv(cuda::kGpuVariable, fs::absolute(find_gpu_file(options.gpu)).c_str(), 1);
  // The program may change its folder before its first call.
  set_or_remove(cuda::kResultsVariable, options.out.empty() ? "" : fs::absolute(options.out).string());
  set_or_remove(cuda::kNameVariable,
                options.name.empty() ? fs::path(options.program.front()).filename().string() : options.name);
  set_or_remove(cuda::kCommandVariable, whole);
  set_or_remove(cuda::kTraceVariable, options.trace.empty() ? "" : fs::absolute(options.trace).string());
  set_or_remove(cuda::kFlushVariable, options.flush_caches ? "1" : "");
  set_or_remove(cuda::kMaxCyclesVariable, options.max_cycles ? std::to_string(*options.max_cycles) : "");
  const auto number_text = [](const std::optional<std::uint64_t>& number) {
    return number ? std::to_string(*number) : std::string();
  };
  set_or_remove(cuda::kMaxInstructionsVariable, number_text(options.bounds.max_instructions));
  set_or_remove(cuda::kQuarantineVariable, number_text(options.bounds.quarantine_mib));
  set_or_remove(cuda::kCheckVariable, text_of(options.bounds.checks));
  set_or_remove(cuda::kSampleVariable,
                options.details.sample_interval != 0 ? std::to_string(options.details.sample_interval) : "");
  set_or_remove(cuda::kHotSpotsVariable, options.details.hot_spots ? "1" : "");
  set_or_remove(cuda::kReplaceVariable, options.replace ? "1" : "");
  set_or_remove(cuda::kFunctionalVariable, options.functional_only ? "1" : "");
  set_or_remove(cuda::kForceTargetVariable, options.force_target ? "1" : "");
  set_or_remove(cuda::kOverridesVariable, fmt::format("{}", fmt::join(options.overrides, "\n")));
  set_or_remove(cuda::kSkipVariable, fmt::format("{}", fmt::join(options.skipped_kernels, "\n")));
  set_or_remove(cuda::kBreakVariable, fmt::format("{}", fmt::join(options.breaks.places, "\n")));
  set_or_remove(cuda::kBreakWarpVariable, options.breaks.warp);
  set_or_remove(cuda::kBreakCountVariable, fmt::format("{}", options.breaks.count));
}

bool is_program(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error) && access(path.c_str(), X_OK) == 0;
}

}  // namespace

std::string find_program(const std::string& name, const std::string& search_path) {
  if (name.find('/') != std::string::npos) {
    return is_program(name) ? name : "";
  }
  std::istringstream folders(search_path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    const fs::path candidate = fs::path(folder.empty() ? "." : folder) / name;
    if (is_program(candidate)) {
      return candidate.string();
    }
  }
  return "";
}

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
      throw UserError(fmt::format("{} needs {}; there are CUDA libraries of the toolkits 11 to 13", path, library));
    }
    if (program.fixed_search_path) {
      before_others.push_back(ours.string());
    }
  }
  if (program.has_device_code && !shared_runtime && !program.asks_for_registration) {
    throw UserError(path + " holds the CUDA runtime itself; link it with -cudart shared");
  }
  return before_others;
}

int exec_command(const ExecOptions& options, const std::string& whole) {
  const char* const search_path = std::getenv("PATH");
  const std::string path = find_program(options.program.front(), search_path == nullptr ? "" : search_path);
  if (path.empty()) {
    throw UserError("'" + options.program.front() + "': there is no such program");
  }
  const std::string folder = library_folder();
  const std::vector<std::string> before_others = check_cuda_program(path, folder);
  set_environment(options, whole);
  put_before("LD_LIBRARY_PATH", folder);
  if (!before_others.empty()) {
    put_before("LD_PRELOAD", fmt::format("{}", fmt::join(before_others, ":")));
  }
  std::vector<std::string> words = options.program;
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (std::string& word : words) {
    arguments.push_back(word.data());
  }
  arguments.push_back(nullptr);
  execv(path.c_str(), arguments.data());
  throw UserError("'" + path + "' cannot be started: " + std::strerror(errno));
}

}  // namespace warpsim
