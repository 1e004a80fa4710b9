#include "memory/l2/l2_store.h"

#include <catch2/catch.hpp>

#include "memory/l2/l2_stats.h"

namespace warpsim {
namespace {

constexpr Address kLine = 0x1000;

// One slice, in which line n has number n.
AddressMapConfig one_slice() {
  AddressMapConfig config;
  config.row_bytes = 512;
  return config;
}
const AddressMap kMap(one_slice());
LaunchStats<StatGroup> no_group{"root"};
const CompressionMechanism kUncompressed({}, no_group);

L2Config one_set(std::uint32_t ways, std::uint32_t max_dirty = 0) {
  L2Config config;
  config.num_sets = 1;
  config.num_ways = ways;
  config.max_dirty_ways = max_dirty;
  return config;
}
MemRequest write_request(Address line, std::uint8_t sectors, std::uint32_t bytes = 0xffffffffU) {
  MemRequest request;
  request.op = MemOp::kWrite;
  request.line = line;
  request.sector_mask = sectors;
  request.byte_mask.fill(bytes);
  return request;
}

}  // namespace

TEST_CASE("L2 store: a filled sector is valid and the others of the line are not") {
  LaunchStats<L2SliceStats> stats("l2_slice");
  L2Store store(one_set(2), kMap, kUncompressed, stats);
  CHECK(store.look_up(0, kLine).valid == 0);
  store.fill(0, kLine, 0x3, LinePriority::kUnstated);
  CHECK(store.look_up(0, kLine).valid == 0x3);
  store.fill(0, kLine, 0x4, LinePriority::kUnstated);
  CHECK(store.look_up(0, kLine).valid == 0x7);
}

TEST_CASE("L2 store: a fully written sector is valid without a fill") {
  LaunchStats<L2SliceStats> stats("l2_slice");
  L2Store store(one_set(2), kMap, kUncompressed, stats);
  store.write(0, write_request(kLine, 0x2), true);
  CHECK(store.look_up(0, kLine).valid == 0x2);
}

TEST_CASE("L2 store: a partly written sector becomes valid when its bytes are complete or filled") {
  LaunchStats<L2SliceStats> stats("l2_slice");
  L2Store store(one_set(2), kMap, kUncompressed, stats);
  store.write(0, write_request(kLine, 0x3, 0x0000ffffU), true);
  CHECK(store.look_up(0, kLine).valid == 0);
  store.write(0, write_request(kLine, 0x1, 0xffff0000U), true);
  CHECK(store.look_up(0, kLine).valid == 0x1);
  store.fill(0, kLine, 0x2, LinePriority::kUnstated);
  CHECK(store.look_up(0, kLine).valid == 0x3);
}

TEST_CASE("L2 store: a replaced dirty line is written back, a clean one is not") {
  LaunchStats<L2SliceStats> stats("l2_slice");
  L2Store store(one_set(1), kMap, kUncompressed, stats);
  CHECK_FALSE(store.write(0, write_request(kLine, 0x5), true).evicted);
  L2Store::Consequence consequence = store.fill(0, kLine + 128, 0xf, LinePriority::kUnstated);
  REQUIRE(consequence.writebacks.size() == 1);
  CHECK(consequence.writebacks[0].line == kLine);
  CHECK(consequence.writebacks[0].sectors == 0x5);
  CHECK(consequence.writebacks[0].incomplete == 0);
  consequence = store.fill(0, kLine, 0xf, LinePriority::kUnstated);
  CHECK(consequence.evicted);
  CHECK(consequence.writebacks.size() == 0);
}

TEST_CASE("L2 store: the write-back of a partly written sector requires its completion") {
  LaunchStats<L2SliceStats> stats("l2_slice");
  L2Store store(one_set(1), kMap, kUncompressed, stats);
  store.write(0, write_request(kLine, 0x1, 0xfU), true);
  store.write(0, write_request(kLine, 0x2), true);
  const L2Store::Consequence consequence = store.fill(0, kLine + 128, 0xf, LinePriority::kUnstated);
  REQUIRE(consequence.writebacks.size() == 1);
  CHECK(consequence.writebacks[0].sectors == 0x3);
  CHECK(consequence.writebacks[0].incomplete == 0x1);
}

TEST_CASE("L2 store: a clean copy of a write is never written back") {
  LaunchStats<L2SliceStats> stats("l2_slice");
  L2Store store(one_set(1), kMap, kUncompressed, stats);
  store.write(0, write_request(kLine, 0xf), false);
  CHECK(store.look_up(0, kLine).valid == 0xf);
  CHECK(store.fill(0, kLine + 128, 0xf, LinePriority::kUnstated).writebacks.empty());
}

TEST_CASE("L2 store: beyond the limit of dirty lines the oldest is cleaned and stays") {
  LaunchStats<L2SliceStats> stats("l2_slice");
  L2Store store(one_set(4, 2), kMap, kUncompressed, stats);
  CHECK(store.write(0, write_request(kLine, 0xf), true).writebacks.empty());
  CHECK(store.write(0, write_request(kLine + 128, 0xf), true).writebacks.empty());
  const L2Store::Consequence consequence = store.write(0, write_request(kLine + 256, 0xf), true);
  CHECK_FALSE(consequence.evicted);
  REQUIRE(consequence.writebacks.size() == 1);
  CHECK(consequence.writebacks[0].line == kLine);
  CHECK(store.look_up(0, kLine).valid == 0xf);
  CHECK(store.clear() == 8);  // two lines of four sectors are still dirty
}

TEST_CASE("L2 store: dirty neighbours are written back together, in order of their lines") {
  L2Config config = one_set(8, 3);
  config.writeback_lines = 4;
  LaunchStats<L2SliceStats> stats("l2_slice");
  L2Store store(config, kMap, kUncompressed, stats);
  const auto write = [&store](std::uint64_t number, std::uint8_t sectors) {
    return store.write(number, write_request(number * kLineBytes, sectors), true);
  };
  CHECK(write(6, 0x1).writebacks.empty());
  CHECK(write(4, 0x2).writebacks.empty());
  CHECK(write(8, 0x4).writebacks.empty());
  // Line 6 is the oldest; of lines 4 to 7 line 4 is also dirty, line 8 belongs to the next four.
  const L2Store::Consequence consequence = write(12, 0x8);
  REQUIRE(consequence.writebacks.size() == 2);
  CHECK(consequence.writebacks[0].line == 4 * kLineBytes);
  CHECK(consequence.writebacks[0].sectors == 0x2);
  CHECK(consequence.writebacks[1].line == 6 * kLineBytes);
  CHECK(consequence.writebacks[1].sectors == 0x1);
  CHECK(store.clear() == 2);
}

TEST_CASE("L2 store: beyond the limit of partly written sectors the oldest are completed and stay dirty") {
  L2Config config = one_set(8);
  config.max_partial_sectors = 3;
  LaunchStats<L2SliceStats> stats("l2_slice");
  L2Store store(config, kMap, kUncompressed, stats);
  CHECK(store.write(0, write_request(0, 0x3, 0xfU), true).writebacks.empty());
  CHECK(store.write(1, write_request(128, 0x1, 0xfU), true).writebacks.empty());
  CHECK(store.write(1, write_request(128, 0x1, 0xf0U), true).writebacks.empty());  // the same sector again
  const L2Store::Consequence consequence = store.write(2, write_request(256, 0x1, 0xfU), true);
  REQUIRE(consequence.writebacks.size() == 1);
  CHECK(consequence.writebacks[0].line == 0);
  CHECK(consequence.writebacks[0].incomplete == 0x3);
  CHECK(consequence.writebacks[0].sectors == 0);
  CHECK(store.look_up(0, 0).valid == 0x3);
  CHECK(store.clear() == 4);
}

TEST_CASE("L2 store: with masked writes nothing is completed, and the rest of a sector is still to be read") {
  L2Config config = one_set(2);
  config.max_dirty_ways = 1;
  config.max_partial_sectors = 1;
  config.masked_writes = true;
  LaunchStats<L2SliceStats> stats("l2_slice");
  L2Store store(config, kMap, kUncompressed, stats);
  CHECK(store.write(0, write_request(0, 0x3, 0xfU), true).writebacks.empty());
  const L2Store::Consequence cleaned = store.write(1, write_request(128, 0x1, 0xfU), true);
  REQUIRE(cleaned.writebacks.size() == 1);
  CHECK(cleaned.writebacks[0].line == 0);
  CHECK(cleaned.writebacks[0].sectors == 0x3);
  CHECK(cleaned.writebacks[0].incomplete == 0);
  CHECK(store.look_up(0, 0).valid == 0);
  store.write(0, write_request(0, 0x1, 0xfffffff0U), false);
  CHECK(store.look_up(0, 0).valid == 0x1);
}

TEST_CASE("L2 store: dropped sectors are no longer valid") {
  LaunchStats<L2SliceStats> stats("l2_slice");
  L2Store store(one_set(1), kMap, kUncompressed, stats);
  store.fill(0, kLine, 0xf, LinePriority::kUnstated);
  store.forget(0, kLine, 0x3);
  CHECK(store.look_up(0, kLine).valid == 0xc);
}

// --- persisting lines ---

namespace {

// Sixteen ways, four of them for persisting lines. Line n has number n.
struct PersistingRig {
  PersistingRig() { store.set_aside(4); }
  void read(std::uint64_t number, LinePriority priority) {
    const L2Store::Lookup found = store.look_up(number, number * kLineBytes);
    if (found.valid == 0) {
      store.fill(number, number * kLineBytes, 0xf, priority);
      return;
    }
    store.touch(found);
    store.prioritise(number, found, priority);
  }
  // So many usual lines that nothing else stays.
  void pass(std::uint32_t lines = 64) {
    for (std::uint32_t i = 0; i < lines; ++i) {
      read(next++, LinePriority::kUnstated);
    }
  }
  bool has(std::uint64_t number) const { return store.look_up(number, number * kLineBytes).valid != 0; }

  LaunchStats<L2SliceStats> stats{"l2_slice"};
  L2Store store{one_set(16), kMap, kUncompressed, stats};
  std::uint64_t next = 1000;
};

}  // namespace

TEST_CASE("L2 store: persisting lines stay while others pass, until there are more than their part") {
  PersistingRig rig;
  for (std::uint64_t line = 1; line <= 4; ++line) {
    rig.read(line, LinePriority::kPersisting);
  }
  rig.pass();
  for (std::uint64_t line = 1; line <= 4; ++line) {
    CHECK(rig.has(line));
  }
  rig.read(1, LinePriority::kUnstated);  // used, and still persisting
  rig.read(5, LinePriority::kPersisting);
  rig.pass();
  CHECK(rig.has(1));
  CHECK_FALSE(rig.has(2));
  CHECK(rig.has(3));
  CHECK(rig.has(5));
}

TEST_CASE("L2 store: usual lines have all ways that no persisting line uses") {
  PersistingRig rig;
  rig.read(1, LinePriority::kPersisting);
  rig.pass(15);
  CHECK(rig.has(1));
  CHECK(rig.has(1000));
  rig.pass(1);
  CHECK_FALSE(rig.has(1000));
  CHECK(rig.has(1));
}

TEST_CASE("L2 store: a line that is present becomes persisting, and usual again by a normal access or the end of all") {
  PersistingRig rig;
  rig.read(1, LinePriority::kUnstated);
  rig.read(2, LinePriority::kPersisting);
  rig.read(1, LinePriority::kPersisting);
  rig.read(2, LinePriority::kNormal);
  rig.pass();
  CHECK(rig.has(1));
  CHECK_FALSE(rig.has(2));
  rig.read(1, LinePriority::kFirst);  // does not end it
  rig.pass();
  CHECK(rig.has(1));
  rig.store.end_persistence();
  rig.pass();
  CHECK_FALSE(rig.has(1));
}

TEST_CASE("L2 store: a fifth line of the set that becomes persisting makes the oldest of the others usual") {
  PersistingRig rig;
  for (std::uint64_t line = 1; line <= 5; ++line) {
    rig.read(line, LinePriority::kUnstated);
  }
  for (std::uint64_t line = 1; line <= 5; ++line) {
    rig.read(line, LinePriority::kPersisting);
  }
  rig.pass();
  CHECK_FALSE(rig.has(1));
  for (std::uint64_t line = 2; line <= 5; ++line) {
    CHECK(rig.has(line));
  }
}

TEST_CASE("L2 store: without a part set aside, persisting lines have a sixteenth") {
  PersistingRig rig;
  rig.store.set_aside(0);
  rig.read(1, LinePriority::kPersisting);
  rig.read(2, LinePriority::kPersisting);
  rig.pass();
  CHECK_FALSE(rig.has(1));
  CHECK(rig.has(2));
}

TEST_CASE("L2 store: written lines persist at home only") {
  PersistingRig rig;
  MemRequest at_home = write_request(1 * kLineBytes, 0xf);
  at_home.priority = LinePriority::kPersisting;
  MemRequest copy = write_request(2 * kLineBytes, 0xf);
  copy.priority = LinePriority::kPersisting;
  rig.store.write(1, at_home, true);
  rig.store.write(2, copy, false);
  rig.pass();
  CHECK(rig.has(1));
  CHECK_FALSE(rig.has(2));
}

}  // namespace warpsim
