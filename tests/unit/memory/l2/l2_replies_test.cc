#include "memory/l2/l2_replies.h"

#include <catch2/catch.hpp>
#include <utility>

#include "unit/memory/l2_bench.h"

// The data port moves 64 bytes per cycle, one sector of an atomic passes per cycle.
namespace warpsim::testing {
namespace {

L2Waiter waiter_for(MemOp op, std::uint32_t tag, bool from_fabric = false) {
  L2Waiter waiter;
  waiter.op = op;
  waiter.tag = tag;
  waiter.source = 3;
  waiter.from_fabric = from_fabric;
  return waiter;
}

}  // namespace

TEST_CASE("L2 replies: data leave at the rate of the data port") {
  L2Bench bench;
  bench.replies.add(waiter_for(MemOp::kRead, 1), 0xf, ServedBy::kL2Near, 100);  // 128 bytes: two cycles
  bench.replies.add(waiter_for(MemOp::kRead, 2), 0x1, ServedBy::kL2Near, 100);
  CHECK(bench.replies.send(100) == 102);
  CHECK(bench.replies.waiting() == 1);
  CHECK(bench.replies.data_backlog(100) == 2);
  CHECK(bench.replies.send(101) == 102);
  CHECK(bench.replies.waiting() == 1);
  CHECK(bench.replies.send(102) == kNever);
  CHECK(bench.replies.size() == 0);
  const SliceResponse first = L2Bench::take(bench.to_crossbar, 101);
  CHECK(first.mem.tag == 1);
  CHECK(first.mem.destination == 3);
  CHECK(first.mem.sector_mask == 0xf);
  CHECK(L2Bench::take(bench.to_crossbar, 103).mem.tag == 2);
}

TEST_CASE("L2 replies: an acknowledgement takes eight bytes of the data port") {
  L2Bench bench;
  for (std::uint32_t tag = 0; tag < 9; ++tag) {
    bench.replies.add(waiter_for(MemOp::kWrite, tag), 0xf, ServedBy::kL2Near, 100);
  }
  bench.replies.send(100);  // eight fill the link and the cycle
  CHECK(bench.replies.waiting() == 1);
  CHECK(bench.replies.data_backlog(100) == 1);
}

TEST_CASE("L2 replies: an atomic leaves when it has been executed, and reads pass it") {
  L2Bench bench;
  bench.replies.add(waiter_for(MemOp::kAtomic, 1), 0x1, ServedBy::kL2Near, 110);
  bench.replies.add(waiter_for(MemOp::kReduction, 2), 0x1, ServedBy::kL2Near, 105);
  bench.replies.add(waiter_for(MemOp::kRead, 3), 0x1, ServedBy::kL2Near, 100);
  CHECK(bench.replies.send(100) == 110);
  CHECK(L2Bench::take(bench.to_crossbar, 101).mem.tag == 3);
  CHECK(bench.replies.waiting() == 0);
  CHECK(bench.replies.size() == 2);
  CHECK(bench.replies.send(109) == 110);
  bench.replies.send(110);
  CHECK(L2Bench::take(bench.to_crossbar, 111).mem.tag == 1);
  CHECK(L2Bench::take(bench.to_crossbar, 111).mem.tag == 2);  // executed before, held up by the first
}

TEST_CASE("L2 replies: atomics to the crossbar have a rate of their own") {
  L2Config config = tiny_l2();
  config.atomic_reply_cycles = 5;
  L2Bench bench(config);
  for (std::uint32_t tag = 0; tag < 2; ++tag) {
    bench.replies.add(waiter_for(MemOp::kAtomic, tag), 0x1, ServedBy::kL2Near, 100);
  }
  CHECK(bench.replies.send(100) == 105);
  CHECK(bench.replies.size() == 1);
  CHECK(bench.replies.send(104) == 105);
  bench.replies.send(105);
  CHECK(bench.replies.size() == 0);
}

TEST_CASE("L2 replies: requests of the fabric are answered through it") {
  L2Bench bench;
  bench.replies.add(waiter_for(MemOp::kRead, 1, true), 0x1, ServedBy::kL2Far, 100);
  bench.replies.send(100);
  CHECK(bench.to_crossbar.empty());
  CHECK(L2Bench::take(bench.fabric_replies, 101).mem.served_by == ServedBy::kL2Far);
}

TEST_CASE("L2 replies: replies that wait for the fabric delay none to the crossbar") {
  L2Bench bench(tiny_l2(), 1);
  for (std::uint32_t tag = 0; tag < 3; ++tag) {
    bench.replies.add(waiter_for(MemOp::kRead, tag, true), 0x1, ServedBy::kL2Far, 100);
  }
  bench.replies.add(waiter_for(MemOp::kRead, 7), 0x1, ServedBy::kL2Near, 100);
  bench.replies.send(100);
  CHECK(bench.replies.waiting_for_fabric() == 2);
  CHECK(bench.replies.waiting_for_crossbar() == 0);
  CHECK(L2Bench::take(bench.to_crossbar, 101).mem.tag == 7);
}

TEST_CASE("L2 replies: replies to the crossbar and to the fabric use the data port in turn") {
  L2Bench bench;
  for (std::uint32_t tag = 0; tag < 2; ++tag) {
    bench.replies.add(waiter_for(MemOp::kRead, tag), 0x3, ServedBy::kL2Near, 100);  // 64 bytes: a cycle
    bench.replies.add(waiter_for(MemOp::kRead, tag, true), 0x3, ServedBy::kL2Far, 100);
  }
  const auto waiting = [&bench](Cycle now) {
    bench.replies.send(now);
    return std::pair(bench.replies.waiting_for_crossbar(), bench.replies.waiting_for_fabric());
  };
  CHECK(waiting(100) == std::pair<std::size_t, std::size_t>(1, 2));
  CHECK(waiting(101) == std::pair<std::size_t, std::size_t>(1, 1));
  CHECK(waiting(102) == std::pair<std::size_t, std::size_t>(0, 1));
  CHECK(waiting(103) == std::pair<std::size_t, std::size_t>(0, 0));
}

TEST_CASE("L2 replies: replies of the home slice are passed on to the requester") {
  L2Bench bench;
  SliceResponse response;
  response.mem = {9, 3, MemOp::kAtomic, 0x1, ServedBy::kL2Far};
  bench.replies.pass_on(response);
  response.mem = {8, 3, MemOp::kWrite, 0x1, ServedBy::kL2Far};
  bench.replies.pass_on(response);
  CHECK(bench.replies.waiting() == 1);  // the atomic has a queue of its own
  bench.replies.send(100);
  CHECK(L2Bench::take(bench.to_crossbar, 101).mem.tag == 9);
  CHECK(L2Bench::take(bench.to_crossbar, 101).mem.tag == 8);
}

TEST_CASE("L2 replies: a reply that the link refuses waits for the link") {
  L2Bench bench(tiny_l2(), 1);
  bench.replies.add(waiter_for(MemOp::kRead, 1), 0x1, ServedBy::kL2Near, 100);
  bench.replies.add(waiter_for(MemOp::kRead, 2), 0x1, ServedBy::kL2Near, 100);
  CHECK(bench.replies.send(100) == kNever);
  CHECK(bench.replies.waiting() == 1);
  L2Bench::take(bench.to_crossbar, 101);
  bench.replies.send(102);
  CHECK(bench.replies.waiting() == 0);
}

}  // namespace warpsim::testing
