// The features and technical specifications of compute capabilities side by side, as in the appendices of the CUDA
// programming guides, from the descriptions of GPUs.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/gpu/gpu_config.h"

namespace warpsim {

struct CapabilityRow {
  std::string key;   // in JSON: "registers_per_sm"
  std::string name;  // in tables
  std::string unit;  // of the JSON values; empty for plain numbers
  std::vector<std::string> cells;
  std::vector<nlohmann::ordered_json> values;  // null: does not exist on that capability
};

struct CapabilityTable {
  std::vector<std::string> capabilities;  // ascending
  std::vector<CapabilityRow> features;
  std::vector<CapabilityRow> specifications;
};

// One GPU of each capability, in any order.
CapabilityTable make_capability_table(std::vector<GpuConfig> gpus);

std::string to_text(const CapabilityTable& table);
std::string to_markdown(const CapabilityTable& table);  // the page docs/capabilities.md
nlohmann::ordered_json to_json(const CapabilityTable& table);

}  // namespace warpsim
