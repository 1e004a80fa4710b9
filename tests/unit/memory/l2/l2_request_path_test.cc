#include "memory/l2/l2_request_path.h"

#include <catch2/catch.hpp>

#include "unit/memory/l2_bench.h"

namespace warpsim::testing {
namespace {

SliceRequest from_l1(const MemRequest& request, std::uint32_t tag) {
  SliceRequest message{request, 0, 0, 0};
  message.mem.tag = tag;
  return message;
}
std::uint32_t next_reply(L2Bench& bench, Cycle now) {
  bench.replies.send(now);
  return L2Bench::take(bench.to_crossbar, now + 1).mem.tag;
}

}  // namespace

TEST_CASE("L2 request path: one request is looked up per cycle") {
  L2Bench bench;
  bench.fill(bench.line(), 0x1);
  bench.from_crossbar.send(from_l1(read_of(bench.line()), 1), 99);
  bench.from_crossbar.send(from_l1(read_of(bench.line()), 2), 99);
  CHECK(bench.requests.next_arrival(99) == 100);
  CHECK(bench.requests.take(99) == kNever);  // not arrived yet
  CHECK(bench.requests.take(100) == 101);
  CHECK(bench.requests.waiting() == 1);
  CHECK(bench.replies.waiting() == 1);
  CHECK(bench.requests.take(101) == kNever);
  CHECK(bench.requests.waiting() == 0);
  CHECK(bench.stats[0].from_l1.requests.value() == 2);
  CHECK(bench.stats[0].from_l1.hit_sectors.value() == 2);
  CHECK(bench.stats[0].request_wait.sum() == 1);
}

TEST_CASE("L2 request path: crossbar and fabric take turns, and are counted apart") {
  L2Bench bench;
  bench.fill(bench.line(), 0x1);
  for (std::uint32_t tag = 0; tag < 2; ++tag) {
    bench.from_crossbar.send(from_l1(read_of(bench.line()), tag), 99);
    bench.fabric_in.send(from_l1(read_of(bench.line()), tag), 99);
  }
  const auto left = [&bench] { return std::pair(bench.from_crossbar.size(), bench.fabric_in.size()); };
  bench.requests.take(100);
  CHECK(left() == std::pair<std::size_t, std::size_t>(2, 1));
  bench.requests.take(101);
  CHECK(left() == std::pair<std::size_t, std::size_t>(1, 1));
  bench.requests.take(102);
  CHECK(left() == std::pair<std::size_t, std::size_t>(1, 0));
  CHECK(bench.stats[0].from_fabric.read_sectors.value() == 2);
  CHECK(bench.stats[0].from_l1.read_sectors.value() == 1);
}

TEST_CASE("L2 request path: present sectors of a read are answered, absent ones fetched") {
  L2Bench bench;
  bench.fill(bench.line(), 0x1);
  bench.from_crossbar.send(from_l1(read_of(bench.line(), 0x3), 1), 99);
  bench.requests.take(100);
  CHECK(L2Bench::take(bench.to_dram, 101).sector_mask == 0x2);
  bench.replies.send(100);
  const SliceResponse answer = L2Bench::take(bench.to_crossbar, 101);
  CHECK(answer.mem.sector_mask == 0x1);
  CHECK(answer.mem.served_by == ServedBy::kL2Near);
}

TEST_CASE("L2 request path: the other partition waits for all sectors") {
  L2Bench bench;
  bench.fill(bench.line(), 0x1);
  bench.fabric_in.send(from_l1(read_of(bench.line(), 0x3), 1), 99);
  bench.requests.take(100);
  CHECK(bench.replies.size() == 0);
  bench.from_dram.send({L2Bench::take(bench.to_dram, 101).tag, 0x2}, 150);
  bench.misses.take_fills(151);
  bench.replies.send(151);
  CHECK(L2Bench::take(bench.fabric_replies, 152).mem.sector_mask == 0x3);
}

TEST_CASE("L2 request path: a request that finds no MSHR stays first in its link") {
  L2Config config = tiny_l2();
  config.mshr_entries = 1;
  L2Bench bench(config);
  bench.fill(bench.line(0, 2), 0x1);
  for (std::uint32_t n = 0; n < 3; ++n) {
    bench.from_crossbar.send(from_l1(read_of(bench.line(0, n)), n), 99);
  }
  bench.requests.take(100);
  CHECK(bench.requests.take(101) == kNever);
  CHECK(bench.requests.waiting() == 2);  // the hit does not pass the miss
  CHECK(bench.stats[0].from_l1.requests.value() == 1);
  bench.from_dram.send({L2Bench::take(bench.to_dram, 101).tag, 0x1}, 150);
  bench.misses.take_fills(151);
  bench.requests.take(151);
  CHECK(bench.requests.waiting() == 1);
}

TEST_CASE("L2 request path: lookups stop while the maximum of replies waits") {
  L2Config config = tiny_l2();
  config.reply_queue_entries = 2;
  L2Bench bench(config);
  bench.fill(bench.line(), 0x1);
  for (std::uint32_t tag = 0; tag < 4; ++tag) {
    bench.from_crossbar.send(from_l1(read_of(bench.line()), tag), 99);
  }
  bench.requests.take(100);
  bench.requests.take(101);
  CHECK(bench.requests.take(102) == kNever);
  CHECK(bench.requests.waiting() == 2);
  CHECK(next_reply(bench, 102) == 0);
  bench.requests.take(103);
  CHECK(bench.requests.waiting() == 1);
}

TEST_CASE("L2 request path: replies that wait for the fabric stop requests from there only") {
  L2Config config = tiny_l2();
  config.reply_queue_entries = 1;
  L2Bench bench(config);
  bench.fill(bench.line(), 0x1);
  for (std::uint32_t tag = 0; tag < 2; ++tag) {
    bench.fabric_in.send(from_l1(read_of(bench.line()), tag), 99);
  }
  bench.from_crossbar.send(from_l1(read_of(bench.line()), 7), 99);
  bench.requests.take(100);
  bench.requests.take(101);
  CHECK(bench.fabric_in.size() == 1);
  CHECK(bench.from_crossbar.empty());
  CHECK(bench.requests.take(102) == kNever);
  CHECK(bench.replies.waiting_for_fabric() == 1);
  CHECK(bench.replies.waiting_for_crossbar() == 1);
}

TEST_CASE("L2 request path: lookups stop while the maximum of write-backs waits") {
  L2Config config = tiny_l2();
  config.keeps_lines = false;  // each write is written back
  config.writeback_queue_entries = 2;
  L2Bench bench(config);
  for (std::uint32_t n = 0; n < 3; ++n) {
    bench.from_crossbar.send(from_l1(write_of(bench.line(0, n), 0x1), n), 99);
  }
  bench.requests.take(100);
  bench.requests.take(101);
  CHECK(bench.array.writebacks() == 2);
  CHECK(bench.requests.take(102) == kNever);
  CHECK(bench.requests.waiting() == 1);
  bench.array.send_writebacks(bench.to_dram, 102);
  bench.requests.take(103);
  CHECK(bench.requests.waiting() == 0);
}

TEST_CASE("L2 request path: requests from the crossbar occupy the input with their bytes") {
  L2Config config = tiny_l2();
  config.request_bytes_per_cycle = 4;
  config.reply_queue_entries = 8;
  L2Bench bench(config);
  for (std::uint32_t n = 0; n < 2; ++n) {
    SliceRequest request = from_l1(write_of(bench.line(0, n)), n);
    request.bytes = 128;
    bench.from_crossbar.send(request, 99);
  }
  // 128 bytes take 32 cycles, of which 8 may wait: the second is looked up when less is left.
  bench.requests.take(100);
  CHECK(bench.requests.take(101) == 101 + 1 + 31 - 8);
  CHECK(bench.requests.take(124) == 125);
  CHECK(bench.requests.waiting() == 1);
  bench.requests.take(125);
  CHECK(bench.requests.waiting() == 0);
  CHECK(bench.requests.written().latest(0) == 125);
}

TEST_CASE("L2 request path: requests from the fabric pass an input that bytes from the crossbar occupy") {
  L2Config config = tiny_l2();
  config.request_bytes_per_cycle = 4;
  config.reply_queue_entries = 8;
  L2Bench bench(config);
  bench.fill(bench.line(), 0x1);
  for (std::uint32_t n = 0; n < 2; ++n) {
    SliceRequest request = from_l1(write_of(bench.line(0, n)), n);
    request.bytes = 128;
    bench.from_crossbar.send(request, 99);
  }
  bench.requests.take(100);
  bench.fabric_in.send(from_l1(read_of(bench.line()), 7), 100);
  bench.requests.take(101);
  CHECK(bench.fabric_in.empty());
  CHECK(bench.from_crossbar.size() == 1);
}

TEST_CASE("L2 request path: a far write goes on to its home slice, which answers") {
  L2Bench bench;
  const Address far = bench.line(1);
  bench.fill(far, 0xf);
  bench.from_crossbar.send(from_l1(write_of(far, 0x1), 1), 99);
  bench.requests.take(100);
  CHECK(bench.valid(far) == 0xe);
  CHECK(L2Bench::take(bench.fabric_out, 101).mem.op == MemOp::kWrite);
  CHECK(bench.replies.size() == 0);
  CHECK(bench.requests.written().latest(0) == 0);
  CHECK(bench.stats[0].from_l1.write_sectors.value() == 1);
}

TEST_CASE("L2 request path: atomics of a full unit wait for it") {
  L2Config config = tiny_l2();
  config.atomic_queue_cycles = 2;  // one atomic on part of a sector
  L2Bench bench(config);
  bench.fill(bench.line(), 0x1);
  for (std::uint32_t tag = 0; tag < 3; ++tag) {
    bench.from_crossbar.send(from_l1(atomic_of(MemOp::kReduction, bench.line()), tag), 99);
  }
  bench.requests.take(100);
  CHECK(bench.requests.written().latest(0) == 102);
  bench.requests.take(101);  // one cycle of work is left
  CHECK(bench.requests.written().latest(0) == 104);
  CHECK(bench.requests.take(102) == 103);
  CHECK(bench.requests.waiting() == 1);
  bench.requests.take(103);
  CHECK(bench.requests.waiting() == 0);
  CHECK(bench.stats[0].from_l1.reduction_sectors.value() == 3);
  CHECK(bench.stats[0].atomic_operations.value() == 3);
}

TEST_CASE("L2 request path: each line of a request takes a lookup, its data are answered line by line") {
  L2Config config = tiny_l2();
  config.line_bytes = 64;
  L2Bench bench(config);
  bench.fill(bench.line() + 64, 0xc);
  bench.from_crossbar.send(from_l1(read_of(bench.line(), 0xe), 1), 99);
  CHECK(bench.requests.take(100) == 101);  // the lower half, which is absent
  CHECK(bench.requests.waiting() == 1);
  CHECK(bench.replies.waiting() == 0);
  bench.requests.take(101);
  CHECK(bench.requests.waiting() == 0);
  CHECK(bench.replies.waiting() == 1);
  const DramRequest request = L2Bench::take(bench.to_dram, 102);
  CHECK(request.sector_mask == 0x2);
  CHECK(bench.stats[0].from_l1.requests.value() == 1);
  CHECK(bench.stats[0].from_l1.read_sectors.value() == 3);
  CHECK(bench.stats[0].from_l1.hit_sectors.value() == 2);
}

TEST_CASE("L2 request path: a write of several lines is acknowledged line by line, and counted once") {
  L2Config config = tiny_l2();
  config.line_bytes = 32;
  config.num_ways = 4;
  L2Bench bench(config);
  MemRequest write = write_of(bench.line(), 0xf);
  write.wants_ack = true;
  bench.from_crossbar.send(from_l1(write, 1), 99);
  for (Cycle now = 100; now < 104; ++now) {
    CHECK(bench.requests.waiting() == 1);
    CHECK(bench.requests.written().completed(0) == 0);
    bench.requests.take(now);
  }
  CHECK(bench.requests.waiting() == 0);
  CHECK(bench.requests.written().completed(0) == 1);
  CHECK(bench.replies.size() == 4);
  for (Address part = 0; part < 4; ++part) {
    CHECK(bench.valid(bench.line() + part * 32) == 1U << part);
  }
}

TEST_CASE("L2 request path: a far write of several lines goes on as one") {
  L2Config config = tiny_l2();
  config.line_bytes = 64;
  L2Bench bench(config);
  bench.from_crossbar.send(from_l1(write_of(bench.line(1), 0xf), 1), 99);
  bench.requests.take(100);
  bench.requests.take(101);
  CHECK(bench.requests.waiting() == 0);
  const SliceRequest onward = L2Bench::take(bench.fabric_out, 102);
  CHECK(onward.mem.line == bench.line(1));
  CHECK(onward.mem.sector_mask == 0xf);
  CHECK(bench.fabric_out.size() == 0);
}

}  // namespace warpsim::testing
