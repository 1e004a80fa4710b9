#include "memory/l2/compressed_room.h"

#include <catch2/catch.hpp>
#include <memory>
#include <vector>

#include "memory/l2/l2_stats.h"
#include "memory/l2/l2_store.h"
#include "support/known_sizes.h"
#include "support/machine.h"
#include "unit/memory/l2_bench.h"

namespace warpsim {
namespace {

// One set of data for four lines, with twelve tags; line n has number n.
struct RoomRig {
  explicit RoomRig(Replacement replacement = Replacement::kLru)
      : map(map_config()),
        config(config_of(table, replacement)),
        compression(config.compression, stats),
        store(config, map, compression, stats) {}

  static AddressMapConfig map_config() {
    AddressMapConfig config;
    config.row_bytes = 512;
    return config;
  }
  static L2Config config_of(KnownSizesTable& table, Replacement replacement) {
    L2Config config;
    config.num_sets = 1;
    config.num_ways = 4;
    config.compressed_ways = 12;
    config.replacement = replacement;
    config.compression = {"known", std::make_shared<KnownSizesFactory>(table)};
    config.persistence.max_sixteenths = 16;
    config.persistence.first_sixteenths = 4;  // three tags
    return config;
  }
  static Address line(std::uint64_t number) { return number * kLineBytes; }

  void has_sectors(std::uint64_t number, std::uint32_t sectors) { table.lines[line(number)] = sectors; }
  L2Store::Consequence fill(std::uint64_t number, LinePriority priority = LinePriority::kUnstated) {
    return store.fill(number, line(number), 0xf, priority);
  }
  L2Store::Consequence write(std::uint64_t number) {
    MemRequest request;
    request.op = MemOp::kWrite;
    request.line = line(number);
    request.sector_mask = 0xf;
    request.byte_mask.fill(0xffffffffU);
    return store.write(number, request, true);
  }
  bool has(std::uint64_t number) const { return store.look_up(number, line(number)).valid != 0; }

  KnownSizesTable table;
  AddressMap map;
  LaunchStats<L2SliceStats> stats{"l2_slice"};
  L2Config config;
  CompressionMechanism compression;
  L2Store store;
};

TEST_CASE("Compressed room: a set has its tags, and counts sectors, only with compression and more tags than ways") {
  KnownSizesTable table;
  table.others = 2;
  LaunchStats<StatGroup> root{"root"};
  L2Config config = RoomRig::config_of(table, Replacement::kLru);
  CHECK(CompressedRoom::tags_of_set(config) == 12);
  const CompressionMechanism compression(config.compression, root);
  CompressedRoom room(config, compression);
  REQUIRE(room);
  for (int line = 0; line < 8; ++line) {
    REQUIRE(room.fits(0, 0x1000));
    room.enter(0, 0x1000);
  }
  CHECK_FALSE(room.fits(0, 0x1000));
  room.leave(0, 0x1000);
  CHECK(room.fits(0, 0x1000));
  room.enter(0, 0x1000);
  CHECK_THROWS_WITH(room.enter(0, 0x1000), Catch::Contains("more sectors than data"));
  room.clear();
  CHECK(room.fits(0, 0x1000));

  config.compressed_ways = 4;
  CHECK(CompressedRoom::tags_of_set(config) == 4);
  CHECK_FALSE(CompressedRoom(config, compression));
  config.compressed_ways = 12;
  config.compression = {};
  CHECK(CompressedRoom::tags_of_set(config) == 4);
  CHECK_FALSE(CompressedRoom(config, compression));
}

TEST_CASE("Compressed room: tags that the description does not allow are errors") {
  CHECK_THROWS_WITH(test::tiny_config({"l2.compressed_ways=1"}),
                    Catch::Contains("'l2.compressed_ways' must be 0 or at least"));
  CHECK_THROWS_WITH(test::tiny_config({"l2.compressed_ways=4", "l2.replacement=srrip"}),
                    Catch::Contains("'l2.compressed_ways' must be 0 with a replacement mechanism"));
  CHECK_NOTHROW(test::tiny_config({"l2.compressed_ways=4", "l2.compression=equal_sizes", "l2.replacement=random"}));
}

TEST_CASE("Compressed room: a set keeps as many lines as their sectors fit") {
  RoomRig rig;
  rig.table.others = 2;
  for (std::uint64_t line = 1; line <= 8; ++line) {
    CHECK(rig.fill(line).evicted == 0);
  }
  CHECK(rig.fill(9).evicted == 1);
  CHECK_FALSE(rig.has(1));
  CHECK(rig.has(2));
  CHECK(rig.fill(2).evicted == 0);  // is there, so that 3 is the oldest
  CHECK(rig.fill(10).evicted == 1);
  CHECK(rig.has(2));
  CHECK_FALSE(rig.has(3));
}

TEST_CASE("Compressed room: tags limit lines that are small, and lines that are not compressed take a way") {
  RoomRig rig;
  rig.table.others = 1;
  for (std::uint64_t line = 1; line <= 12; ++line) {
    CHECK(rig.fill(line).evicted == 0);
  }
  CHECK(rig.fill(13).evicted == 1);  // 12 of 16 sectors, but no tag
  CHECK_FALSE(rig.has(1));

  RoomRig whole;
  for (std::uint64_t line = 1; line <= 4; ++line) {
    CHECK(whole.fill(line).evicted == 0);
  }
  CHECK(whole.fill(5).evicted == 1);
}

TEST_CASE("Compressed room: for a large line several small ones leave, and the dirty ones are written back") {
  RoomRig rig;
  rig.table.others = 2;
  rig.has_sectors(1, 1);
  rig.has_sectors(3, 1);
  rig.has_sectors(50, 4);
  rig.write(1);
  rig.fill(2);
  rig.write(3);
  for (std::uint64_t line = 4; line <= 9; ++line) {
    rig.fill(line);
  }
  REQUIRE(rig.has(1));  // 16 of 16 sectors
  const L2Store::Consequence consequence = rig.fill(50);
  CHECK(consequence.evicted == 3);
  REQUIRE(consequence.writebacks.size() == 2);
  CHECK(consequence.writebacks[0].line == RoomRig::line(1));
  CHECK(consequence.writebacks[1].line == RoomRig::line(3));
  CHECK_FALSE(rig.has(1));
  CHECK_FALSE(rig.has(2));
  CHECK_FALSE(rig.has(3));
  CHECK(rig.has(4));
  CHECK(rig.has(50));
}

TEST_CASE("Compressed room: persisting lines leave after the others") {
  RoomRig rig;
  rig.table.others = 2;
  rig.fill(1, LinePriority::kPersisting);
  for (std::uint64_t line = 2; line <= 40; ++line) {
    rig.fill(line);
  }
  CHECK(rig.has(1));
  CHECK(rig.has(40));
  CHECK(rig.has(34));
  CHECK_FALSE(rig.has(33));
}

TEST_CASE("Compressed room: an emptied store has all its room, whatever is replaced and how") {
  const Replacement replacement = GENERATE(Replacement::kLru, Replacement::kFifo, Replacement::kRandom);
  RoomRig rig(replacement);
  for (std::uint64_t line = 1; line <= 500; ++line) {
    rig.has_sectors(line, 1 + line * 7 % 4);
  }
  for (int round = 0; round < 2; ++round) {
    for (std::uint64_t line = 1; line <= 500; ++line) {
      line % 3 == 0 ? rig.write(line) : rig.fill(line);
      std::uint32_t sectors = 0;
      for (std::uint64_t other = 1; other <= line; ++other) {
        sectors += rig.has(other) ? rig.table.lines[RoomRig::line(other)] : 0;
      }
      REQUIRE(sectors <= 16);
      REQUIRE(rig.has(line));
    }
    rig.store.clear();
  }
  rig.table.others = 2;
  for (std::uint64_t line = 1001; line <= 1008; ++line) {
    CHECK(rig.fill(line).evicted == 0);
  }
}

TEST_CASE("Compressed room: the slice tells the fabric how many sectors a line takes") {
  KnownSizesTable table;
  L2Config config = testing::tiny_l2();
  config.compression = {"known", std::make_shared<KnownSizesFactory>(table)};
  testing::L2Bench bench(config);
  const Address far = bench.line(1, 0);
  table.lines = {{far, 2}};
  REQUIRE(bench.fetch(testing::read_of(far, 0x1), 10));
  CHECK(testing::L2Bench::take(bench.fabric_out, 11).compressed == 0x3);
  REQUIRE(bench.misses.forward({testing::write_of(far, 0xf)}, bench.place_of(far), 12));
  CHECK(testing::L2Bench::take(bench.fabric_out, 13).compressed == 0x3);
  REQUIRE(bench.fetch(testing::read_of(bench.line(1, 1), 0x1), 14));
  CHECK(testing::L2Bench::take(bench.fabric_out, 15).compressed == 0);

  // At home: the answer says it, too.
  SliceRequest asked{testing::read_of(bench.line(0, 0), 0xf), 0, 1, 0};
  asked.compressed = 0x1;
  bench.fill(bench.line(0, 0), 0xf);
  bench.fabric_in.send(asked, 20);
  bench.requests.take(21);
  bench.replies.send(22);
  CHECK(testing::L2Bench::take(bench.fabric_replies, 23).compressed == 0x1);
}

}  // namespace
}  // namespace warpsim
