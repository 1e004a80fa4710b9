#include "sweep/sweep_file.h"

#include <catch2/catch.hpp>

#include "base/error.h"
#include "support/temporary_folder.h"

namespace warpsim {
namespace {

std::string problems_of(const std::string& text) {
  try {
    parse_sweep(text, "s.yaml");
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

// Adds the required keys of a sweep.
std::string with(const std::string& text) {
  return "gpus: h200\ntraces: a.wtrace\n" + text;
}

TEST_CASE("sweep file: all keys are read") {
  const SweepFile file = parse_sweep(R"(gpus: [h200, my/gpu.yaml]
traces:
  - "traces/*.wtrace"
  - {path: bfs, name: search, launches: "0,3-5"}
launches: 7
options:
  cache_control: none
  max_cycles: 100
set: {clocks.core_mhz: 1500}
grid:
  l2.num_ways: [16, 24]
  occupancy.carveout_kib: [[0, 8], [16]]
  name: ["it's"]
points:
  - {}
  - {l2.num_ways: 4, l2.num_sets: 8}
)",
                                     "folder/s.yaml");
  REQUIRE(file.gpus.size() == 2);
  CHECK(file.gpus[1].text == "my/gpu.yaml");
  CHECK(file.gpus[1].origin.position() == "folder/s.yaml:1:14");
  REQUIRE(file.traces.size() == 2);
  CHECK(file.traces[0].pattern.text == "traces/*.wtrace");
  CHECK(file.traces[0].launches.text == "7");
  CHECK(file.traces[1].name.text == "search");
  CHECK(file.traces[1].launches.text == "0,3-5");
  REQUIRE(file.options.size() == 2);
  CHECK(file.options[0].key.text == "cache_control");
  CHECK(file.options[1].value.text == "100");
  REQUIRE(file.settings.size() == 1);
  CHECK(file.settings[0].override_text() == "clocks.core_mhz=1500");
  REQUIRE(file.axes.size() == 3);
  CHECK(file.axes[0].path.text == "l2.num_ways");
  CHECK(file.axes[0].values[1].override_text() == "l2.num_ways=24");
  CHECK(file.axes[0].values[1].origin.position() == "folder/s.yaml:11:21");
  CHECK(file.axes[1].values[0].override_text() == "occupancy.carveout_kib=[0, 8]");
  CHECK(file.axes[2].values[0].override_text() == "name='it''s'");
  REQUIRE(file.points.size() == 2);
  CHECK(file.points[0].empty());
  CHECK(file.points[1][1].override_text() == "l2.num_sets=8");
  CHECK(file.point_origins[1].position() == "folder/s.yaml:16:5");
}

TEST_CASE("sweep file: paths are relative to it") {
  CHECK(parse_sweep(with(""), "a/b/s.yaml").resolved("../t.wtrace") == "a/t.wtrace");
  CHECK(parse_sweep(with(""), "s.yaml").resolved("t.wtrace") == "t.wtrace");
  CHECK(parse_sweep(with(""), "a/s.yaml").resolved("/t.wtrace") == "/t.wtrace");
}

TEST_CASE("sweep file: missing and unknown keys are reported at once, with place and suggestion") {
  CHECK(problems_of("{}") ==
        "s.yaml:1:1: missing key 'gpus' (names of GPU descriptions, or files)\n"
        "s.yaml:1:1: missing key 'traces' (paths of traces)");
  CHECK(problems_of("gpu: h200\ntraces: []\n") ==
        "s.yaml:1:1: unknown key 'gpu'; did you mean 'gpus'?; expected gpus, traces, launches, options, set, grid, "
        "points\n"
        "s.yaml:1:1: missing key 'gpus' (names of GPU descriptions, or files)\n"
        "s.yaml:2:9: 'traces' is empty; expected paths of traces");
  CHECK(problems_of("- 1") ==
        "s.yaml:1:1: expected a sweep, a map with gpus, traces, launches, options, set, grid, points; found a list");
  CHECK(problems_of("") ==
        "s.yaml:1:1: expected a sweep, a map with gpus, traces, launches, options, set, grid, points; found nothing");
}

TEST_CASE("sweep file: values of the wrong kind are reported with their place") {
  CHECK(problems_of("gpus: [[a]]\ntraces: {name: x}\n") ==
        "s.yaml:1:8: a GPU must be a text, got a list\n"
        "s.yaml:2:9: missing key 'path' (of a trace)");
  CHECK(problems_of("gpus: a\ntraces: {path: x, nam: y}\n") ==
        "s.yaml:2:19: unknown key 'nam' of a trace; did you mean 'name'?; expected path, name, launches");
  CHECK(problems_of(with("grid: [1]")) ==
        "s.yaml:3:7: 'grid' must be a section like {l2.num_ways: [16, 24]}, got a list");
  CHECK(problems_of(with("grid: {l2.num_ways: 4}")) ==
        "s.yaml:3:21: 'l2.num_ways' must be a list of the values to try, like [16, 24], got '4'");
  CHECK(problems_of(with("grid: {l2.num_ways: []}")) ==
        "s.yaml:3:21: 'l2.num_ways' must be a list of the values to try, like [16, 24], got an empty list");
  CHECK(problems_of(with("grid: {l2.num_ways: [4, 8, 4]}")) == "s.yaml:3:28: 'l2.num_ways' is 4 twice");
  CHECK(problems_of(with("grid: {l2: [{num_ways: 4}]}")) ==
        "s.yaml:3:13: 'l2' must be a value; a section's keys are written as 'l2.KEY: VALUE'");
  CHECK(problems_of(with("set: {l2.num_ways: }")) == "s.yaml:3:7: 'l2.num_ways' has no value");
  CHECK(problems_of(with("points: {l2.num_ways: 4}")) ==
        "s.yaml:3:9: 'points' must be a list of the values that each point sets, like [{}, {l2.num_ways: 24}], got a "
        "section");
  CHECK(problems_of(with("points: [4]")) ==
        "s.yaml:3:10: a point must be a section like {l2.num_ways: 24}, or {} for none, got '4'");
  CHECK(problems_of(with("options: {strict: [a]}")) == "s.yaml:3:19: option 'strict' must be a text, got a list");
  CHECK(problems_of(with("options: none")) ==
        "s.yaml:3:10: 'options' must be a section like {cache_control: none}, got 'none'");
  CHECK(problems_of(with("set: {a: 1, a: 2}")) == "s.yaml:3:13: duplicate key 'a', first given at s.yaml:3:7");
}

TEST_CASE("sweep file: a file that cannot be read is reported") {
  const TemporaryFolder folder;
  CHECK_THROWS_WITH(read_sweep_file(folder.at("none.yaml")),
                    folder.at("none.yaml") + ": cannot be read: there is no such file; expected a sweep in YAML");
  CHECK(read_sweep_file(folder.write("s.yaml", with(""))).gpus.front().text == "h200");
}

}  // namespace
}  // namespace warpsim
