// Latencies are those of memory_fixture.h: 50 cycles for a near hit in L2.
#include "memory/crossbar/translation_stage.h"

#include <catch2/catch.hpp>

#include "unit/memory/memory_scripts.h"

namespace warpsim::testing {
namespace {

constexpr Address kRegion = 1U << 20U;

// A line of the region whose home is near the port.
Address near_line(const MemoryWorld& world, std::uint32_t port, std::uint32_t region) {
  for (Address line = region * kRegion;; line += kLineBytes) {
    if (world.map.home_of(line).partition == port % 2) {
      return line;
    }
  }
}

TEST_CASE("Translations: each level adds its latency") {
  MemoryWorld world(translated_memory(), 6);
  const auto latency = [&world](std::uint32_t port, std::uint32_t region) {
    return world.latency(port, read_of(near_line(world, port, region)));
  };
  latency(0, 1);  // brings the line to L2, and the translation to all levels
  CHECK(latency(0, 1) == 50);
  CHECK(latency(4, 1) == 50 + 9);       // the same group
  CHECK(latency(2, 1) == 50 + 9 + 20);  // another group of the GPC
  latency(1, 1);
  latency(1, 2);
  latency(3, 1);
  CHECK(latency(1, 1) == 50 + 9);
  CHECK(world.total("translation.walks") == 2);
  CHECK(world.total("translation.directory_misses") == 1);
  CHECK(world.total("translation.gpu_lookups") ==
        world.total("translation.gpu_hits") + world.total("translation.walks"));
}

TEST_CASE("Translations: GPCs of the other partition are farther from the GPU's translations") {
  MemoryWorld world(translated_memory(), 4);
  const Address line = near_line(world, 1, 3);
  world.latency(1, read_of(line));
  CHECK(world.latency(3, read_of(line)) == 50 + 9 + 35);
}

TEST_CASE("Translations: a walk takes longer if its directory is not in the directory cache") {
  MemoryWorld world(translated_memory());
  const auto read = [&world](std::uint32_t region) { return world.latency(0, read_of(near_line(world, 0, region))); };
  for (const std::uint32_t region : {1U, 2U, 3U, 4U, 5U, 16U}) {
    read(region);  // the lines to L2; the GPU keeps regions 3, 4, 5 and 16
  }
  CHECK(read(1) == 50 + 9 + 20 + 100 + 70);
  CHECK(read(2) == 50 + 9 + 20 + 100);
}

TEST_CASE("Translations: what every level has at the start costs nothing") {
  MemoryConfig config = translated_memory();
  config.translation.starts_full = true;
  MemoryWorld world(config);
  const Address line = near_line(world, 0, 1);
  world.latency(0, read_of(line));
  CHECK(world.latency(0, read_of(line)) == 50);
  CHECK(world.total("translation.group_lookups") == 0);
  CHECK(world.latency(0, read_of(near_line(world, 0, 2))) >= 50 + 9);
  CHECK(world.total("translation.group_hits") == 1);
}

TEST_CASE("Translations: requests behind one that waits pass it, and its SM has the translation afterwards") {
  MemoryWorld world(translated_memory());
  const Address here = near_line(world, 0, 1);
  const Address there = near_line(world, 0, 2);
  world.latency(0, read_of(there));
  world.latency(0, read_of(here));
  world.memory->invalidate();
  world.latency(0, read_of(here));  // the line and its translation again
  world.run({{read_of(there), read_of(here)}});
  const auto& answers = world.ports[0]->answers();
  REQUIRE(answers.size() == 2);
  CHECK(answers[0].response.tag == 1);
  CHECK(answers[0].latency() == 50);
  CHECK(answers[1].response.tag == 0);
  CHECK(world.latency(0, read_of(there)) == 50);
}

TEST_CASE("Translations: requests for a region that is walked to wait for the same walk") {
  MemoryWorld world(translated_memory(), 8);
  const Address line = near_line(world, 0, 1);
  world.latency(0, read_of(line));
  world.memory->invalidate();
  std::vector<std::vector<MemRequest>> scripts(8, {read_of(line), read_of(line + 2 * kLineBytes)});
  world.run(scripts);
  CHECK(world.total("translation.walks") == 2);           // the first one is from before
  CHECK(world.total("translation.group_lookups") == 17);  // requests, each on its own
  CHECK(world.total("translation.group_waits") == 12);    // all but one of each of the four groups
}

TEST_CASE("Translations: a region whose walk waits for a unit, or had one before others, is not translated early") {
  MemoryConfig config = translated_memory();
  config.translation.directory_miss_cycles = 0;
  config.translation.gpu = {1, 16, 1, 8};
  MemoryWorld world(config, 8);
  std::vector<std::vector<MemRequest>> scripts(8);
  for (std::uint32_t port = 0; port < 8; ++port) {
    scripts[port] = {read_of(near_line(world, port, 10 + port / 2))};  // of two GPCs, four regions, one unit
  }
  const Cycle cycles = world.run(scripts);
  CHECK(world.total("translation.walks") == 4);
  CHECK(world.total("translation.gpu_lookups") == 8);
  CHECK(world.total("translation.gpu_hits") == 0);  // each other request waits for the walk
  CHECK(cycles > 4 * 100);
}

TEST_CASE("Translations: walks take turns at the units that walk") {
  const auto cycles_with = [](std::uint32_t units) {
    MemoryConfig config = translated_memory();
    config.translation.walks = units;
    config.translation.directory_miss_cycles = 0;
    MemoryWorld world(config, 8);
    std::vector<std::vector<MemRequest>> scripts(8);
    for (std::uint32_t port = 0; port < 8; ++port) {
      scripts[port] = {read_of(near_line(world, port, 10 + port))};
    }
    return world.run(scripts);
  };
  const Cycle one = cycles_with(1);
  const Cycle two = cycles_with(2);
  const Cycle eight = cycles_with(8);
  CHECK(one > two + 350);  // eight walks of 100 cycles one after another, or four
  CHECK(two > eight + 250);
  CHECK(one > 8 * 100);
}

TEST_CASE("Translations: more misses than can wait hold up a port, and all are answered") {
  for (const bool skip : {true, false}) {
    MemoryConfig config = translated_memory();
    config.translation.sm_misses = 1;
    config.translation.group_misses = 1;
    MemoryWorld world(config, 4, skip);
    std::vector<std::vector<MemRequest>> scripts(4);
    for (std::uint32_t port = 0; port < 4; ++port) {
      for (std::uint32_t i = 0; i < 20; ++i) {
        scripts[port].push_back(i % 3 == 0 ? write_of(near_line(world, port, 1 + (i * 7 + port) % 11))
                                           : read_of(near_line(world, port, 1 + (i * 5 + port) % 11)));
      }
    }
    world.run(scripts, 1000, 200000);
    CHECK(world.total("translation.group_lookups") > 60);
    CHECK(world.total("translation.walks") > 20);
  }
}

TEST_CASE("Translations: a request that waits for its slice keeps its turn if others replace the entry of its SM") {
  MemoryConfig config = translated_memory();
  config.crossbar.slice_queue_entries = 1;
  config.l2.mshr_entries = 1;
  config.l2.far_mshr_entries = 1;
  std::uint64_t state = 1;
  const auto random = [&state](std::uint64_t below) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return (state >> 33U) % below;
  };
  for (std::uint32_t round = 0; round < 20; ++round) {
    std::vector<std::vector<MemRequest>> scripts(6);
    for (std::vector<MemRequest>& script : scripts) {
      for (std::uint32_t i = 0; i < 40; ++i) {
        script.push_back(read_of((1 + random(6)) * kRegion + random(64) * kLineBytes));
      }
    }
    MemoryWorld world(config, 6);
    world.run(scripts, 1000, 400000);  // all are answered
  }
}

}  // namespace
}  // namespace warpsim::testing
