// Races in kernels of tests/data/races, as a device reports them, without and with timing.
#include <algorithm>
#include <catch2/catch.hpp>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "cuda/device/simulated_device.h"

namespace warpsim::cuda {
namespace {

const std::string kFile = WARPSIM_SOURCE_DIR "/tests/data/races/races.ptx";

struct Found {
  std::vector<std::string> findings;
  std::uint64_t races = 0;
  std::string summary;
  std::string all() const {
    std::string text;
    for (const std::string& finding : findings) {
      text += finding + "\n";
    }
    return text;
  }
};

struct Shape {
  std::uint32_t blocks = 1;
  std::uint32_t threads = 1;
  std::uint32_t cluster = 1;
};

Found launch(const std::string& name, const Shape& shape, bool timed = false, int times = 1,
             std::optional<std::uint64_t> max_instructions = {}) {
  std::ifstream file(kFile);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  DeviceOptions options;
  options.functional_only = !timed;
  options.checks = {.uninitialised = false, .races = true};
  options.max_instructions = max_instructions;
  options.max_cycles = timed ? std::optional<std::uint64_t>(1'000'000) : std::nullopt;
  SimulatedDevice device(WARPSIM_SOURCE_DIR "/configs/h200.yaml", options);
  ModuleId module = 0;
  const Outcome loaded = device.load_module(text, "races.ptx", module);
  INFO(loaded.message);
  REQUIRE(loaded);
  KernelId kernel = 0;
  REQUIRE(device.find_kernel(module, name, kernel));
  const std::vector<std::uint64_t> parameters = {device.memory().allocate(4096)};
  Launch launch;
  launch.grid = {shape.blocks, 1, 1};
  launch.block = {shape.threads, 1, 1};
  launch.cluster = {shape.cluster, 1, 1};
  launch.parameters = std::as_bytes(std::span(parameters));
  for (int i = 0; i < times; ++i) {
    const Outcome outcome = device.launch(kernel, launch);
    INFO(outcome.message);
    REQUIRE(outcome);
  }
  return {device.take_findings(), device.races(), device.check_summary()};
}

void check_race(const std::string& name, const Shape& shape, const std::vector<std::string>& words) {
  for (const bool timed : {false, true}) {
    INFO(name << (timed ? " with time" : " without time"));
    const Found found = launch(name, shape, timed);
    INFO(found.all());
    CHECK(found.races == found.findings.size());
    // The order of execution decides whether the same two instructions also race in the other direction.
    CHECK(std::ranges::any_of(found.findings, [&](const std::string& finding) {
      return std::ranges::all_of(words, [&](const std::string& word) { return finding.find(word) != finding.npos; });
    }));
  }
}

void check_good(const std::string& name, const Shape& shape) {
  for (const bool timed : {false, true}) {
    INFO(name << (timed ? " with time" : " without time"));
    const Found found = launch(name, shape, timed);
    CHECK(found.findings == std::vector<std::string>());
    CHECK(found.summary == "races: no pairs of instructions in 1 launch");
  }
}

TEST_CASE("races: a block without its barrier is reported with both places and both threads") {
  check_race("block_race", {1, 64, 1},
             {"races.ptx:22: kernel block_race: a race (write and read) on 4 bytes at 0x", "of the shared memory",
              "is not ordered after the write by thread (", "at races.ptx:21"});
  check_good("block_good", {1, 64, 1});
}

TEST_CASE("races: a warp without its barrier is found from 7.0 on") {
  check_race("warp_race", {1, 32, 1}, {"races.ptx:55", "(write and read)", "at races.ptx:54", "32 times"});
  check_good("warp_good", {1, 32, 1});
}

TEST_CASE("races: a write after another thread's read is found") {
  check_race("overwrite_race", {1, 64, 1}, {"races.ptx:86", "(read and write)", "at races.ptx:84"});
}

TEST_CASE("races: a flag orders only with fences or with release and acquire") {
  check_race("flag_race", {2, 1, 1},
             {"races.ptx:106", "at races.ptx:99", "of block (1, 0, 0)", "of block (0, 0, 0)", "0 bytes into the 4096"});
  check_race("scope_race", {2, 1, 1}, {"at races.ptx:160"});
  check_good("flag_good", {2, 1, 1});
  check_good("release_good", {2, 1, 1});
}

TEST_CASE("races: blocks that add to a word need atomics") {
  const Found found = launch("grid_race", {4, 1, 1});
  REQUIRE(found.races == 2);  // the write against the other blocks' reads and writes, in the order of execution
  check_good("grid_good", {4, 32, 1});
}

TEST_CASE("races: blocks of a cluster need its barrier") {
  check_race("cluster_race", {2, 1, 2}, {"(write and read)", "of the shared memory of block ("});
  check_good("cluster_good", {2, 1, 2});
}

TEST_CASE("races: asynchronous copies need waits") {
  check_race("copy_race", {1, 1, 1}, {"the write by a copy of thread (0, 0, 0)"});
  check_good("copy_good", {1, 1, 1});
}

TEST_CASE("races: an mbarrier orders the threads that wait for it") {
  check_race("mbarrier_race", {1, 64, 1}, {"(write and read)"});
  check_good("mbarrier_good", {1, 64, 1});
}

TEST_CASE("races: a warp that polls without success lets the others continue at once") {
  // 40 rounds of less than 30 instructions by two warps, and polls. A turn that only polls has 1,000 instructions.
  const Found found = launch("turns_good", {1, 64, 1}, false, 1, 4'000);
  CHECK(found.findings == std::vector<std::string>());
}

TEST_CASE("races: a pair of instructions is reported once, and counted") {
  const Found found = launch("block_race", {1, 64, 1}, false, 3);
  // Without timing warp 0 is first: it reads words that warp 1 writes later, and warp 1 reads words written by it.
  CHECK(found.findings.size() == 2);
  CHECK(found.races == 2);
  CHECK(found.findings[0].find("32 times in this launch") != std::string::npos);
  CHECK(found.summary == "races: 2 pairs of instructions in 3 launches");
}

}  // namespace
}  // namespace warpsim::cuda
