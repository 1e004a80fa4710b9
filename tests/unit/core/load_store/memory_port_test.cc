#include "core/load_store/memory_port.h"

#include <catch2/catch.hpp>

#include "unit/core/load_store/path_bench.h"

// Space for eight loads or stores, and for eight sectors of atomics.
namespace warpsim::test {
namespace {

MemRequest request_of(MemOp op, std::uint8_t sectors, std::uint32_t tag = 0) {
  MemRequest request;
  request.op = op;
  request.sector_mask = sectors;
  request.tag = tag;
  return request;
}

}  // namespace

TEST_CASE("Memory port: one request is sent per attempt, with the port's number") {
  PathBench bench;
  GrowQueue<L1Cache::Writeback> replaced;
  bench.port.push(request_of(MemOp::kRead, 0x1, 1));
  bench.port.push(request_of(MemOp::kRead, 0x1, 2));
  bench.port.send(replaced, 100);
  CHECK(bench.port.sent_at(100));
  CHECK_FALSE(bench.port.sent_at(101));
  CHECK(bench.port.has_requests());
  REQUIRE(bench.to_memory.has_message(101));
  CHECK(bench.to_memory.front().tag == 1);
  CHECK(bench.to_memory.front().source == 7);
}

TEST_CASE("Memory port: a request that the link refuses is kept") {
  PathBench bench({}, 1);
  GrowQueue<L1Cache::Writeback> replaced;
  bench.port.push(request_of(MemOp::kRead, 0x1));
  bench.port.push(request_of(MemOp::kRead, 0x1));
  bench.port.send(replaced, 100);
  CHECK_FALSE(bench.port.refused());
  bench.port.send(replaced, 101);
  CHECK(bench.port.refused());
  CHECK(bench.port.has_requests());
  bench.to_memory.pop(101);
  bench.port.send(replaced, 102);
  CHECK_FALSE(bench.port.refused());
  CHECK_FALSE(bench.port.has_requests());
}

TEST_CASE("Memory port: replaced lines are written back before requests are sent") {
  PathBench bench;
  GrowQueue<L1Cache::Writeback> replaced;
  replaced.push({0x1000, 0x5});
  bench.port.push(request_of(MemOp::kRead, 0x1));
  bench.port.send(replaced, 100);
  CHECK(replaced.empty());
  CHECK(bench.port.has_requests());
  REQUIRE(bench.to_memory.has_message(101));
  const MemRequest& back = bench.to_memory.front();
  CHECK(back.op == MemOp::kWrite);
  CHECK(back.line == 0x1000);
  CHECK(back.source == 7);
  CHECK(back.byte_mask[0] == 0xffffffffU);
  CHECK(back.byte_mask[1] == 0);
  CHECK_FALSE(back.wants_ack);
}

TEST_CASE("Memory port: loads and stores are limited by their number, atomics by their sectors") {
  PathBench bench;
  for (std::uint32_t load = 0; load < 7; ++load) {
    bench.port.push(request_of(MemOp::kRead, 0xf, load));
  }
  CHECK(bench.port.takes_request());
  bench.port.push(request_of(MemOp::kReduction, 0xf));
  CHECK_FALSE(bench.port.takes_request());
  CHECK(bench.port.takes_atomic(4));
  CHECK_FALSE(bench.port.takes_atomic(5));
  bench.sent(100);
  CHECK(bench.port.takes_request());
  CHECK(bench.port.takes_atomic(8));
  CHECK_FALSE(bench.port.takes_atomic(9));
}

TEST_CASE("Memory port: sectors of loads and atomics are outstanding until they are answered") {
  PathBench bench;
  bench.port.push(request_of(MemOp::kRead, 0xf));
  bench.port.push(request_of(MemOp::kAtomic, 0x3));
  bench.port.push(request_of(MemOp::kWrite, 0xf));
  CHECK(bench.port.outstanding() == 6);
  bench.sent(100);
  CHECK_FALSE(bench.port.idle());
  bench.port.answered({0, 7, MemOp::kRead, 0xf, ServedBy::kDram});
  bench.port.answered({0, 7, MemOp::kAtomic, 0x1, ServedBy::kDram});
  CHECK(bench.port.outstanding() == 1);
  bench.port.answered({0, 7, MemOp::kAtomic, 0x2, ServedBy::kDram});
  CHECK(bench.port.idle());
}

TEST_CASE("Memory port: a write is pending from its queue to its last acknowledgement, if they are required") {
  PathBench bench;
  MemoryInstruction store = bench.instruction(OpKind::kStore, MemorySpace::kGlobal);
  store.warp = 3;
  bench.port.expect_write(store);
  CHECK(bench.port.writes().none(3));
  bench.info(store).acknowledged = true;
  bench.port.expect_write(store);
  CHECK_FALSE(bench.port.writes().none(3));
  MemRequest request = request_of(MemOp::kWrite, 0x3, store.warp_number());
  request.wants_ack = true;
  bench.port.push(request);
  bench.port.write_started(store);
  bench.sent(100);
  bench.port.answered({3, 7, MemOp::kWrite, 0x1, ServedBy::kL2Near});
  CHECK_FALSE(bench.port.writes().none(3));
  bench.port.answered({3, 7, MemOp::kWrite, 0x2, ServedBy::kL2Near});
  CHECK(bench.port.writes().none(3));
  CHECK(bench.port.writes().done() == std::vector<std::uint32_t>{3});
  CHECK(bench.port.idle());
}

TEST_CASE("Memory port: a line of stores is sent when none has come for some cycles, and counted once") {
  PathBench bench({"sm.load_store.store_buffer.wait_cycles=10"});
  GrowQueue<L1Cache::Writeback> replaced;
  MemRequest store = request_of(MemOp::kWrite, 0b0001, 1);
  store.byte_mask[0] = 0x0000ffffU;
  store.wants_ack = true;
  bench.port.push_store(store, bench.port.stores().line_for(store), 101, 100);
  store.byte_mask[0] = 0xffff0000U;
  store.byte_mask[1] = 0xffffffffU;
  store.sector_mask = 0b0011;
  bench.port.push_store(store, bench.port.stores().line_for(store), 105, 104);
  CHECK(bench.port.writes().total() == 2);  // sectors that memory will acknowledge
  CHECK(bench.port.writes_for_memory().of(0) == 1);
  CHECK(bench.port.writes_for_memory().has_stored(0));
  CHECK(bench.port.next_store() == 115);
  CHECK_FALSE(bench.port.idle());
  bench.port.send(replaced, 114);
  CHECK_FALSE(bench.port.sent_at(114));
  bench.port.send(replaced, 115);
  REQUIRE(bench.to_memory.has_message(116));
  CHECK(bench.to_memory.front().source == 7);
  CHECK(bench.to_memory.front().sector_mask == 0b0011);
  CHECK(bench.to_memory.front().byte_mask[0] == 0xffffffffU);
  CHECK(bench.port.next_store() == kNever);
}

TEST_CASE("Memory port: a line of stores waits until there is space for it among the requests") {
  PathBench bench({"sm.load_store.output_entries=1"});
  GrowQueue<L1Cache::Writeback> replaced;
  bench.port.push_store(request_of(MemOp::kWrite, 0xf), bench.port.stores().line_for(request_of(MemOp::kWrite, 0xf)),
                        101, 100);
  bench.port.push(request_of(MemOp::kRead, 0x1));
  CHECK(bench.port.next_store() == kNever);
  bench.port.send(replaced, 110);
  CHECK(bench.port.next_store() == 102);
  bench.port.send(replaced, 111);
  CHECK(bench.port.sent_at(111));
}

}  // namespace warpsim::test
