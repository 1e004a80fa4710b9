#include "memory/memory_column.h"

#include <catch2/catch.hpp>
#include <memory>
#include <vector>

#include "engine/system.h"
#include "unit/memory/memory_fixture.h"

namespace warpsim::testing {
namespace {

struct ColumnWorld {
  explicit ColumnWorld(const MemoryConfig& the_config)
      : config(the_config),
        map(config.address_map),
        l2(engine.add_domain("l2", 1000)),
        dram(engine.add_domain("dram", 1000)),
        column(engine, {l2, dram}, config, map, 0, stats) {}

  MemoryConfig config;
  AddressMap map;
  Engine engine;
  LaunchStats<StatGroup> stats{"gpu"};
  std::uint32_t l2;
  std::uint32_t dram;
  MemoryColumn column;
};

// Four slices behind each of two channels, one channel for each partition: all slices are in one column.
MemoryConfig four_slices_a_channel() {
  MemoryConfig config = tiny_memory();
  config.address_map.slices_per_partition = 4;
  config.address_map.num_channels = 2;
  return config;
}

TEST_CASE("A column has the slices with the same places in all partitions, and their channels") {
  MemoryConfig config = four_slices_a_channel();
  config.address_map.num_channels = 4;
  config.address_map.num_stacks = 2;
  REQUIRE(MemoryColumn::count(config.address_map) == 2);
  Engine engine;
  const std::uint32_t clock = engine.add_domain("l2", 1000);
  const AddressMap map(config.address_map);
  LaunchStats<StatGroup> stats("gpu");
  const MemoryColumn column(engine, {clock, clock}, config, map, 1, stats);
  REQUIRE(column.slices() == 4);
  CHECK(column.links_of(0).number == 2);
  CHECK(column.links_of(1).number == 3);
  CHECK(column.links_of(2).number == 6);
  CHECK(column.links_of(3).number == 7);
  REQUIRE(column.channels() == 2);
  CHECK(column.channel_number(0) == 1);
  CHECK(column.channel_number(1) == 3);
  CHECK(column.idle());
}

TEST_CASE("The farthest slice of each partition is later by the spread") {
  MemoryConfig config = four_slices_a_channel();
  config.crossbar.slice_latency_spread_cycles = 9;
  const ColumnWorld world(config);
  REQUIRE(world.column.slices() == 8);
  for (std::size_t slice = 0; slice < 8; ++slice) {
    Link<SliceRequest>& link = *world.column.links_of(slice).requests;
    link.send({}, 100);
    CHECK(link.next_arrival() == 100 + 20 + (slice % 4) * 3);
  }
}

TEST_CASE("Without latency every way between crossbar and slices takes one cycle") {
  MemoryConfig config = four_slices_a_channel();
  CHECK(MemoryColumn::crossbar_latency(config.crossbar) == 5);
  config.crossbar.zero_latency = true;
  config.crossbar.slice_latency_spread_cycles = 7;
  CHECK(MemoryColumn::crossbar_latency(config.crossbar) == 1);
  const ColumnWorld world(config);
  const MemoryColumn::Slice links = world.column.links_of(3);
  links.requests->send({}, 5);
  CHECK(links.requests->next_arrival() == 6);
  links.responses->send({}, 5);
  CHECK(links.responses->next_arrival() == 6);
}

// The system of MemoryWorld with an engine for each column.
struct DividedWorld {
  DividedWorld(const MemoryConfig& config, std::uint32_t num_ports, std::uint32_t threads)
      : pool(threads), system({}, pool) {
    const std::uint32_t core = system.add_domain("core", 1000);
    const std::uint32_t l2 = system.add_domain("l2", 1000);
    const std::uint32_t dram = system.add_domain("dram", 1000);
    Engine& side = system.add_engine();
    MemorySystem::Engines engines(side);
    for (std::uint32_t column = 0; column < MemoryColumn::count(config.address_map); ++column) {
      engines.columns.push_back(&system.add_engine());
    }
    memory = std::make_unique<MemorySystem>(engines, core, l2, dram, config, alternating_ports(num_ports), stats);
    for (std::uint32_t p = 0; p < num_ports; ++p) {
      ports.push_back(std::make_unique<ScriptedPort>(memory->requests(p), memory->responses(p)));
      ports.back()->connect(side.add_component(core, "port", *ports.back()));
    }
  }

  WorkerPool pool;
  System system;
  LaunchStats<StatGroup> stats{"gpu"};
  std::unique_ptr<MemorySystem> memory;
  std::vector<std::unique_ptr<ScriptedPort>> ports;
};

std::vector<std::vector<MemRequest>> scripts_for_columns(std::uint32_t num_ports) {
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

TEST_CASE("Columns give the same answers in engines of their own as in the engine of the crossbar") {
  MemoryConfig config = tiny_memory();
  config.address_map.slices_per_partition = 4;
  config.address_map.num_channels = 4;
  config.crossbar.slice_queue_entries = 2;
  constexpr std::uint32_t kPorts = 6;
  const std::vector<std::vector<MemRequest>> scripts = scripts_for_columns(kPorts);
  MemoryWorld whole(config, kPorts);
  whole.run(scripts);
  REQUIRE(whole.total("l2_fabric.requests") > 0);
  for (const std::uint32_t threads : {1U, 3U}) {
    DividedWorld divided(config, kPorts, threads);
    for (std::uint32_t p = 0; p < kPorts; ++p) {
      divided.ports[p]->start(scripts[p], 1000, 0);
    }
    divided.system.run(TimeFs{std::uint64_t{20'000'000'000}});
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

TEST_CASE("Columns have engines of their own where their links do not shorten windows") {
  const MemoryConfig config = tiny_memory();
  const ClockDomain clock("l2", 1000);
  std::vector<MemorySystem::Port> ports = alternating_ports(2);
  const auto engines = [&](std::uint64_t shortest_fs) {
    return MemorySystem::column_engines(config, ports, clock, clock, shortest_fs);
  };
  CHECK(engines(5'000'000) == MemoryColumn::count(config.address_map));
  CHECK(engines(5'000'001) == 0);
  ports.back().nearer_cycles = 10;  // its responses take 5 of 15 cycles
  CHECK(engines(5'000'001) == MemoryColumn::count(config.address_map));
}

TEST_CASE("A slot of a link to a slice comes back to the crossbar after the latency") {
  MemoryConfig config = four_slices_a_channel();
  config.crossbar.slice_queue_entries = 1;
  const ColumnWorld world(config);
  Link<SliceResponse>& link = *world.column.links_of(0).responses;  // 1 entry, 5 in flight, 5 on the way back
  for (Cycle cycle = 0; cycle < 11; ++cycle) {
    REQUIRE(link.can_send(cycle));
    link.send({}, cycle);
  }
  CHECK_FALSE(link.can_send(11));
  link.pop(11);
  CHECK_FALSE(link.can_send(15));
  CHECK(link.can_send(16));
}

}  // namespace
}  // namespace warpsim::testing
