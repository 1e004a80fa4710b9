#include "memory/memory_system.h"

#include <catch2/catch.hpp>

#include "unit/memory/memory_scripts.h"

namespace warpsim::testing {

TEST_CASE("Memory: latency is the sum of the configured latencies on its path") {
  MemoryWorld world(tiny_memory());
  const Address near = world.line_in(0);
  const Address far = world.line_in(1);
  CHECK(world.latency(0, read_of(near)) == 115);
  CHECK(world.served_by(0) == ServedBy::kDram);
  CHECK(world.latency(0, read_of(near)) == 50);
  CHECK(world.served_by(0) == ServedBy::kL2Near);
  CHECK(world.latency(0, read_of(far)) == 185);
  CHECK(world.served_by(0) == ServedBy::kDram);
  CHECK(world.latency(0, read_of(far)) == 50);  // the near slice has a copy
  CHECK(world.served_by(0) == ServedBy::kL2Near);
  CHECK(world.latency(1, read_of(near)) == 120);  // far from the other partition
  CHECK(world.served_by(1) == ServedBy::kL2Far);
  CHECK(world.latency(1, read_of(near)) == 50);
}

TEST_CASE("Memory: a write is acknowledged by its home slice") {
  MemoryWorld world(tiny_memory());
  // The same as a read hit: written data use the write port, not the response port.
  CHECK(world.latency(0, write_of(world.line_in(0))) == 50);
  CHECK(world.served_by(0) == ServedBy::kL2Near);
  CHECK(world.latency(0, write_of(world.line_in(1))) == 120);
  CHECK(world.served_by(0) == ServedBy::kL2Far);
}

TEST_CASE("Memory: both partitions reading a line cost one DRAM read and one trip through the fabric") {
  MemoryWorld world(roomy());
  const Address line = world.line_in(0);
  world.latency(1, read_of(line));  // far first
  world.latency(0, read_of(line));
  CHECK(world.served_by(0) == ServedBy::kL2Near);
  CHECK(world.total("dram_channel.reads") == 1);
  CHECK(world.total("l2_fabric.requests") == 1);
}

TEST_CASE("Memory: invalidation empties L2 and a copy from the host fills it") {
  MemoryWorld world(roomy());
  const Address line = world.line_in(0);
  world.latency(0, write_of(line));
  world.memory->invalidate();
  CHECK(world.total("l2_slice.flushed_sectors") == 4);
  CHECK(world.latency(0, read_of(line)) == 115);
  world.memory->invalidate();
  world.memory->fill_from_host(line, 128);
  CHECK(world.latency(0, read_of(line)) == 50);
}

TEST_CASE("Memory: a cold stream runs at the rate of the DRAM channels") {
  MemoryConfig config = roomy();
  config.l2.mshr_entries = 64;
  config.l2.far_mshr_entries = 64;
  config.crossbar.port_request_bytes_per_cycle = 1000;
  config.crossbar.port_response_bytes_per_cycle = 1000;
  config.crossbar.gpc_request_bytes_per_cycle = 1000;
  config.crossbar.gpc_response_bytes_per_cycle = 1000;
  config.l2_fabric.slice_bytes_per_cycle = 1000;
  config.dram.read_queue_entries = 64;
  config.dram.slice_queue_entries = 64;
  MemoryWorld world(config);
  const Cycle cycles = world.run({stream(1 << 20, 256)});
  // 256 lines of four bursts of two cycles over two channels: 1024 cycles of data.
  CHECK(world.total("dram_channel.data_bus_cycles") == 2048);
  CHECK(cycles >= 1024);
  CHECK(cycles <= 1024 + 1024 / 4);
}

TEST_CASE("Memory: idealisations reduce the time") {
  const auto cycles = [](const MemoryConfig& config, bool twice = false) {
    MemoryWorld world(config, 4);
    const Scripts scripts{stream(1 << 20, 48), stream((1 << 20) + 24 * 128, 48), stream((1 << 20) + 48 * 128, 48),
                          stream((1 << 20) + 72 * 128, 48)};
    const Cycle first = world.run(scripts);
    return twice ? world.run(scripts) : first;
  };
  MemoryConfig base = roomy();
  base.l2.mshr_entries = 2;
  base.l2.far_mshr_entries = 2;
  const Cycle reference = cycles(base);
  const Cycle reference_hits = cycles(base, true);
  SECTION("zero-latency crossbar") {
    base.crossbar.zero_latency = true;
    MemoryWorld world(base);
    world.latency(0, read_of(world.line_in(0)));
    CHECK(world.latency(0, read_of(world.line_in(0))) == 4);  // four hops of one cycle
  }
  SECTION("unlimited crossbar bandwidth") {
    base.crossbar.unlimited_bandwidth = true;
    CHECK(cycles(base, true) < reference_hits);
  }
  SECTION("zero-latency fabric") {
    base.l2_fabric.zero_latency = true;
    CHECK(cycles(base) < reference);
  }
  SECTION("unlimited fabric bandwidth") {
    base.l2_fabric.slice_bytes_per_cycle = 2;
    const Cycle slow = cycles(base);
    base.l2_fabric.unlimited_bandwidth = true;
    CHECK(cycles(base) < slow);
  }
  SECTION("unlimited MSHRs") {
    base.l2.unlimited_mshrs = true;
    CHECK(cycles(base) < reference);
  }
  SECTION("unlimited L2 bandwidth") {
    base.crossbar.unlimited_bandwidth = true;
    base.l2.data_bytes_per_cycle = 16;
    const Cycle slow = cycles(base, true);
    base.l2.unlimited_bandwidth = true;
    CHECK(cycles(base, true) < slow);
  }
  SECTION("perfect L2") {
    base.l2.perfect = true;
    CHECK(cycles(base) < reference);
    MemoryWorld world(base);
    CHECK(world.latency(0, read_of(world.line_in(1))) == 50);
    CHECK(world.total("dram_channel.reads") == 0);
  }
  SECTION("ideal DRAM") {
    base.l2.unlimited_mshrs = true;
    const Cycle limited = cycles(base);
    base.dram.ideal = true;
    CHECK(cycles(base) < limited);
    MemoryWorld world(base);
    CHECK(world.latency(0, read_of(world.line_in(0))) == 50 + 25 + 50);
  }
  SECTION("one partition") {
    base.address_map = {1, 4, 2, 128, 1024, 2, 2, 128};
    CHECK(cycles(base) < reference);
    MemoryWorld world(base);
    CHECK(world.latency(1, read_of(1 << 20)) == 115);
    CHECK(world.total("l2_fabric.requests") == 0);
  }
}

TEST_CASE("Memory: skipping idle time changes no statistic") {
  for (const bool promoted : {false, true}) {
    MemoryConfig config = tiny_memory();
    config.crossbar.coalescer.enabled = true;
    config.dram.refresh = promoted ? RefreshMode::kPerBank : RefreshMode::kAllBank;
    config.dram.timing.t_refi = 500;
    config.l2.fill_bytes = promoted ? 64 : 32;
    config.l2.keep_far_writes_near = promoted;
    config.l2.far_reads_leave_home_first = promoted;
    config.l2.max_dirty_ways = promoted ? 1 : 0;
    config.l2.mshr_entries = 3;
    config.l2.far_mshr_entries = 3;
    MemoryWorld skipping(config, 4, true);
    MemoryWorld plain(config, 4, false);
    const Scripts scripts = mixed_scripts(300);
    CHECK(skipping.run(scripts, 12) == plain.run(scripts, 12));
    CHECK(skipping.totals() == plain.totals());
    CHECK(skipping.engine.ticks() < plain.engine.ticks() / 2);
  }
}

TEST_CASE("Memory: with all queues at minimum length each request is still answered once") {
  MemoryConfig config = tiny_memory();
  config.crossbar.port_request_entries = 1;
  config.crossbar.port_response_entries = 1;
  config.crossbar.slice_queue_entries = 1;
  config.l2.mshr_entries = 1;
  config.l2.far_mshr_entries = 1;
  config.l2.mshr_waiters = 1;
  config.l2.reply_queue_entries = 1;
  config.l2.writeback_queue_entries = 1;
  config.l2.atomic_queue_cycles = 1;
  config.l2_fabric.queue_entries = 1;
  config.dram.read_queue_entries = 1;
  config.dram.write_queue_entries = 1;
  config.dram.write_high_watermark = 1;
  config.dram.write_low_watermark = 0;
  config.dram.slice_queue_entries = 1;
  MemoryWorld world(config, 4);
  world.run(mixed_scripts(100), 1000,
            400000);  // the ports refuse a sector answered twice, the fixture an unanswered request
  CHECK(world.total("crossbar.requests") == 400);
}

TEST_CASE("Memory: nothing is due when all requests are answered") {
  MemoryWorld world(tiny_memory());
  world.run({stream(1 << 20, 20, MemOp::kWrite)});
  CHECK(world.engine.run() == Engine::Outcome::kNothingDue);
  CHECK(world.engine.describe_stalls().empty());
}

}  // namespace warpsim::testing
