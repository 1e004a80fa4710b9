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

struct RunRecord {
  std::string name;
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
  // Data of this host and invocation; stored apart from data that depend only on the input.
  std::string command;
  std::string started;  // UTC, ISO 8601
  std::string program;  // hash of the simulator's file; empty: unknown
};

// As RunRecord::settings: options that differ from their default.
std::map<std::string, std::string> detail_settings(const DetailOptions& details);

enum class RunStatus : std::uint8_t { kIncomplete, kComplete, kLimited };

}  // namespace warpsim
