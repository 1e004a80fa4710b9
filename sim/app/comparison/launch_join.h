// Joins simulated launches of a results database with measured ones, by the run's name and the launch index. Nothing is
// dropped silently: launches without a partner are listed.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/comparison/correlation.h"
#include "app/comparison/hardware_csv.h"
#include "stats/database.h"

namespace warpsim {

struct JoinedLaunch {
  std::string label;   // "bfs[2]"
  std::string kernel;  // as the measurement names it
  std::map<std::string, std::optional<double>> hardware;
  std::map<std::string, std::optional<double>> simulated;
  std::map<std::string, Spread> spreads;  // of the measurements
};

struct LaunchJoin {
  std::vector<JoinedLaunch> launches;       // in the order of the measurements
  std::vector<std::string> not_simulated;   // measured only
  std::vector<std::string> not_measured;    // simulated only
  std::vector<std::string> not_passed;      // measured, but the status is not PASS
  std::vector<std::string> limited;         // simulation stopped at the cycle limit: not compared
  std::vector<std::string> different_size;  // grid or block differ: probably not the same launch
};
LaunchJoin join_launches(const Database& database, const HardwareTable& hardware);

// The launches that have a value of this metric on both sides.
std::vector<ValuePair> value_pairs(const LaunchJoin& join, const std::string& metric);

}  // namespace warpsim
