#include "memory/memory_column.h"

#include <catch2/catch.hpp>
#include <memory>
#include <vector>

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
