// A run as users of the library request it (warpsim/simulator.h): the launches of a trace, or those of a launch file
// with kernels in PTX, on a GPU, without a database.
//
// It calls simulate() or PtxRun, as `warpsim run` does, so that results are the same.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "app/library/library_launch.h"

namespace warpsim {

struct LibraryRun {
  std::string gpu;
  std::string trace;                  // or PTX, or a cubin
  std::string launch_file;            // with the launches of PTX; empty: a trace
  std::vector<std::string> settings;  // "key=value"
  std::uint32_t threads = 1;
  bool keep_caches = false;
  std::uint64_t max_cycles = 0;       // of a launch; 0: no limit
  std::uint64_t sample_interval = 0;  // core cycles; 0: no samples
  // False ends the run. May be empty.
  std::function<bool(const LibraryLaunch&)> launch_done;
  std::function<bool(const LibraryLaunch&)> sample;
};

enum class LibraryRunEnd : std::uint8_t { kComplete, kStopped, kLimited };

// Throws UserError (TraceError, ConfigError, UsageError ...), also for a kernel of PTX that fails and for results that
// are not those that the launch file expects.
LibraryRunEnd run_in_library(const LibraryRun& run);

}  // namespace warpsim
