#include "memory/crossbar/crossbar.h"

#include <catch2/catch.hpp>

#include "unit/memory/memory_scripts.h"

namespace warpsim::testing {

TEST_CASE("Crossbar: slices and GPCs at a distance add their share of the spread") {
  MemoryConfig config = tiny_memory();
  config.crossbar.slice_latency_spread_cycles = 7;
  config.crossbar.gpc_latency_spread_cycles = 3;
  MemoryWorld world(config);
  std::uint32_t seen = 0;
  for (std::uint32_t n = 0; n < 4; ++n) {
    const Address line = world.line_in(1, n);
    world.latency(1, read_of(line));
    const std::uint32_t slice = world.map.home_of(line).slice_in_partition;
    CHECK(world.latency(1, read_of(line)) == 50 + 3 + slice * 7);  // port 1 is in the farther GPC
    seen |= 1U << slice;
  }
  CHECK(seen == 3);
}

TEST_CASE("Crossbar: the request coalescer of a GPC sends one of two equal reads to L2") {
  MemoryConfig config = tiny_memory();
  config.crossbar.coalescer.enabled = true;
  MemoryWorld world(config, 4);
  const Address line = world.line_in(0);
  world.run({{read_of(line, 0x3)}, {}, {read_of(line, 0x3)}});
  CHECK(world.total("crossbar.merged_requests") == 1);
  CHECK(world.total("crossbar.merged_sectors") == 2);
  CHECK(world.total("l2_slice.from_l1.requests") == 1);
  REQUIRE(world.ports[2]->answers().size() == 1);
  CHECK(world.ports[2]->answers()[0].response.sector_mask == 0x3);
}

TEST_CASE("Crossbar: a stream of near hits runs at the port's rate") {
  MemoryConfig config = roomy();
  config.crossbar.gpc_response_bytes_per_cycle = 1000;
  MemoryWorld world(config);
  world.run({stream(1 << 20, 64)});
  const Cycle cycles = world.run({stream(1 << 20, 64)});
  // 64 lines of 128 bytes at 64 bytes per cycle after a latency of 50.
  CHECK(cycles >= 50 + 63 * 2);
  CHECK(cycles <= 50 + 63 * 2 + 8);
}

TEST_CASE("Crossbar: requesters that wait for one slice are served in turn, independent of requesters between them") {
  MemoryConfig config = roomy();
  config.crossbar.slice_queue_entries = 1;
  MemoryWorld world(config, 12);
  const Address line = world.line_in(0);
  world.latency(0, read_of(line));
  // A rotation over all twelve would favour port 10, which follows idle ports.
  std::vector<std::vector<MemRequest>> scripts(12);
  for (const std::size_t port : {0, 2, 4, 10}) {
    scripts[port].assign(100, atomic_of(MemOp::kReduction, line));
  }
  world.run(scripts);
  for (const std::size_t port : {2, 4, 10}) {
    const Cycle first = world.ports[0]->last();
    const Cycle other = world.ports[port]->last();
    // A turn of the four takes eight cycles. The first 41 find free slots, and are not in turn.
    CHECK((other > first ? other - first : first - other) <= 24);
  }
}

}  // namespace warpsim::testing
