#include "memory/memory_engines.h"

#include <catch2/catch.hpp>
#include <memory>
#include <string>
#include <vector>

#include "engine/system.h"
#include "memory/memory_column.h"
#include "unit/memory/memory_fixture.h"

namespace warpsim::testing {
namespace {

// The system of MemoryWorld with an engine for each crossbar, with its ports, and for each column.
struct DividedWorld {
  DividedWorld(const MemoryConfig& config, std::uint32_t num_ports, std::uint32_t threads)
      : pool(threads), system({}, pool) {
    const std::uint32_t core = system.add_domain("core", 1000);
    const std::uint32_t l2 = system.add_domain("l2", 1000);
    const std::uint32_t dram = system.add_domain("dram", 1000);
    std::vector<Engine*> crossbars;
    std::vector<Engine*> columns;
    for (std::uint32_t partition = 0; partition < config.address_map.num_partitions; ++partition) {
      crossbars.push_back(&system.add_engine());
    }
    for (std::uint32_t column = 0; column < MemoryColumn::count(config.address_map); ++column) {
      columns.push_back(&system.add_engine());
    }
    const std::vector<PortPlace> places = alternating_ports(num_ports);
    memory = std::make_unique<MemorySystem>(MemoryEngines(crossbars, columns), core, l2, dram, config, places, stats);
    for (std::uint32_t p = 0; p < num_ports; ++p) {
      ports.push_back(std::make_unique<ScriptedPort>(memory->requests(p), memory->responses(p)));
      ports.back()->connect(crossbars[places[p].partition]->add_component(core, "port", *ports.back()));
    }
  }

  WorkerPool pool;
  System system;
  LaunchStats<StatGroup> stats{"gpu"};
  std::unique_ptr<MemorySystem> memory;
  std::vector<std::unique_ptr<ScriptedPort>> ports;
};

// Small regions and few entries: there are hits and misses of all levels.
MemoryConfig divisible() {
  MemoryConfig config = tiny_memory();
  config.address_map.slices_per_partition = 4;
  config.address_map.num_channels = 4;
  config.crossbar.slice_queue_entries = 2;
  TranslationConfig& t = config.translation;
  t.enabled = true;
  t.starts_full = false;
  t.page_kib = 4;
  t.sm_entries = 1;
  t.sm_entry_pages = 1;
  t.sm_misses = 3;
  t.groups_per_gpc = 2;
  t.group = {1, 2, 1, 1};
  t.group_latency_cycles = 5;
  t.group_misses = 2;
  t.gpu = {1, 3, 1, 1};
  t.gpu_near_latency_cycles = 11;
  t.gpu_far_latency_cycles = 16;
  t.walk_latency_cycles = 40;
  return config;
}

std::vector<std::vector<MemRequest>> scripts_for_all(std::uint32_t num_ports) {
  std::vector<std::vector<MemRequest>> scripts(num_ports);
  for (std::uint32_t p = 0; p < num_ports; ++p) {
    for (Address i = 0; i < 200; ++i) {
      const Address line = (1U << 20) + (i * (p + 3) % 97) * kLineBytes;
      scripts[p].push_back(i % 7 == 0   ? atomic_of(MemOp::kReduction, line)
                           : i % 5 == 0 ? write_of(line, 0xf)
                                        : read_of(line, 0x3));
    }
  }
  return scripts;
}

void check_division(const MemoryConfig& config) {
  constexpr std::uint32_t kPorts = 6;
  const std::vector<std::vector<MemRequest>> scripts = scripts_for_all(kPorts);
  MemoryWorld whole(config, kPorts);
  whole.run(scripts);
  REQUIRE(whole.total("l2_fabric.requests") > 0);
  REQUIRE(whole.total("translation.group_hits") > 0);
  REQUIRE(whole.total("translation.gpu_hits") > 0);
  REQUIRE(whole.total("translation.walks") > 0);
  for (const std::uint32_t threads : {1U, 3U}) {
    DividedWorld divided(config, kPorts, threads);
    for (std::uint32_t p = 0; p < kPorts; ++p) {
      divided.ports[p]->start(scripts[p], 1000, 0);
    }
    divided.system.run(TimeFs{std::uint64_t{40'000'000'000}});
    CHECK(divided.memory->idle());
    for (std::uint32_t p = 0; p < kPorts; ++p) {
      const auto& a = whole.ports[p]->answers();
      const auto& b = divided.ports[p]->answers();
      REQUIRE(a.size() == b.size());
      for (std::size_t i = 0; i < a.size(); ++i) {
        CHECK(a[i].at == b[i].at);
        CHECK(a[i].response.tag == b[i].response.tag);
      }
    }
  }
}

TEST_CASE("Crossbars and columns give the same answers in engines of their own as in one") {
  check_division(divisible());
  for (const std::uint32_t partition : {0U, 1U}) {
    MemoryConfig config = divisible();
    config.translation.gpu_partition = partition;
    config.translation.tables = {true, 16, 2, 1};
    config.translation.walks = 4;
    check_division(config);
  }
}

TEST_CASE("Parts have engines of their own where their links do not shorten windows") {
  const ClockDomain clock("l2", 1000);
  std::vector<PortPlace> ports = alternating_ports(2);
  const auto division = [&](const MemoryConfig& config, std::uint64_t shortest_fs, bool is_connected = false) {
    return MemoryDivision::of(config, ports, clock, clock, shortest_fs, is_connected);
  };
  MemoryConfig config = tiny_memory();
  const std::uint32_t columns = MemoryColumn::count(config.address_map);
  CHECK(division(config, 5'000'000).columns == columns);
  CHECK(division(config, 5'000'000).crossbars == 2);
  CHECK(division(config, 5'000'001).columns == 0);
  CHECK(division(config, 5'000'001).crossbars == 1);
  CHECK(division(config, 5'000'000, true).columns == columns);
  CHECK(division(config, 5'000'000, true).crossbars == 1);

  MemoryConfig translated = divisible();
  CHECK(division(translated, 5'000'000).crossbars == 2);  // the answer to a near group takes 6 of 11 cycles
  translated.translation.gpu_near_latency_cycles = 8;
  CHECK(division(translated, 5'000'000).crossbars == 1);
  CHECK(division(translated, 5'000'000).columns == MemoryColumn::count(translated.address_map));

  ports.back().nearer_cycles = 10;  // its responses take 5 of 15 cycles
  CHECK(division(config, 5'000'001).columns == columns);
}

}  // namespace
}  // namespace warpsim::testing
