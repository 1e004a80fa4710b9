// The same launches in several variants, read from results databases (view comparison), side by side.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "report/speedups.h"
#include "stats/database.h"

namespace warpsim {

// One launch as one run simulated it. Unavailable values are absent.
struct ComparedLaunch {
  std::string database;
  std::string run;
  std::string gpu;
  std::string variant;       // view variants
  std::string workload;      // the same
  std::string workload_key;  // equal for equal traces and programs
  std::uint32_t launch_index = 0;
  std::string name;
  std::string grid;
  std::string block;
  std::optional<double> cycles;
  std::optional<double> time_us;
  std::optional<double> ipc;
  std::optional<double> occupancy_pct;              // achieved
  std::optional<double> theoretical_occupancy_pct;  // possible
  std::optional<double> l1_hit_pct;
  std::optional<double> l2_hit_pct;
  std::optional<double> l2_gb_per_s;
  std::optional<double> dram_gb_per_s;
  std::string top_stalls;
  bool limited = false;
  std::optional<double> speed_up;  // over the first of its group
};

// All simulated launches of the database, in the order of its runs.
std::vector<ComparedLaunch> read_launches(const Database& database);

// The notes of a run in the database: what was inferred or mapped, why a kernel could not run.
struct RunNote {
  std::string run;
  std::string note;
};
std::vector<RunNote> read_notes(const Database& database);

// The rows of one launch of one workload.
using LaunchGroup = std::vector<ComparedLaunch>;
// In order of first appearance; fills in the speed-ups.
std::vector<LaunchGroup> group_launches(const std::vector<ComparedLaunch>& launches);

// The input of speed-ups (report/speedups.h). If rows come from several databases, names of variants contain theirs.
std::vector<TimedLaunch> timed_launches(const std::vector<LaunchGroup>& groups);

std::string comparison_text(const std::vector<LaunchGroup>& groups);
std::string notes_text(const std::vector<RunNote>& notes);
nlohmann::ordered_json comparison_json(const std::vector<LaunchGroup>& groups);

}  // namespace warpsim
