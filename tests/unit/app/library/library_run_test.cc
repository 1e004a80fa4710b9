#include "app/library/library_run.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "base/error.h"
#include "support/temporary_folder.h"

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

LibraryRun vector_add() {
  LibraryRun run;
  run.gpu = WARPSIM_SOURCE_DIR "/configs/test_tiny.yaml";
  run.trace = WARPSIM_SOURCE_DIR "/examples/vector_add/vector_add.ptx";
  run.launch_file = WARPSIM_SOURCE_DIR "/examples/vector_add/launch.yaml";
  return run;
}

TEST_CASE("PTX runs in the library with the launches of its file") {
  LibraryRun run = vector_add();
  run.sample_interval = 200;
  std::uint32_t samples = 0;
  std::uint64_t sampled = 0;
  run.sample = [&](const LibraryLaunch& launch) {
    CHECK(launch.index() == 0);
    sampled = launch.counter("sm.sub_core.inst_executed").value_or(0);
    ++samples;
    return true;
  };
  Cycle cycles = 0;
  run.launch_done = [&](const LibraryLaunch& launch) {
    CHECK(launch.kernel().find("vector_add") != std::string::npos);
    CHECK(launch.counter("sm.sub_core.inst_executed") == sampled);
    CHECK(launch.metric("smsp__inst_executed.sum") == static_cast<double>(sampled));
    cycles = launch.cycles();
    return true;
  };
  CHECK(run_in_library(run) == LibraryRunEnd::kComplete);
  CHECK(cycles > 0);
  CHECK(samples == (cycles + 199) / 200);
}

TEST_CASE("A callback ends a run of PTX at once, and a limit ends it") {
  LibraryRun run = vector_add();
  run.launch_done = [](const LibraryLaunch&) { return false; };
  CHECK(run_in_library(run) == LibraryRunEnd::kStopped);
  LibraryRun sampled = vector_add();
  sampled.sample_interval = 100;
  std::uint32_t samples = 0;
  sampled.sample = [&samples](const LibraryLaunch&) { return ++samples < 3; };
  CHECK(run_in_library(sampled) == LibraryRunEnd::kStopped);
  CHECK(samples == 3);
  LibraryRun limited = vector_add();
  limited.max_cycles = 50;
  CHECK(run_in_library(limited) == LibraryRunEnd::kLimited);
}

TEST_CASE("Results that the launch file does not expect are an error of the run") {
  const TemporaryFolder folder;
  LibraryRun run = vector_add();
  run.launch_file = folder.write("launch.yaml", R"(kernel: vector_add
grid: 1
block: 32
parameters: [a, a, sum, {s32: 32}]
buffers:
  - {name: a, type: f32, elements: 32, initial: {value: 1}}
  - {name: sum, type: f32, elements: 32}
expect:
  - {buffer: sum, values: {value: 3}}
)");
  CHECK_THROWS_WITH(run_in_library(run),
                    Catch::Contains("'sum' differs in 32 of 32 elements") && Catch::Contains("got 2, expected 3"));
}

TEST_CASE("A run in the library refuses numbers of threads that are none") {
  LibraryRun run = vecadd();
  run.threads = 0;
  CHECK_THROWS_AS(run_in_library(run), UsageError);
}

}  // namespace
}  // namespace warpsim
