// A chip without L2: what the slices forward to DRAM.
#include <catch2/catch.hpp>

#include "unit/memory/memory_scripts.h"

namespace warpsim::testing {
namespace {

// See memory_fixture.h for the times. DRAM moves a sector in a burst of two cycles.
MemoryConfig without_l2() {
  MemoryConfig config = tiny_memory();
  config.l2.keeps_lines = false;
  return config;
}

TEST_CASE("Without L2 every read goes to DRAM and moves the requested sectors") {
  MemoryWorld world(without_l2());
  const Address line = world.line_in(0);
  CHECK(world.latency(0, read_of(line, 0x1)) == 115);
  world.latency(0, read_of(line, 0x1));
  CHECK(world.served_by(0) == ServedBy::kDram);
  world.latency(0, read_of(line, 0x3));
  world.latency(0, read_of(line, 0xf));
  // Transactions of 32, 32, 64 and 128 bytes.
  CHECK(world.total("dram_channel.reads") == 4);
  CHECK(world.total("dram_channel.bytes_read") == 32 + 32 + 64 + 128);
  CHECK(world.total("dram_channel.data_bus_cycles") == 2 * 8);
  CHECK(world.total("l2_slice.from_l1.hit_sectors") == 0);
}

TEST_CASE("Without L2 equal reads that are in flight together each go to DRAM") {
  MemoryWorld world(without_l2());
  const Address line = world.line_in(0);
  world.run({{read_of(line, 0x3), read_of(line, 0x3), read_of(line, 0x3)}});
  CHECK(world.total("dram_channel.reads") == 3);
  CHECK(world.total("l2_slice.merged_sectors") == 0);
}

TEST_CASE("Without L2 a write goes to DRAM at once, unwritten bytes need no read") {
  MemoryWorld world(without_l2());
  const Address line = world.line_in(0);
  world.latency(0, write_of(line, 0x3, 0xff));
  world.latency(0, write_of(line, 0x1));
  CHECK(world.total("dram_channel.writes") == 2);
  CHECK(world.total("dram_channel.bytes_written") == 64 + 32);
  CHECK(world.total("dram_channel.reads") == 0);
  world.latency(0, read_of(line, 0x1));
  CHECK(world.served_by(0) == ServedBy::kDram);
}

TEST_CASE("Without L2 an atomic reads its sector from DRAM and writes it back") {
  MemoryWorld world(without_l2());
  const Address line = world.line_in(0);
  world.latency(0, atomic_of(MemOp::kAtomic, line));
  world.latency(0, atomic_of(MemOp::kAtomic, line));
  CHECK(world.total("dram_channel.reads") == 2);
  CHECK(world.total("dram_channel.writes") == 2);
}

TEST_CASE("Without L2 data copied by the host and results are in DRAM") {
  MemoryWorld world(without_l2());
  const Address line = world.line_in(0);
  world.memory->fill_from_host(line, 128);
  world.latency(0, read_of(line));
  CHECK(world.served_by(0) == ServedBy::kDram);
  world.memory->invalidate();
  CHECK(world.total("l2_slice.flushed_sectors") == 0);
}

TEST_CASE("Without L2 results do not depend on skipping") {
  const auto totals = [](bool skip) {
    MemoryWorld world(without_l2(), 4, skip);
    world.run(mixed_scripts(200), 16, 200000);
    return world.totals();
  };
  CHECK(totals(true) == totals(false));
}

TEST_CASE("An L2 that fills by sectors fetches 32 bytes where 64-byte fills include the neighbour") {
  const auto fetched = [](std::uint32_t fill_bytes) {
    MemoryConfig config = tiny_memory();
    config.l2.fill_bytes = fill_bytes;
    MemoryWorld world(config);
    world.latency(0, read_of(world.line_in(0), 0x1));
    return world.total("dram_channel.bytes_read");
  };
  CHECK(fetched(32) == 32);
  CHECK(fetched(64) == 64);
}

}  // namespace
}  // namespace warpsim::testing
