// Points of a sweep on the cores of this machine: as many processes at a time as requested, each one point.
//
// Processes die with this one, however it ends. A point that fails is tried again as often as requested; the others go
// on meanwhile.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sweep/sweep_engine.h"
#include "sweep/sweep_state.h"

namespace warpsim {

struct LocalSettings {
  std::string program;  // the simulator
  std::uint32_t jobs = 1;
  std::uint32_t retries = 0;
};

// Simulates what is not finished yet. Throws UserError if processes cannot be started or files not be written.
SweepOutcome run_locally(const std::vector<SweepPoint>& points, const LocalSettings& settings, const SweepState& state,
                         SweepObserver& observer);

// How many processors this process may use.
std::uint32_t usable_processors();

}  // namespace warpsim
