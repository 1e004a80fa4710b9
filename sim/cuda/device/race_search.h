// The search for races in the launches of a device, and its summary.
#pragma once

#include <string>
#include <vector>

#include "emulator/execution/launch_context.h"
#include "emulator/races/race_check.h"

namespace warpsim::cuda {

// For one launch, also if it fails.
class RaceSearch {
 public:
  // `races` may be null: no search. Sets it in the launch, which outlives this; adds to the findings at the end.
  RaceSearch(RaceCheck* races, LaunchContext& launch, std::vector<std::string>& findings);
  ~RaceSearch();
  RaceSearch(const RaceSearch&) = delete;
  RaceSearch& operator=(const RaceSearch&) = delete;

 private:
  RaceCheck* races_;
  std::vector<std::string>& findings_;
};

// One line for all launches.
std::string summary_of(const RaceCheck& races);

}  // namespace warpsim::cuda
