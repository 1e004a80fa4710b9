// The data of a run that is stored besides its launches.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "config/config_tree.h"
#include "stats/detail_options.h"

namespace warpsim {

// A GPU of a run.
struct DeviceRecord {
  std::string gpu;          // name of the machine
  std::string config_file;  // as given
  std::string config_hash;
  std::vector<ConfigValue> config;
};

struct RunRecord {
  std::string name;
  // The first GPU, or the only one.
  std::string gpu;          // name of the machine
  std::string config_file;  // as given
  std::string config_hash;
  std::string trace;  // as given
  std::string trace_hash;
  std::string cache_control;  // "all" or "none"
  std::string launches;       // selection as given; empty: all
  std::optional<std::uint64_t> max_cycles;
  std::map<std::string, std::string> settings;  // further options that change what is stored, by name
  std::vector<ConfigValue> config;
  std::vector<DeviceRecord> further_devices;  // GPUs 1, 2, ...
  // Data of this host and invocation; stored apart from data that depend only on the input.
  std::string command;
  std::string started;  // UTC, ISO 8601
  std::string program;  // hash of the simulator's file; empty: unknown
};

// A value of a further GPU that differs from that of the first one.
struct DeviceValue {
  std::uint32_t device = 0;
  std::string path;
  std::optional<std::string> value;  // none: only the first GPU has it
  std::string origin;
};
// By device and path.
std::vector<DeviceValue> device_values(const RunRecord& run);

// All GPUs of a run: "NVIDIA H200", "4 x NVIDIA H200", "NVIDIA A100 + NVIDIA H200".
std::string machine_name(const RunRecord& run);
// The hash of all values in effect, of all GPUs.
std::string machine_hash(const RunRecord& run);

// As RunRecord::settings: options that differ from their default.
std::map<std::string, std::string> detail_settings(const DetailOptions& details);

enum class RunStatus : std::uint8_t { kIncomplete, kComplete, kLimited };

}  // namespace warpsim
