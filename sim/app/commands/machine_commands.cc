#include "app/commands/machine_commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <ostream>

#include "app/comparison/capability_table.h"
#include "app/exit_codes.h"
#include "app/launch_file/launch_file_keys.h"
#include "app/text_format.h"
#include "base/error.h"
#include "config/config_document.h"
#include "config/config_tree.h"
#include "config/gpu_files.h"
#include "core/gpu/gpu_config.h"
#include "stats/metric_catalog.h"

namespace warpsim {

namespace {

constexpr int kIndent = 2;

struct LoadedGpu {
  ShippedGpu file;
  GpuConfig config;
  bool of_family;  // its compute capability comes from a family's file
};

std::vector<LoadedGpu> load_all() {
  std::vector<LoadedGpu> gpus;
  for (const ShippedGpu& file : shipped_gpus()) {
    ConfigTree tree = ConfigTree::load(file.path, {});
    LoadedGpu gpu{file, tree.read<GpuConfig>(), false};
    for (const ConfigValue& value : tree.values()) {
      gpu.of_family |= value.path == "compute_capability" && value.origin.find("families/") != std::string::npos;
    }
    gpus.push_back(std::move(gpu));
  }
  return gpus;
}

// The first GPU of each compute capability, of those requested if any are.
std::vector<GpuConfig> one_of_each(const std::vector<LoadedGpu>& gpus, const std::vector<std::string>& wanted) {
  std::map<std::string, GpuConfig> found;
  std::vector<std::string> known;
  for (const LoadedGpu& gpu : gpus) {
    const std::string& capability = gpu.config.compute_capability;
    if (gpu.of_family && found.emplace(capability, gpu.config).second) {
      known.push_back(capability);
    }
  }
  std::sort(known.begin(), known.end());
  for (const std::string& capability : wanted) {
    if (found.count(capability) == 0) {
      throw UsageError(fmt::format("compute capability '{}': expected one of {}", capability, fmt::join(known, ", ")));
    }
  }
  std::vector<GpuConfig> result;
  for (auto& [capability, config] : found) {
    if (wanted.empty() || std::find(wanted.begin(), wanted.end(), capability) != wanted.end()) {
      result.push_back(std::move(config));
    }
  }
  return result;
}

void print_list(const std::vector<LoadedGpu>& gpus, std::ostream& out) {
  TextTable table({{"name", Align::kLeft},
                   {"GPU", Align::kLeft},
                   {"capability", Align::kLeft},
                   {"description", Align::kLeft},
                   {"file", Align::kLeft}});
  for (const LoadedGpu& gpu : gpus) {
    table.add({gpu.file.name, gpu.config.name, gpu.config.compute_capability, gpu.config.summary, gpu.file.path});
  }
  out << table.render();
}

void print_json_list(const std::vector<LoadedGpu>& gpus, std::ostream& out) {
  auto list = nlohmann::ordered_json::array();
  for (const LoadedGpu& gpu : gpus) {
    nlohmann::ordered_json json;
    json["name"] = gpu.file.name;
    json["gpu"] = gpu.config.name;
    json["compute_capability"] = gpu.config.compute_capability;
    json["summary"] = gpu.config.summary;
    json["sms"] = Topology(gpu.config.topology).sm_count();
    json["core_mhz"] = gpu.config.clocks.core_mhz;
    json["file"] = gpu.file.path;
    list.push_back(std::move(json));
  }
  out << list.dump(kIndent) << "\n";
}

}  // namespace

int gpus_command(const GpusOptions& options, std::ostream& out) {
  const std::vector<LoadedGpu> gpus = load_all();
  if (!options.table) {
    options.json ? print_json_list(gpus, out) : print_list(gpus, out);
    return kExitDone;
  }
  const CapabilityTable table = make_capability_table(one_of_each(gpus, options.capabilities));
  if (options.json) {
    out << to_json(table).dump(kIndent) << "\n";
  } else {
    out << (options.markdown ? to_markdown(table) : to_text(table));
  }
  return kExitDone;
}

int config_reference_command(std::ostream& out) {
  out << config_reference<GpuConfig>();
  return kExitDone;
}

int launch_reference_command(std::ostream& out) {
  out << launch_reference();
  return kExitDone;
}

int metric_reference_command(std::ostream& out) {
  out << metric_reference();
  return kExitDone;
}

}  // namespace warpsim
