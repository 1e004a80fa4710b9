// Points of a sweep on the cores of this machine: as many processes at a time as requested, each one point.
//
// Processes are killed when this one ends for any reason. A failed point is retried as often as requested; the others
// continue meanwhile.
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
  std::uint32_t threads = 1;  // of each launch
};

// Simulates the unfinished points. Throws UserError if processes cannot be started or files cannot be written.
SweepOutcome run_locally(const std::vector<SweepPoint>& points, const LocalSettings& settings, const SweepState& state,
                         SweepObserver& observer);

// The number of processors that this process may use.
std::uint32_t usable_processors();

}  // namespace warpsim
