#include "app/comparison/comparison.h"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>

#include "stats/database.h"
#include "support/temporary_folder.h"
#include "support/warpsim_process.h"
#include "unit/frontend/accelsim_text.h"

namespace warpsim {
namespace {

ComparedLaunch launch(const std::string& gpu, std::uint32_t index, double time_us) {
  ComparedLaunch result;
  result.database = "r.db";
  result.run = "w@" + gpu;
  result.gpu = gpu;
  result.variant = gpu;
  result.workload = "w";
  result.workload_key = "0123";
  result.launch_index = index;
  result.name = "kernel";
  result.grid = "1 x 1 x 1";
  result.block = "32 x 1 x 1";
  result.time_us = time_us;
  return result;
}

TEST_CASE("comparison: launches of one trace are grouped, with speed-ups relative to the first one") {
  const auto groups = group_launches({launch("a", 0, 8), launch("a", 1, 2), launch("b", 0, 4), launch("b", 1, 4)});
  REQUIRE(groups.size() == 2);
  CHECK(groups[0][0].speed_up == 1.0);
  CHECK(groups[0][1].speed_up == 2.0);
  CHECK(groups[1][1].speed_up == 0.5);
}

TEST_CASE("comparison: the mean is geometric over workloads, of the launches that both variants ran") {
  std::vector<ComparedLaunch> launches = {launch("a", 0, 8), launch("a", 1, 2),  launch("a", 2, 100), launch("b", 0, 4),
                                          launch("b", 1, 4), launch("a", 0, 32), launch("b", 0, 2)};
  for (std::size_t i = 5; i < launches.size(); ++i) {
    launches[i].workload = launches[i].workload_key = "other";
  }
  // Workload w: 10 over 8 us, without its third launch, which b did not run. Other: 32 over 2 us. The root of 1.25 * 16
  // is 4.47; 42 over 10 us is 4.2.
  const std::string text = comparison_text(group_launches(launches));
  INFO(text);
  CHECK(text.find("speed-up over a: total time of each workload") != std::string::npos);
  CHECK(text.find("geometric mean over workloads") != std::string::npos);
  CHECK(text.find("b                2  10.00 us       42.00 us          4.20 x                         4.47 x") !=
        std::string::npos);
}

TEST_CASE("comparison: a note appears once, with the runs that have it") {
  CHECK(notes_text({{"a", "n"}, {"b", "n"}, {"a", "m"}}) == "\n  note: a: m\n\n  note: a, b: n\n");
  CHECK(notes_text({{"a", "n"}, {"b", "n"}, {"c", "n"}, {"d", "n"}}) == "\n  note: 4 runs: n\n");
}

TEST_CASE("comparison: a missing value is a dash, and null in JSON") {
  const auto groups = group_launches({launch("a", 0, 8)});
  CHECK(comparison_text(groups).find("-") != std::string::npos);
  const auto json = comparison_json(groups);
  CHECK(json[0]["ipc"].is_null());
  CHECK(json[0]["trace"] == "w");
  CHECK(json[0]["speed_up"] == 1.0);
}

// A workload of one small kernel, the tiny GPU, and the same GPU at half the clock.
struct Fixture {
  TemporaryFolder folder;
  std::string trace;
  std::string gpus;

  Fixture() {
    folder.write("w/kernel-0.traceg", test::tiny_trace());
    folder.write("w/kernelslist.g", "kernel-0.traceg\n");
    trace = folder.at("w");
    const std::string base = "extends: " WARPSIM_SOURCE_DIR "/configs/test_tiny.yaml\n";
    folder.write("slow.yaml", base + "name: slow\nclocks: {core_mhz: 500, l2_mhz: 500, dram_mhz: 1000}\n");
    folder.write("small.yaml", base + "name: small\noccupancy: {threads_per_block: 16}\n");
    gpus = " --gpu test_tiny --gpu " + folder.at("slow.yaml");
  }
};

std::string one(const std::string& database, const std::string& sql) {
  const Database file(database, Database::Mode::kReadOnly);
  Statement row(file, sql);
  return row.step() ? row.text(0) : "no row";
}

TEST_CASE("compare command: half the clock takes twice the time and the same cycles") {
  const Fixture f;
  const std::string out = f.folder.at("r.db");
  const Outcome outcome = warpsim("compare " + f.trace + f.gpus + " --out " + out);
  INFO(outcome.output);
  REQUIRE(outcome.code == 0);
  CHECK(outcome.output.find("w@test_tiny") != std::string::npos);
  CHECK(outcome.output.find("0.50 x") != std::string::npos);
  CHECK(one(out, "SELECT group_concat(run_name) FROM comparison") == "w@test_tiny,w@slow");
  CHECK(one(out, "SELECT count(DISTINCT cycles) FROM comparison") == "1");
  CHECK(one(out, "SELECT speed_up FROM comparison WHERE gpu = 'slow'") == "0.5");
}

TEST_CASE("compare command: nothing is stored without --out, and JSON holds every row") {
  const Fixture f;
  const std::string scratch = f.folder.at("scratch");
  std::filesystem::create_directories(scratch);
  REQUIRE(setenv("TMPDIR", scratch.c_str(), 1) == 0);
  const Outcome outcome = warpsim("compare --json " + f.trace + f.gpus);
  REQUIRE(unsetenv("TMPDIR") == 0);
  REQUIRE(outcome.code == 0);
  CHECK(std::filesystem::is_empty(scratch));
  const auto json = nlohmann::json::parse(outcome.output);
  REQUIRE(json["launches"].size() == 2);
  CHECK(json["launches"][1]["speed_up"] == Approx(0.5));
  CHECK(json["speedups"][0]["variant"] == "slow");
  CHECK(json["speedups"][0]["geometric_mean"] == Approx(0.5));
  CHECK(json["notes"][0]["run"] == "w@test_tiny");
}

TEST_CASE("compare command: a kernel that one GPU cannot run is named, and the others continue") {
  const Fixture f;
  const std::string both = f.trace + " --gpu " + f.folder.at("small.yaml") + " --gpu test_tiny";
  const Outcome outcome = warpsim("compare " + both);
  INFO(outcome.output);
  CHECK(outcome.code == 0);
  CHECK(outcome.output.find("note: w@small: kernel ") != std::string::npos);
  CHECK(outcome.output.find("exceeds the 16 that the GPU allows") != std::string::npos);
  CHECK(outcome.output.find("w@test_tiny") != std::string::npos);
  const Outcome none = warpsim("compare " + f.trace + " --gpu " + f.folder.at("small.yaml"));
  CHECK(none.code == 2);
}

TEST_CASE("compare command: a kernel with too many registers for a GPU runs with the GPU's maximum") {
  const Fixture f;
  f.folder.write(
      "few.yaml",
      "extends: " WARPSIM_SOURCE_DIR
      "/configs/test_tiny.yaml\nname: few\noccupancy: {registers_per_thread: 4, least_registers_per_thread: 4}\n");
  const Outcome outcome = warpsim("compare " + f.trace + " --gpu " + f.folder.at("few.yaml") + " --gpu test_tiny");
  INFO(outcome.output);
  CHECK(outcome.code == 0);
  CHECK(outcome.output.find("more registers per thread than the GPU has (spills are not modelled)") !=
        std::string::npos);
}

TEST_CASE("compare command: every shipped GPU runs a small kernel") {
  const Fixture f;
  const auto gpus = nlohmann::json::parse(warpsim("gpus --json").output);
  REQUIRE(gpus.size() >= 25);
  std::string arguments = "compare --json " + f.trace;
  for (const auto& gpu : gpus) {
    arguments += " --gpu " + gpu["name"].get<std::string>();
  }
  const Outcome outcome = warpsim(arguments);
  INFO(outcome.output);
  REQUIRE(outcome.code == 0);
  const auto launches = nlohmann::json::parse(outcome.output)["launches"];
  REQUIRE(launches.size() == gpus.size());
  for (const auto& launch : launches) {
    CHECK(launch["cycles"] > 0);
    CHECK(launch["ipc"] > 0);
  }
}

TEST_CASE("compare command: launches of equal traces in two databases are compared") {
  const Fixture f;
  const std::string fast = f.folder.at("fast.db");
  const std::string slow = f.folder.at("slow.db");
  REQUIRE(warpsim("run " + f.trace + " --gpu test_tiny --out " + fast).code == 0);
  REQUIRE(warpsim("run " + f.trace + " --gpu " + f.folder.at("slow.yaml") + " --out " + slow).code == 0);
  const Outcome outcome = warpsim("compare " + slow + " " + fast);
  INFO(outcome.output);
  CHECK(outcome.code == 0);
  CHECK(outcome.output.find("2.00 x") != std::string::npos);
  CHECK(outcome.output.find("fast.db: w") != std::string::npos);
  const Outcome alone = warpsim("compare " + slow);
  CHECK(alone.code == 2);
  CHECK(alone.output.find("no launch of equal traces") != std::string::npos);
}

TEST_CASE("compare command: two GPUs with one name are refused before any work") {
  const Fixture f;
  const Outcome outcome = warpsim("compare " + f.trace + " --gpu test_tiny --gpu test_tiny");
  CHECK(outcome.code == 2);
  CHECK(outcome.output.find("two runs would be named 'w@test_tiny'") != std::string::npos);
}

}  // namespace
}  // namespace warpsim
