#include "memory/l2/l2_misses.h"

#include <catch2/catch.hpp>

#include "unit/memory/l2_bench.h"

namespace warpsim::testing {

TEST_CASE("L2 misses: a miss at home goes to DRAM, its fill is kept and answered") {
  L2Bench bench;
  const Address line = bench.line();
  REQUIRE(bench.fetch(read_of(line, 0x3), 100));
  CHECK_FALSE(bench.misses.idle());
  CHECK(bench.misses.outstanding() == 1);
  const DramRequest asked = L2Bench::take(bench.to_dram, 101);
  CHECK(asked.line == line);
  CHECK(asked.sector_mask == 0x3);
  CHECK(asked.wants_reply);
  CHECK(asked.requester == read_of(line, 0x3).source);
  bench.from_dram.send({asked.tag, 0x3}, 150);
  CHECK(bench.misses.next_arrival(150) == 151);
  bench.misses.take_fills(150);
  CHECK(bench.replies.size() == 0);
  bench.misses.take_fills(151);
  CHECK(bench.misses.idle());
  CHECK(bench.valid(line) == 0x3);
  CHECK(bench.stats[0].dram_fill_sectors.value() == 2);
  CHECK(bench.stats[0].miss_latency.sum() == 51);
  bench.replies.send(151);
  CHECK(L2Bench::take(bench.to_crossbar, 152).mem.served_by == ServedBy::kDram);
}

TEST_CASE("L2 misses: a response in parts answers a request in parts") {
  L2Bench bench;
  REQUIRE(bench.fetch(read_of(bench.line(), 0x3), 100));
  const std::uint32_t tag = L2Bench::take(bench.to_dram, 101).tag;
  bench.from_dram.send({tag, 0x1}, 150);
  bench.from_dram.send({tag, 0x2}, 160);
  bench.misses.take_fills(151);
  CHECK(bench.replies.waiting() == 1);
  CHECK_FALSE(bench.misses.idle());
  bench.misses.take_fills(161);
  CHECK(bench.replies.waiting() == 2);
  CHECK(bench.misses.idle());
}

TEST_CASE("L2 misses: misses of one line request only what is not in flight, and are answered together") {
  L2Bench bench;
  const Address line = bench.line();
  REQUIRE(bench.fetch(read_of(line, 0x1), 100));
  REQUIRE(bench.fetch(read_of(line, 0x3), 101));
  const std::uint32_t tag = L2Bench::take(bench.to_dram, 101).tag;
  CHECK(L2Bench::take(bench.to_dram, 102).sector_mask == 0x2);
  CHECK(bench.stats[0].merged_sectors.value() == 1);
  CHECK(bench.stats[0].from_l1.hit_sectors.value() == 1);
  CHECK(bench.stats[0].from_l1.miss_sectors.value() == 2);
  bench.from_dram.send({tag, 0x3}, 150);
  bench.misses.take_fills(151);
  CHECK(bench.replies.waiting() == 2);
}

TEST_CASE("L2 misses: neighbours are fetched with a sector unless they are valid") {
  L2Config config = tiny_l2();
  config.fill_bytes = kLineBytes;
  L2Bench bench(config);
  bench.fill(bench.line(), 0x8);
  REQUIRE(bench.fetch(read_of(bench.line(), 0x1), 100));
  CHECK(L2Bench::take(bench.to_dram, 101).sector_mask == 0x7);
}

TEST_CASE("L2 misses: far lines do not wait for entries of lines at home") {
  L2Config config = tiny_l2();
  config.mshr_entries = 1;
  L2Bench bench(config);
  CHECK(bench.fetch(read_of(bench.line(0, 0)), 100));
  CHECK_FALSE(bench.fetch(read_of(bench.line(0, 1)), 100));
  CHECK(bench.fetch(read_of(bench.line(1)), 100));
  CHECK(bench.misses.outstanding() == 2);
}

TEST_CASE("L2 misses: a miss that the link refuses leaves no entry") {
  L2Bench bench(tiny_l2(), 1);
  CHECK(bench.fetch(read_of(bench.line(0, 0)), 100));
  CHECK_FALSE(bench.fetch(read_of(bench.line(0, 1)), 100));
  CHECK(bench.misses.outstanding() == 1);
}

TEST_CASE("L2 misses: a far miss is a read of its home slice, whose answer is a copy here") {
  L2Bench bench;
  const Address far = bench.line(1);
  REQUIRE(bench.fetch(read_of(far, 0x2), 100));
  const SliceRequest onward = L2Bench::take(bench.fabric_out, 101);
  CHECK(onward.mem.op == MemOp::kRead);
  CHECK(onward.mem.sector_mask == 0x2);
  CHECK(onward.near_slice == 0);
  CHECK(onward.home_slice == 2);  // the first of partition 1
  SliceResponse answer;
  answer.mem = {onward.mem.tag, 0, MemOp::kRead, 0x2, ServedBy::kL2Far};
  bench.fabric_answers.send(answer, 150);
  CHECK(bench.misses.next_arrival(150) == 151);
  bench.misses.take_fills(151);
  CHECK(bench.valid(far) == 0x2);
  CHECK(bench.stats[0].fabric_fill_sectors.value() == 1);
  bench.replies.send(151);
  CHECK(L2Bench::take(bench.to_crossbar, 152).mem.served_by == ServedBy::kL2Far);
}

TEST_CASE("L2 misses: the other partition gets one answer with all of its sectors") {
  L2Bench bench;
  REQUIRE(bench.fetch(read_of(bench.line(), 0x3), 100, true));
  const std::uint32_t tag = L2Bench::take(bench.to_dram, 101).tag;
  bench.from_dram.send({tag, 0x2}, 150);
  bench.from_dram.send({tag, 0x1}, 160);
  bench.misses.take_fills(151);
  CHECK(bench.replies.size() == 0);
  bench.misses.take_fills(161);
  bench.replies.send(161);
  CHECK(L2Bench::take(bench.fabric_replies, 162).mem.sector_mask == 0x3);
}

TEST_CASE(
    "L2 misses: an atomic is executed when its sector has arrived, a reduction without acknowledgement is silent") {
  L2Bench bench;
  MemRequest reduction = atomic_of(MemOp::kReduction, bench.line());
  reduction.wants_ack = false;
  REQUIRE(bench.fetch(atomic_of(MemOp::kAtomic, bench.line()), 100));
  REQUIRE(bench.fetch(reduction, 100));
  CHECK(bench.stats[0].atomic_operations.value() == 0);
  bench.from_dram.send({L2Bench::take(bench.to_dram, 101).tag, 0x1}, 150);
  bench.misses.take_fills(151);
  CHECK(bench.stats[0].atomic_operations.value() == 2);
  CHECK(bench.replies.size() == 1);
}

TEST_CASE("L2 misses: writes and atomics of far lines are forwarded as they are, their replies passed on") {
  L2Bench bench(tiny_l2(), 1);
  const Address far = bench.line(1);
  SliceRequest message{write_of(far, 0x5), 0, 0, 6};
  message.mem.tag = 9;
  REQUIRE(bench.misses.forward(message, bench.place_of(far), 100));
  CHECK_FALSE(bench.misses.forward(message, bench.place_of(far), 100));  // the link is full
  const SliceRequest onward = L2Bench::take(bench.fabric_out, 101);
  CHECK(onward.mem.op == MemOp::kWrite);
  CHECK(onward.mem.tag == 9);
  CHECK(onward.merged == 6);
  CHECK(onward.home_slice == 2);
  SliceResponse answer;
  answer.mem = {9, 0, MemOp::kWrite, 0x5, ServedBy::kL2Far};
  bench.fabric_answers.send(answer, 150);
  bench.misses.take_fills(151);
  CHECK(bench.replies.waiting() == 1);
}

TEST_CASE("L2 misses: without lines nothing merges") {
  L2Config config = tiny_l2();
  config.keeps_lines = false;
  L2Bench bench(config);
  REQUIRE(bench.fetch(read_of(bench.line()), 100));
  REQUIRE(bench.fetch(read_of(bench.line()), 100));
  CHECK(bench.misses.outstanding() == 2);
  CHECK(L2Bench::take(bench.to_dram, 101).tag != L2Bench::take(bench.to_dram, 101).tag);
}

TEST_CASE("L2 misses: a fill counts for the launch of the first request of its line, each answer has its own") {
  L2Bench bench;
  bench.root.add_seat();
  const Address line = bench.line();
  REQUIRE(bench.fetch(of_launch(1, read_of(line, 0x1)), 100));
  REQUIRE(bench.fetch(read_of(line, 0x1), 101));
  const DramRequest asked = L2Bench::take(bench.to_dram, 101);
  CHECK(asked.seat == 1);
  bench.from_dram.send({asked.tag, 0x1}, 150);
  bench.misses.take_fills(151);
  CHECK(bench.stats[0].merged_sectors.value() == 1);
  CHECK(bench.stats[0].from_l1.hit_sectors.value() == 1);
  CHECK(bench.stats[1].from_l1.miss_sectors.value() == 1);
  CHECK(bench.stats[0].dram_fill_sectors.value() == 0);
  CHECK(bench.stats[1].dram_fill_sectors.value() == 1);
  CHECK(bench.stats[1].miss_latency.sum() == 51);
  bench.replies.send(151);
  CHECK(L2Bench::take(bench.to_crossbar, 152).mem.seat == 1);
  CHECK(L2Bench::take(bench.to_crossbar, 152).mem.seat == 0);
}

}  // namespace warpsim::testing
