#include "stats/run_record.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <xxhash.h>

#include <algorithm>

namespace warpsim {

std::map<std::string, std::string> detail_settings(const DetailOptions& details) {
  std::map<std::string, std::string> settings;
  if (details.sample_interval != 0) {
    settings["sample_interval"] = std::to_string(details.sample_interval);
  }
  if (details.hot_spots) {
    settings["hot_spots"] = "1";
  }
  return settings;
}

std::vector<DeviceValue> device_values(const RunRecord& run) {
  std::map<std::string, std::string> first;
  for (const ConfigValue& value : run.config) {
    first[value.path] = value.text;
  }
  std::vector<DeviceValue> values;
  for (std::uint32_t i = 0; i < run.further_devices.size(); ++i) {
    std::map<std::string, DeviceValue> different;
    for (const auto& [path, text] : first) {
      different[path] = {i + 1, path, std::nullopt, ""};
    }
    for (const ConfigValue& value : run.further_devices[i].config) {
      const auto known = first.find(value.path);
      if (known != first.end() && known->second == value.text) {
        different.erase(value.path);
      } else {
        different[value.path] = {i + 1, value.path, value.text, value.origin};
      }
    }
    for (auto& [path, value] : different) {
      values.push_back(std::move(value));
    }
  }
  return values;
}

std::string machine_name(const RunRecord& run) {
  std::vector<std::string> names = {run.gpu};
  for (const DeviceRecord& device : run.further_devices) {
    names.push_back(device.gpu);
  }
  const bool equal = std::ranges::count(names, run.gpu) == static_cast<std::ptrdiff_t>(names.size());
  if (names.size() > 1 && equal) {
    return fmt::format("{} x {}", names.size(), run.gpu);
  }
  return fmt::format("{}", fmt::join(names, " + "));
}

std::string machine_hash(const RunRecord& run) {
  if (run.further_devices.empty()) {
    return run.config_hash;
  }
  std::string hashes = run.config_hash;
  for (const DeviceRecord& device : run.further_devices) {
    hashes += "/" + device.config_hash;
  }
  return fmt::format("{:016x}", XXH64(hashes.data(), hashes.size(), 0));
}

}  // namespace warpsim
