#include "memory/l2/l2_slice.h"

#include <catch2/catch.hpp>

#include "unit/memory/memory_scripts.h"

namespace warpsim::testing {

TEST_CASE("L2 slice: a written sector is read without DRAM, a partly written one is completed from it") {
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

TEST_CASE("L2 slice: a request with a partial hit is answered in parts") {
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

TEST_CASE("L2 slice: sectors are counted at every slice that looks them up") {
  MemoryWorld world(roomy());
  // 32 lines, half of them far: all reads miss in the near slice, the far ones also at home; as in public.csv vecadd.
  world.run({stream(1 << 20, 32)});
  CHECK(world.total("l2_slice.from_l1.requests") == 32);
  CHECK(world.total("l2_slice.from_l1.read_sectors") == 128);
  CHECK(world.total("l2_slice.from_l1.miss_sectors") == 128);
  CHECK(world.total("l2_slice.from_fabric.read_sectors") == 64);
  CHECK(world.total("l2_slice.from_fabric.miss_sectors") == 64);
  CHECK(world.total("dram_channel.bytes_read") == 4096);
  world.stats[0].reset();
  // Writes count as hits in the near slice, the far ones also at home; nothing goes to DRAM.
  world.run({stream(1 << 21, 32, MemOp::kWrite)});
  CHECK(world.total("l2_slice.from_l1.write_sectors") == 128);
  CHECK(world.total("l2_slice.from_l1.hit_sectors") == 128);
  CHECK(world.total("l2_slice.from_fabric.write_sectors") == 64);
  CHECK(world.total("l2_slice.from_fabric.hit_sectors") == 64);
  CHECK(world.total("dram_channel.bytes_read") == 0);
  CHECK(world.total("dram_channel.bytes_written") == 0);
}

TEST_CASE("L2 slice: a fill of 64 bytes fetches the neighbour, which counts as a miss") {
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

TEST_CASE("L2 slice: misses of one sector merge and count as hits") {
  MemoryWorld world(tiny_memory(), 4);
  const Address line = world.line_in(0);
  world.run({{read_of(line)}, {}, {read_of(line)}});
  CHECK(world.total("dram_channel.reads") == 1);
  CHECK(world.total("l2_slice.merged_sectors") == 1);
  CHECK(world.total("l2_slice.from_l1.hit_sectors") == 1);
  CHECK(world.ports[2]->answers().back().response.served_by == ServedBy::kDram);
}

TEST_CASE("L2 slice: replaced dirty lines are written to DRAM, and are found there again") {
  MemoryWorld world(tiny_memory());  // 2 slices x 4 sets x 2 ways = 16 lines per partition
  world.run({stream(1 << 20, 64, MemOp::kWrite)});
  CHECK(world.total("l2_slice.writeback_sectors") == world.total("dram_channel.bytes_written") / 32);
  CHECK(world.total("l2_slice.writeback_sectors") == (64 - 32) * 4);
  world.latency(0, read_of(1 << 20));
  CHECK(world.served_by(0) == ServedBy::kDram);
}

TEST_CASE("L2 slice: atomics run at the home slice, one after another") {
  MemoryWorld world(roomy());
  const Address line = world.line_in(0);
  world.latency(0, read_of(line));
  CHECK(world.latency(0, atomic_of(MemOp::kAtomic, line)) == 52);  // two for the operation
  CHECK(world.served_by(0) == ServedBy::kL2Near);
  CHECK(world.latency(1, atomic_of(MemOp::kAtomic, line)) == 122);
  world.stats[0].reset();
  // 640 operations of two cycles after a latency of 50.
  const Cycle cycles = world.run({std::vector<MemRequest>(640, atomic_of(MemOp::kReduction, line))});
  CHECK(cycles == 640 * 2 + 50);
  CHECK(world.total("l2_slice.from_l1.reduction_sectors") == 640);
  CHECK(world.total("l2_slice.from_l1.requests") == 640);
  CHECK(world.total("l2_slice.atomic_operations") == 640);
}

TEST_CASE("L2 slice: an operation on all words of a sector takes the time of a full sector") {
  MemoryWorld world(roomy());
  const Address line = world.line_in(0);
  world.latency(0, read_of(line, 0xf));
  MemRequest request = atomic_of(MemOp::kReduction, line);
  request.single_lane = false;
  request.sector_mask = 0x3;
  request.byte_mask = {0xffffffffU, 0x0fffffffU, 0, 0};
  // 100 requests of one full sector, one cycle, and one without its last word, two cycles.
  CHECK(world.run({std::vector<MemRequest>(100, request)}) == 100 * 3 + 50);
  CHECK(world.total("l2_slice.atomic_operations") == 200);
}

TEST_CASE("L2 slice: an atomic is answered later than a read by its own latency") {
  MemoryConfig config = roomy();
  config.l2.atomic_latency_cycles = 7;
  MemoryWorld world(config);
  const Address line = world.line_in(0);
  world.latency(0, read_of(line));
  CHECK(world.latency(0, atomic_of(MemOp::kAtomic, line)) == 52 + 7);
}

TEST_CASE("L2 slice: responses of atomics leave at the rate of their own port") {
  MemoryConfig config = roomy();
  config.l2.atomic_reply_cycles = 5;
  MemoryWorld world(config);
  const Address line = world.line_in(0);
  world.latency(0, read_of(line));
  CHECK(world.run({std::vector<MemRequest>(100, atomic_of(MemOp::kAtomic, line))}) == 99 * 5 + 52);
}

TEST_CASE("L2 slice: an atomic of a line that is not in L2 fetches its sector first") {
  MemoryWorld world(tiny_memory());
  CHECK(world.latency(0, atomic_of(MemOp::kAtomic, world.line_in(0))) == 117);
  CHECK(world.total("dram_channel.bytes_read") == 32);
}

TEST_CASE("L2 slice: the other partition gets one response, after the requested neighbour has arrived from DRAM") {
  MemoryConfig config = roomy();
  const Address far = MemoryWorld(config).line_in(1);
  const auto latency_behind_write = [&far](const MemoryConfig& chosen) {
    MemoryWorld world(chosen);
    world.latency(1, write_of(far, 0x1));  // at home there
    return world.latency(0, read_of(far, 0x1));
  };
  CHECK(latency_behind_write(config) == 120);
  config.l2.fill_bytes = 64;
  config.dram.burst_bytes = 64;
  CHECK(latency_behind_write(config) == 185);
}

TEST_CASE("L2 slice: a far atomic or write invalidates the near copy") {
  MemoryWorld world(roomy());
  const Address far = world.line_in(1);
  world.latency(0, read_of(far));
  world.latency(0, atomic_of(MemOp::kAtomic, far));
  CHECK(world.latency(0, read_of(far)) == 120);
  world.latency(0, write_of(far, 0x1));
  CHECK(world.latency(0, read_of(far)) == 120);
}

}  // namespace warpsim::testing
