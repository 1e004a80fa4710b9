#include "memory/l2/l2_copies.h"

#include <catch2/catch.hpp>

#include "unit/memory/l2_bench.h"
#include "unit/memory/memory_scripts.h"

namespace warpsim::testing {
namespace {

// A line at home in slice 0 that the other partition has read.
Address copied_line(L2Bench& bench, std::uint32_t n = 0) {
  const Address line = bench.line(0, n);
  bench.fill(line, 0xf);
  bench.copies.note(bench.array.look_up(bench.map.home_of(line), line));
  return line;
}

SliceRequest request_of(const MemRequest& request) {
  return {request, 0, 2, 0};  // from slice 2, in partition 1, if it is the fabric's
}

}  // namespace

TEST_CASE("L2 copies: each change at home of a line that was copied is sent to the other partition") {
  for (const MemRequest& change : {write_of(0, 0x1, 0xf), atomic_of(MemOp::kAtomic, 0)}) {
    L2Bench bench;
    MemRequest request = change;
    request.line = copied_line(bench);
    bench.from_crossbar.send(request_of(request), 99);
    bench.requests.take(100);
    CHECK(bench.copies.waiting() == 1);
    bench.copies.send(100);
    const SliceRequest removal = L2Bench::take(bench.fabric_out, 101);
    CHECK(removal.removes_copy);
    CHECK(removal.mem.line == request.line);
    CHECK(removal.home_slice == 2);
    CHECK(removal.near_slice == 0);
    bench.from_crossbar.send(request_of(request), 199);
    bench.requests.take(200);
    CHECK(bench.copies.waiting() == 1);
  }
  L2Bench bench;
  bench.fill(bench.line(), 0xf);
  bench.from_crossbar.send(request_of(write_of(bench.line())), 99);
  bench.requests.take(100);
  CHECK(bench.copies.waiting() == 0);  // nobody has a copy
}

TEST_CASE("L2 copies: the partition that changes a line is not told") {
  L2Bench bench;
  const Address line = copied_line(bench);
  bench.fabric_in.send(request_of(write_of(line, 0x1)), 99);
  bench.requests.take(100);
  CHECK(bench.copies.waiting() == 0);
  bench.fabric_in.send(request_of(atomic_of(MemOp::kReduction, line)), 199);
  bench.requests.take(200);
  CHECK(bench.copies.waiting() == 0);
}

TEST_CASE("L2 copies: all partitions but the home's and the writer's are told") {
  MemoryConfig memory = tiny_memory();
  memory.address_map.num_partitions = 4;
  memory.address_map.num_channels = 4;
  const AddressMap map(memory.address_map);
  ClockDomain clock{"l2", 1000};
  Link<SliceRequest> fabric(clock, clock, 8, 1);
  LaunchStats<StatGroup> root{"gpu"};
  LaunchStats<L2SliceStats> stats{root, "l2_slice", 0};
  L2Array array(memory.l2, map, stats);
  const std::uint32_t number = map.slice_number(1, 0);
  L2Copies copies(map, number, &fabric, array);
  Address line = 0;
  while (map.home_of(line).partition != 1 || map.home_of(line).slice_in_partition != 0) {
    line += kLineBytes;
  }
  const L2Place place{map.home_of(line), true};
  const auto changed_by = [&](std::uint32_t partition) {
    array.fill(place.home.line_number, line, 0xf, LinePriority::kUnstated, 0);
    copies.note(array.look_up(place.home, line));
    SliceRequest message{write_of(line)};
    message.near_slice = static_cast<std::uint16_t>(map.slice_number(partition, 0));
    copies.change(message, place, array.look_up(place.home, line), partition != 1);
    copies.send(0);
    std::vector<std::uint32_t> told;
    while (fabric.has_message(1)) {
      told.push_back(map.partition_of_slice(L2Bench::take(fabric, 1).home_slice));
    }
    return told;
  };
  CHECK(changed_by(1) == std::vector<std::uint32_t>{0, 2, 3});
  CHECK(changed_by(2) == std::vector<std::uint32_t>{0, 3});
}

TEST_CASE("L2 copies: requests of the crossbar wait for a full fabric, those of the fabric do not") {
  L2Bench bench(tiny_l2(), 1);
  const Address line = copied_line(bench);
  bench.fabric_out.send({}, 99);
  bench.from_crossbar.send(request_of(write_of(line)), 99);
  bench.requests.take(100);
  bench.copies.send(100);
  CHECK(bench.copies.waiting() == 1);
  bench.from_crossbar.send(request_of(read_of(line)), 100);
  bench.fabric_in.send(request_of(read_of(line)), 100);
  bench.requests.take(101);
  bench.requests.take(102);
  CHECK(bench.from_crossbar.size() == 1);
  CHECK(bench.fabric_in.empty());
  L2Bench::take(bench.fabric_out, 102);
  bench.copies.send(103);
  CHECK(bench.copies.waiting() == 0);
  bench.requests.take(103);
  CHECK(bench.from_crossbar.empty());
}

TEST_CASE("L2 copies: a far line is read again from its home after the home's side has changed it") {
  MemoryWorld world(roomy());
  const Address line = world.line_in(1);
  world.latency(0, read_of(line, 0xf));
  CHECK(world.latency(0, read_of(line, 0x8)) == 50);
  SECTION("by a write of four bytes") {
    world.latency(1, write_of(line, 0x1, 0xf));
  }
  SECTION("by an atomic") {
    world.latency(1, atomic_of(MemOp::kAtomic, line));
  }
  SECTION("by an atomic of the reader's side") {
    world.latency(0, atomic_of(MemOp::kAtomic, line));
    CHECK(world.total("l2_slice.removed_copies") == 0);
  }
  CHECK(world.latency(0, read_of(line, 0x8)) == 120);
  CHECK(world.latency(0, read_of(line, 0x8)) == 50);
  CHECK(world.latency(0, read_of(line, 0x1)) == 120);  // the whole copy was removed
  world.latency(0, write_of(line, 0x1));
  CHECK(world.latency(0, read_of(line, 0x8)) == 50);  // a write of its own side changes the copy
}

TEST_CASE("L2 copies: data that are on their way when their line changes are answered, but not kept") {
  for (const bool changes : {false, true}) {
    L2Bench bench;
    const Address line = bench.line(1);
    REQUIRE(bench.fetch(read_of(line, 0x3), 100));
    const SliceRequest asked = L2Bench::take(bench.fabric_out, 101);
    if (changes) {
      SliceRequest removal = request_of(write_of(line));
      removal.removes_copy = true;
      bench.fabric_in.send(removal, 109);
      bench.requests.take(110);
      CHECK(bench.stats[0].removed_copies.value() == 1);
    }
    SliceResponse response;
    response.mem.tag = asked.mem.tag;
    response.mem.op = MemOp::kRead;
    response.mem.sector_mask = asked.mem.sector_mask;
    bench.fabric_answers.send(response, 119);
    bench.misses.take_fills(120);
    bench.replies.send(120);
    CHECK(L2Bench::take(bench.to_crossbar, 121).mem.sector_mask == 0x3);
    CHECK(bench.valid(line) == (changes ? 0 : asked.mem.sector_mask));
  }
}

TEST_CASE("L2 copies: changes of both partitions on the same lines end with the shortest queues") {
  MemoryConfig config = tiny_memory();
  config.l2_fabric.queue_entries = 1;
  config.crossbar.slice_queue_entries = 1;
  MemoryWorld world(config, 4);
  std::vector<std::vector<MemRequest>> scripts(4);
  for (std::uint32_t i = 0; i < 400; ++i) {
    for (std::uint32_t port = 0; port < 4; ++port) {
      const Address line = world.line_in(i % 2, i * 7 / 3 % 5);
      scripts[port].push_back((i + port) % 3 == 0   ? write_of(line, 0x1, 0xf)
                              : (i + port) % 3 == 1 ? atomic_of(MemOp::kAtomic, line)
                                                    : read_of(line, 0xf));
    }
  }
  world.run(scripts, 16, 400000);
  CHECK(world.total("l2_slice.removed_copies") > 20);
}

}  // namespace warpsim::testing
