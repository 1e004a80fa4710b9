// Walks that read page tables through a memory system. Latencies are those of memory_fixture.h; a read of a walk takes,
// from and to its port beside the crossbar of partition 0, 1 + 20 + 5 + 1 = 27 cycles if it hits in the near slice,
// which keeps copies; from DRAM 65 more, or 135 if the entry is at home in the other partition.
#include <catch2/catch.hpp>

#include "memory/translation/page_tables.h"
#include "unit/memory/memory_scripts.h"

namespace warpsim::testing {
namespace {

constexpr Cycle kHit = 27;
constexpr Cycle kWalkStep = 4;
constexpr Cycle kWay = 9 + 20;  // to the GPU's translations and back

MemoryConfig walked_memory(std::uint32_t directory_levels) {
  MemoryConfig config = translated_memory();
  config.translation.walks = 2;
  config.translation.directory_miss_cycles = 0;  // of walks that take a fixed time
  config.translation.tables = {true, 16, directory_levels, static_cast<std::uint32_t>(kWalkStep)};
  return config;
}

Address address_of_page(std::uint32_t page) {
  return Address{page} << 20U;
}
Address line_at_home_in_0(const MemoryWorld& world, std::uint32_t page) {
  Address line = address_of_page(page);
  while (world.map.home_of(line).partition != 0) {
    line += kLineBytes;
  }
  return line;
}
// Of one read, from DRAM.
Cycle from_dram(const MemoryWorld& world, const MemoryConfig& config, std::uint32_t level, std::uint32_t page) {
  const Address entry = PageTables(config.translation).entry(level, address_of_page(page));
  return kHit + (world.map.home_of(line_of(entry)).partition == 0 ? 65 : 135);
}

TEST_CASE("Walks that read: the first one reads all levels from DRAM, and each counts in L2, but not for L1") {
  for (const std::uint32_t levels : {0U, 1U, 2U}) {
    CAPTURE(levels);
    const MemoryConfig config = walked_memory(levels);
    MemoryWorld world(config);
    world.latency(0, read_of(line_at_home_in_0(world, 1)));
    Cycle expected = 0;
    for (std::uint32_t level = 0; level <= levels; ++level) {
      expected += from_dram(world, config, level, 1) + kWalkStep;
    }
    CHECK(world.total("translation.walk_latency.sum") == expected);
    CHECK(world.total("translation.walk_reads") == levels + 1);
    CHECK(world.total("translation.walk_dram_reads") == levels + 1);
    CHECK(world.total("l2_slice.from_translation.read_sectors") == levels + 1);
    CHECK(world.total("l2_slice.from_l1.read_sectors") == 1);
    CHECK(world.total("l2_slice.from_cache.read_sectors") == 0);
    CHECK(world.total("dram_channel.reads") == levels + 2);
    CHECK(world.total("crossbar.requests") == levels + 2);
  }
}

TEST_CASE("Walks that read: a request waits for the entries of its page, and of directories that are not cached") {
  for (const std::uint32_t levels : {0U, 1U, 2U}) {
    CAPTURE(levels);
    MemoryWorld world(walked_memory(levels));
    const auto read = [&](std::uint32_t page) { return world.latency(0, read_of(line_at_home_in_0(world, page))); };
    for (const std::uint32_t page : {1U, 2U, 3U, 4U, 5U, 16U}) {
      read(page);  // the lines and entries to L2; the GPU keeps pages 3, 4, 5 and 16
    }
    CHECK(read(1) == 50 + kWay + (levels + 1) * (kHit + kWalkStep));
    CHECK(read(2) == 50 + kWay + kHit + kWalkStep);
  }
}

TEST_CASE("Walks that read: entries of neighbouring pages share sectors, and L2 drops them with other lines") {
  MemoryWorld world(walked_memory(0));
  const auto read_pages = [&world] {
    for (std::uint32_t page = 0; page < 8; ++page) {
      world.latency(0, read_of(line_at_home_in_0(world, 8 + page)));
    }
  };
  read_pages();
  CHECK(world.total("translation.walk_reads") == 8);
  CHECK(world.total("translation.walk_dram_reads") == 4);  // two entries in a sector
  CHECK(world.total("l2_slice.from_translation.hit_sectors") == 4);
  CHECK(world.total("l2_slice.from_translation.miss_sectors") == 4);
  read_pages();  // the GPU's four entries are others
  CHECK(world.total("translation.walk_reads") == 16);
  CHECK(world.total("translation.walk_dram_reads") == 4);
  CHECK(world.total("translation.directory_misses") == 1);
  world.memory->invalidate();
  read_pages();
  CHECK(world.total("translation.walk_dram_reads") == 8);
  CHECK(world.total("translation.directory_misses") == 2);
}

// Reads and writes of six ports to random pages.
Scripts page_scripts() {
  Scripts scripts(6);
  std::uint64_t state = 7;
  for (std::vector<MemRequest>& script : scripts) {
    for (std::uint32_t i = 0; i < 60; ++i) {
      state = state * 6364136223846793005ULL + 1442695040888963407ULL;
      const Address line =
          address_of_page(static_cast<std::uint32_t>(1 + (state >> 33U) % 40)) + (state >> 45U) % 64 * kLineBytes;
      script.push_back(i % 4 == 0 ? write_of(line) : read_of(line));
    }
  }
  return scripts;
}

struct Fast final : mechanism::Network {
  Fast(const Settings& /*settings*/, const Site& /*site*/, mechanism::Counters& /*counters*/) {}
  mechanism::Cycle arrival(const mechanism::NetworkMessage& /*message*/, mechanism::Cycle now) override {
    return now + 3;
  }
};

TEST_CASE("Walks that read: every request is answered on every kind of memory, also if no time is skipped") {
  std::vector<MemoryConfig> configs(7, walked_memory(2));
  configs[1].address_map.num_partitions = 1;
  configs[1].address_map.num_channels = 2;
  configs[2].translation.gpu_partition = 1;
  configs[3].crossbar.network = {"fast", mechanism::entry_of<Fast>("fast", "a network for a test").make_factory()};
  configs[4].crossbar.coalescer.enabled = true;
  configs[5].crossbar.slice_queue_entries = 1;
  configs[5].crossbar.port_request_entries = 1;
  configs[5].crossbar.port_response_entries = 1;
  configs[5].l2.mshr_entries = 1;
  configs[5].l2.far_mshr_entries = 1;
  configs[5].translation.walks = 8;
  configs[5].translation.group_misses = 4;
  configs[6].translation.tables.step_cycles = 0;
  configs[6].translation.walks = 1;
  for (std::size_t number = 0; number < configs.size(); ++number) {
    CAPTURE(number);
    MemoryWorld skipping(configs[number], 6, true);
    MemoryWorld ticking(configs[number], 6, false);
    const Cycle cycles = skipping.run(page_scripts(), 1000, 400000);
    CHECK(ticking.run(page_scripts(), 1000, 400000) == cycles);
    for (std::size_t port = 0; port < skipping.ports.size(); ++port) {
      const auto& a = skipping.ports[port]->answers();
      const auto& b = ticking.ports[port]->answers();
      REQUIRE(a.size() == b.size());
      for (std::size_t i = 0; i < a.size(); ++i) {
        CHECK(a[i].at == b[i].at);
      }
    }
    CHECK(skipping.total("translation.walk_latency.sum") == ticking.total("translation.walk_latency.sum"));
    CHECK(skipping.total("translation.walks") > 40);
    CHECK(skipping.total("translation.walk_reads") > skipping.total("translation.walks"));
    CHECK(skipping.total("l2_slice.from_translation.read_sectors") == skipping.total("translation.walk_reads"));
    CHECK(skipping.total("crossbar.merged_requests") <
          skipping.total("crossbar.requests") - skipping.total("translation.walk_reads"));
  }
}

TEST_CASE("Walks that read: page tables that are not in memory have no port and read nothing") {
  MemoryConfig config = walked_memory(2);
  config.translation.tables.in_memory = false;
  config.translation.walk_latency_cycles = 100;
  MemoryWorld world(config);
  CHECK(world.latency(0, read_of(line_at_home_in_0(world, 1))) == 115 + kWay + 100);
  CHECK(world.total("translation.walks") == 1);
  CHECK(world.total("translation.walk_reads") == 0);
  CHECK(world.total("l2_slice.from_translation.requests") == 0);
}

}  // namespace
}  // namespace warpsim::testing
