#include "app/simulation/simulator_subject.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/commands/command_line.h"
#include "app/options/arguments.h"
#include "app/options/command_options.h"
#include "app/options/options.h"
#include "config/gpu_files.h"
#include "core/gpu/gpu_config.h"
#include "frontend/workload/workload.h"

namespace warpsim {

namespace {

// Options that the sweep sets itself or that apply to one run only. --dlcm sets a value of the description, which a
// sweep's file can also set.
constexpr const char* kNotForSweeps[] = {
    "gpu",          "out",      "set",         "dlcm",   "jobs",  "launches",   "name",
    "replace",      "progress", "sass",        "launch", "break", "break-warp", "functional-only",
    "force-target", "help",     "break-count", "threads"};

}  // namespace

SweepSubject::Trace SimulatorSubject::trace(const std::string& path) {
  const std::unique_ptr<Workload> workload =
      open_workload(path, {.sass_file = {}, .strict = false, .infer_asynchronous = true});
  const std::vector<std::string> files = workload->files();
  files_.insert(files_.end(), files.begin(), files.end());
  return {workload->name(), workload->content_hash()};
}

std::string SimulatorSubject::config_hash(const std::string& gpu, const std::vector<std::string>& overrides) {
  auto known = gpus_.find(gpu);
  if (known == gpus_.end()) {
    known = gpus_.emplace(gpu, ConfigTree::load(find_gpu_file(gpu), {})).first;
    files_.insert(files_.end(), known->second.files().begin(), known->second.files().end());
  }
  ConfigTree tree = known->second.overridden(overrides);
  (void)tree.read<GpuConfig>();
  return fmt::format("{:016x}", tree.hash());
}

std::vector<SweepSubject::Option> SimulatorSubject::options() {
  std::vector<Option> options;
  for (const CommandOption& option : command_options("run")) {
    if (std::ranges::find(kNotForSweeps, option.name) == std::end(kNotForSweeps)) {
      options.push_back({option.name, option.is_switch});
    }
  }
  return options;
}

void SimulatorSubject::check_options(const std::vector<std::string>& words) {
  std::vector<std::string> all = {"TRACE", "--gpu=GPU", "--out=FILE"};
  all.insert(all.end(), words.begin(), words.end());
  (void)parse_run(all);
}

std::string SimulatorSubject::version() {
  return version_text();
}

}  // namespace warpsim
