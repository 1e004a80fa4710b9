// Results databases with chosen numbers, written with the schema of runs.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "stats/database.h"

namespace warpsim {

struct ExampleLaunch {
  std::string kernel;
  std::vector<std::pair<std::string, std::optional<double>>> metrics;
  std::map<std::string, double> attributes;
};
struct ExampleRun {
  std::string name;
  std::string gpu = "H200";
  std::string source = "simulated";
  std::string trace = "t.wtrace";
  std::string trace_hash = "00000000000000aa";
  std::string config_hash = "00000000000000cc";
  std::map<std::string, std::string> config;
  std::vector<ExampleLaunch> launches;
};

// The database at `path`, new or appended to. Metrics that the catalogue lacks are added to it without a unit.
void write_example_results(const std::string& path, const std::vector<ExampleRun>& runs);

}  // namespace warpsim
