#include "memory/memory_system.h"

#include <catch2/catch.hpp>

#include "unit/memory/memory_fixture.h"

namespace warpsim::testing {
namespace {

using Scripts = std::vector<std::vector<MemRequest>>;

std::vector<MemRequest> stream(Address from, std::uint32_t lines, MemOp op = MemOp::kRead) {
  std::vector<MemRequest> script;
  for (std::uint32_t i = 0; i < lines; ++i) {
    const Address line = from + Address{i} * kLineBytes;
    script.push_back(op == MemOp::kRead ? read_of(line, 0xf) : write_of(line));
  }
  return script;
}

// Four ports with reads, writes, partial writes, atomics and reductions over few lines.
Scripts mixed_scripts(std::uint32_t length) {
  Scripts scripts(4);
  std::uint64_t state = 42;
  const auto random = [&state](std::uint64_t below) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return (state >> 33) % below;
  };
  for (std::vector<MemRequest>& script : scripts) {
    for (std::uint32_t i = 0; i < length; ++i) {
      const Address line = (1 << 20) + random(96) * kLineBytes;
      const std::uint8_t sectors = static_cast<std::uint8_t>(1 + random(15));
      const std::uint64_t kind = random(10);
      if (kind < 5) {
        script.push_back(read_of(line, sectors));
      } else if (kind < 7) {
        script.push_back(write_of(line, sectors));
      } else if (kind < 8) {
        script.push_back(write_of(line, sectors, 0xff));
        script.back().wants_ack = false;
      } else {
        const std::uint8_t depth = static_cast<std::uint8_t>(1 + random(4));
        script.push_back(atomic_of(kind == 8 ? MemOp::kAtomic : MemOp::kReduction, line, depth, depth));
      }
    }
  }
  return scripts;
}

MemoryConfig roomy() {
  MemoryConfig config = tiny_memory();
  config.l2.num_sets = 64;
  config.l2.num_ways = 4;
  return config;
}

}  // namespace

TEST_CASE("Memory: latency is the sum of the configured latencies of the way taken") {
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
  CHECK(world.latency(1, read_of(near)) == 120);  // far for the other partition
  CHECK(world.served_by(1) == ServedBy::kL2Far);
  CHECK(world.latency(1, read_of(near)) == 50);
}

TEST_CASE("Memory: slices and GPCs at a distance add their share of the spread") {
  MemoryConfig config = tiny_memory();
  config.crossbar.slice_latency_spread_cycles = 7;
  config.crossbar.gpc_latency_spread_cycles = 3;
  MemoryWorld world(config);
  std::uint32_t seen = 0;
  for (std::uint32_t n = 0; n < 4; ++n) {
    const Address line = world.line_in(1, n);
    world.latency(1, read_of(line));
    const std::uint32_t slice = world.map.home_of(line).slice_in_partition;
    CHECK(world.latency(1, read_of(line)) == 50 + 3 + slice * 7);  // port 1 sits in the farther GPC
    seen |= 1U << slice;
  }
  CHECK(seen == 3);
}

TEST_CASE("Memory: a write is acknowledged by its home slice") {
  MemoryWorld world(tiny_memory());
  // Before the acknowledgement the data port takes 128 bytes in two cycles.
  CHECK(world.latency(0, write_of(world.line_in(0))) == 52);
  CHECK(world.served_by(0) == ServedBy::kL2Near);
  CHECK(world.latency(0, write_of(world.line_in(1))) == 122);
  CHECK(world.served_by(0) == ServedBy::kL2Far);
}

TEST_CASE("Memory: a written sector is read without DRAM, a partly written one is completed from it") {
  MemoryWorld world(tiny_memory());
  const Address line = world.line_in(0);
  world.latency(0, write_of(line, 0x1));
  world.latency(0, write_of(line, 0x2, 0xff));
  CHECK(world.latency(0, read_of(line, 0x1)) == 50);
  CHECK(world.total("dram_channel.reads") == 0);
  CHECK(world.latency(0, read_of(line, 0x2)) == 115);
  CHECK(world.latency(0, read_of(line, 0x2)) == 50);
  CHECK(world.total("dram_channel.bytes_read") == 32);
}

TEST_CASE("Memory: a request that hits in part is answered in parts") {
  MemoryWorld world(tiny_memory());
  const Address line = world.line_in(0);
  world.latency(0, read_of(line, 0x1));
  world.run({{read_of(line, 0x3)}});
  const auto& answers = world.ports[0]->answers();
  REQUIRE(answers.size() == 2);
  CHECK(answers[0].response.sector_mask == 0x1);
  CHECK(answers[0].response.served_by == ServedBy::kL2Near);
  CHECK(answers[0].latency() == 50);
  CHECK(answers[1].response.sector_mask == 0x2);
  CHECK(answers[1].response.served_by == ServedBy::kDram);
  CHECK(answers[1].latency() == 105);  // the row is open: no t_rcd
}

TEST_CASE("Memory: sectors are counted at every slice that looks them up") {
  MemoryWorld world(roomy());
  // 32 lines, half of them far: reads miss near and, the far ones, at home; as in public.csv vecadd.
  world.run({stream(1 << 20, 32)});
  CHECK(world.total("l2_slice.from_l1.requests") == 32);
  CHECK(world.total("l2_slice.from_l1.read_sectors") == 128);
  CHECK(world.total("l2_slice.from_l1.miss_sectors") == 128);
  CHECK(world.total("l2_slice.from_fabric.read_sectors") == 64);
  CHECK(world.total("l2_slice.from_fabric.miss_sectors") == 64);
  CHECK(world.total("dram_channel.bytes_read") == 4096);
  world.stats.reset();
  // Writes count as hits, near and, the far ones, once more at home; nothing goes to DRAM.
  world.run({stream(1 << 21, 32, MemOp::kWrite)});
  CHECK(world.total("l2_slice.from_l1.write_sectors") == 128);
  CHECK(world.total("l2_slice.from_l1.hit_sectors") == 128);
  CHECK(world.total("l2_slice.from_fabric.write_sectors") == 64);
  CHECK(world.total("l2_slice.from_fabric.hit_sectors") == 64);
  CHECK(world.total("dram_channel.bytes_read") == 0);
  CHECK(world.total("dram_channel.bytes_written") == 0);
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

TEST_CASE("Memory: a fill of 64 bytes brings the neighbour, which counts as a miss") {
  MemoryConfig config = tiny_memory();
  config.l2.fill_bytes = 64;
  config.dram.burst_bytes = 64;
  MemoryWorld world(config);
  const Address line = world.line_in(0);
  world.latency(0, read_of(line, 0x1));
  CHECK(world.latency(0, read_of(line, 0x2)) == 50);
  CHECK(world.total("dram_channel.bytes_read") == 64);
  CHECK(world.total("l2_slice.from_l1.miss_sectors") == 2);
  CHECK(world.total("l2_slice.from_l1.read_sectors") == 2);
}

TEST_CASE("Memory: misses of one sector merge and count as hits") {
  MemoryWorld world(tiny_memory(), 4);
  const Address line = world.line_in(0);
  world.run({{read_of(line)}, {}, {read_of(line)}});
  CHECK(world.total("dram_channel.reads") == 1);
  CHECK(world.total("l2_slice.merged_sectors") == 1);
  CHECK(world.total("l2_slice.from_l1.hit_sectors") == 1);
  CHECK(world.ports[2]->answers().back().response.served_by == ServedBy::kDram);
}

TEST_CASE("Memory: the request coalescer of a GPC sends one of two equal reads to L2") {
  MemoryConfig config = tiny_memory();
  config.crossbar.coalescer.enabled = true;
  MemoryWorld world(config, 4);
  const Address line = world.line_in(0);
  world.run({{read_of(line, 0xf)}, {}, {read_of(line, 0x3)}});
  CHECK(world.total("crossbar.merged_requests") == 1);
  CHECK(world.total("crossbar.merged_sectors") == 2);
  CHECK(world.total("l2_slice.from_l1.requests") == 1);
  REQUIRE(world.ports[2]->answers().size() == 1);
  CHECK(world.ports[2]->answers()[0].response.sector_mask == 0x3);
}

TEST_CASE("Memory: replaced dirty lines are written to DRAM, and are found there again") {
  MemoryWorld world(tiny_memory());  // 2 slices x 4 sets x 2 ways = 16 lines a partition
  world.run({stream(1 << 20, 64, MemOp::kWrite)});
  CHECK(world.total("l2_slice.writeback_sectors") == world.total("dram_channel.bytes_written") / 32);
  CHECK(world.total("l2_slice.writeback_sectors") == (64 - 32) * 4);
  world.latency(0, read_of(1 << 20));
  CHECK(world.served_by(0) == ServedBy::kDram);
}

TEST_CASE("Memory: atomics run at the home slice, lanes on one address one by one") {
  MemoryWorld world(roomy());
  const Address line = world.line_in(0);
  world.latency(0, read_of(line));
  CHECK(world.latency(0, atomic_of(MemOp::kAtomic, line, 1, 1)) == 52);  // two for the operation
  CHECK(world.served_by(0) == ServedBy::kL2Near);
  CHECK(world.latency(1, atomic_of(MemOp::kAtomic, line, 1, 1)) == 122);
  world.stats.reset();
  // 20 x 32 operations of two cycles behind a latency of 50.
  const Cycle cycles = world.run({std::vector<MemRequest>(20, atomic_of(MemOp::kReduction, line, 32, 32))});
  CHECK(cycles == 20 * 64 + 50);
  CHECK(world.total("l2_slice.from_l1.reduction_sectors") == 640);
  CHECK(world.total("l2_slice.atomic_operations") == 640);
}

TEST_CASE("Memory: an atomic of a line that is not in L2 fetches its sector first") {
  MemoryWorld world(tiny_memory());
  CHECK(world.latency(0, atomic_of(MemOp::kAtomic, world.line_in(0), 1, 1)) == 117);
  CHECK(world.total("dram_channel.bytes_read") == 32);
}

TEST_CASE("Memory: a far atomic or write makes the near copy out of date") {
  MemoryWorld world(roomy());
  const Address far = world.line_in(1);
  world.latency(0, read_of(far));
  world.latency(0, atomic_of(MemOp::kAtomic, far, 1, 1));
  CHECK(world.latency(0, read_of(far)) == 120);
  world.latency(0, write_of(far, 0x1));
  CHECK(world.latency(0, read_of(far)) == 120);
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

TEST_CASE("Memory: a stream of near hits runs at the port's rate") {
  MemoryConfig config = roomy();
  config.crossbar.gpc_response_bytes_per_cycle = 1000;
  MemoryWorld world(config);
  world.run({stream(1 << 20, 64)});
  const Cycle cycles = world.run({stream(1 << 20, 64)});
  // 64 lines of 128 bytes at 64 bytes a cycle behind a latency of 50.
  CHECK(cycles >= 50 + 63 * 2);
  CHECK(cycles <= 50 + 63 * 2 + 8);
}

TEST_CASE("Memory: a cold stream runs at the rate of the DRAM channels") {
  MemoryConfig config = roomy();
  config.l2.mshr_entries = 64;
  config.l2.far_mshr_entries = 64;
  config.crossbar.port_request_bytes_per_cycle = 1000;
  config.crossbar.port_response_bytes_per_cycle = 1000;
  config.crossbar.gpc_request_bytes_per_cycle = 1000;
  config.crossbar.gpc_response_bytes_per_cycle = 1000;
  config.l2_fabric.bytes_per_cycle = 1000;
  config.dram.read_queue_entries = 64;
  config.dram.slice_queue_entries = 64;
  MemoryWorld world(config);
  const Cycle cycles = world.run({stream(1 << 20, 256)});
  // 256 lines of four bursts of two cycles over two channels: 1024 cycles of data.
  CHECK(world.total("dram_channel.data_bus_cycles") == 2048);
  CHECK(cycles >= 1024);
  CHECK(cycles <= 1024 + 1024 / 4);
}

TEST_CASE("Memory: idealisations make it faster") {
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
    base.l2_fabric.bytes_per_cycle = 4;
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
    base.address_map = {1, 4, 2, 128, 1024, 2, 2};
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

TEST_CASE("Memory: with every queue as short as can be each request is still answered once") {
  MemoryConfig config = tiny_memory();
  config.crossbar.port_queue_entries = 1;
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
            400000);  // the ports refuse a sector answered twice, the world an unanswered request
  CHECK(world.total("crossbar.requests") == 400);
}

TEST_CASE("Memory: nothing is due once all is answered") {
  MemoryWorld world(tiny_memory());
  world.run({stream(1 << 20, 20, MemOp::kWrite)});
  CHECK(world.engine.run() == Engine::Outcome::kNothingDue);
  CHECK(world.engine.describe_stalls().empty());
}

}  // namespace warpsim::testing
