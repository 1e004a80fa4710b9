#include "app/library/library_run.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "base/error.h"

namespace warpsim {
namespace {

LibraryRun vecadd() {
  LibraryRun run;
  run.gpu = WARPSIM_SOURCE_DIR "/configs/test_tiny.yaml";
  run.trace = WARPSIM_SOURCE_DIR "/traces/scan.wtrace";
  return run;
}

TEST_CASE("A run in the library hands out each launch with counters and metrics") {
  LibraryRun run = vecadd();
  std::vector<Cycle> cycles;
  run.launch_done = [&cycles](const LibraryLaunch& launch) {
    CHECK(launch.index() == cycles.size());
    CHECK(launch.counter("sm.sub_core.inst_executed").value_or(0) > 0);
    CHECK_FALSE(launch.counter("sm.no_such_counter"));
    CHECK(launch.metric("smsp__inst_executed.sum") ==
          static_cast<double>(*launch.counter("sm.sub_core.inst_executed")));
    CHECK_FALSE(launch.metric("no_such_metric"));
    CHECK(launch.nanoseconds() > 0);
    cycles.push_back(launch.cycles());
    return cycles.size() < 2;
  };
  CHECK(run_in_library(run) == LibraryRunEnd::kStopped);
  CHECK(cycles.size() == 2);
}

TEST_CASE("Samples of a run in the library have growing counters and no metrics") {
  LibraryRun run = vecadd();
  run.sample_interval = 500;
  std::uint64_t before = 0;
  Cycle cycle = 0;
  std::uint32_t samples = 0;
  run.sample = [&](const LibraryLaunch& launch) {
    const std::uint64_t executed = launch.counter("sm.sub_core.inst_executed").value_or(0);
    CHECK(executed >= before);
    CHECK(launch.cycles() > cycle);
    CHECK(launch.metrics().empty());
    before = executed;
    cycle = launch.cycles();
    return ++samples < 5;
  };
  CHECK(run_in_library(run) == LibraryRunEnd::kStopped);
  CHECK(samples == 5);
  CHECK(cycle == 2500);
}

TEST_CASE("A run in the library refuses numbers of threads that are none") {
  LibraryRun run = vecadd();
  run.threads = 0;
  CHECK_THROWS_AS(run_in_library(run), UsageError);
}

}  // namespace
}  // namespace warpsim
