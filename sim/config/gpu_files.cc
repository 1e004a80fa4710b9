#include "config/gpu_files.h"

#include <dlfcn.h>

#include <algorithm>
#include <filesystem>

#include "base/error.h"
#include "base/input_file.h"
#include "config/near_miss.h"

namespace warpsim {

namespace {

namespace fs = std::filesystem;

// The file that contains this code: the program, or a library in a program of a user's. A library's name has its
// folder.
fs::path own_file() {
  std::error_code error;
  fs::path program = fs::read_symlink("/proc/self/exe", error);
  Dl_info info{};
  const bool found = dladdr(reinterpret_cast<const void*>(&find_gpu_file), &info) != 0 && info.dli_fname != nullptr;
  const fs::path file = found ? info.dli_fname : "";
  return file.has_parent_path() && !fs::equivalent(file, program, error) ? fs::weakly_canonical(file, error) : program;
}

// The first folder that exists. An installed program does not search the tree that it was built from.
fs::path shipped_folder() {
  std::error_code error;
  fs::path prefix = own_file().parent_path().parent_path();
  if (prefix.filename() == "lib") {  // a library in lib/warpsim, or in a folder of its architecture
    prefix = prefix.parent_path();
  }
  fs::path installed = prefix / "share" / "warpsim" / "configs";
  if (fs::is_directory(installed, error)) {
    return installed;
  }
  // A relative path if the program is called from its source tree: it is shorter and the same on every machine.
  const fs::path source = WARPSIM_SOURCE_CONFIGS;
  const fs::path relative = fs::relative(source, error);
  return error || relative.empty() || *relative.begin() == ".." ? source : relative;
}

}  // namespace

std::vector<ShippedGpu> shipped_gpus() {
  std::vector<ShippedGpu> gpus;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(shipped_folder(), error)) {
    if (entry.path().extension() == ".yaml") {
      gpus.push_back({entry.path().stem().string(), entry.path().string()});
    }
  }
  std::sort(gpus.begin(), gpus.end(), [](const ShippedGpu& a, const ShippedGpu& b) { return a.name < b.name; });
  return gpus;
}

std::string find_gpu_file(const std::string& gpu) {
  std::error_code error;
  if (fs::is_regular_file(gpu, error)) {
    return gpu;
  }
  std::vector<std::string> names;
  for (const ShippedGpu& shipped : shipped_gpus()) {
    if (shipped.name == gpu) {
      return shipped.path;
    }
    names.push_back(shipped.name);
  }
  if (fs::exists(gpu, error)) {
    throw UsageError("--gpu '" + gpu + "': cannot be read: " + input_fault(gpu));
  }
  throw UsageError("--gpu '" + gpu + "': neither a file nor the name of a shipped description" +
                   did_you_mean(gpu, names) + " (see 'warpsim gpus')");
}

}  // namespace warpsim
