#include "mechanisms/warp_schedulers/two_level_groups.h"

#include <catch2/catch.hpp>
#include <vector>

#include "support/mechanism_bench.h"

namespace warpsim::mechanism {
namespace {

using GroupsBench = MechanismBench<TwoLevelGroups>;

// The slots that issue one after another while the same warps are ready.
std::vector<std::uint32_t> group_turns(GroupsBench& scheduler, WarpMask ready, std::uint32_t count) {
  std::vector<std::uint32_t> slots;
  for (std::uint32_t i = 0; i < count; ++i) {
    slots.push_back(scheduler->pick(ready, i));
    scheduler->issued({slots.back(), ready, i});
  }
  return slots;
}

using Turns = std::vector<std::uint32_t>;

TEST_CASE("The warps of one group take turns while one of them is ready") {
  GroupsBench scheduler({8, 0}, {{"group_size", 4}});
  CHECK(group_turns(scheduler, 0xff, 6) == Turns{0, 1, 2, 3, 0, 1});
  CHECK(group_turns(scheduler, 0xf9, 3) == Turns{3, 0, 3});
  CHECK(scheduler.counter("group_changes") == 0);
}

TEST_CASE("The next group follows when no warp of the group is ready, and keeps its turn") {
  GroupsBench scheduler({8, 0}, {{"group_size", 4}});
  CHECK(group_turns(scheduler, 0xff, 2) == Turns{0, 1});
  CHECK(group_turns(scheduler, 0xf0, 3) == Turns{4, 5, 6});
  CHECK(group_turns(scheduler, 0xff, 3) == Turns{7, 4, 5});
  CHECK(group_turns(scheduler, 0x0f, 3) == Turns{2, 3, 0});  // each group goes on where it was
  CHECK(scheduler.counter("group_changes") == 2);
}

TEST_CASE("Groups without a candidate are passed over") {
  GroupsBench scheduler({12, 0}, {{"group_size", 3}});
  CHECK(group_turns(scheduler, 0b100'000'000'000, 1) == Turns{11});
  CHECK(group_turns(scheduler, 0b000'010'001'000, 1) == Turns{3});
  CHECK(group_turns(scheduler, 0b100'010'000'000, 1) == Turns{7});
  CHECK(scheduler.counter("group_changes") == 3);
}

TEST_CASE("A group whose ready warp is refused keeps its turn") {
  GroupsBench scheduler({8, 0}, {{"group_size", 4}});
  CHECK(group_turns(scheduler, 0x01, 1) == Turns{0});
  CHECK(scheduler->pick(0x32, 1) == 1);  // a unit refuses it
  CHECK(scheduler->pick(0x30, 1) == 4);
  scheduler->issued({4, 0x32, 1});
  CHECK(scheduler->pick(0x32, 2) == 1);
  CHECK(scheduler->pick(0x30, 2) == 5);
  CHECK(scheduler.counter("group_changes") == 0);
}

TEST_CASE("A group that is larger than the sub-core has all warps") {
  GroupsBench scheduler({6, 0}, {{"group_size", 32}});
  CHECK(group_turns(scheduler, 0x3f, 8) == Turns{0, 1, 2, 3, 4, 5, 0, 1});
  CHECK(group_turns(scheduler, 0x21, 3) == Turns{5, 0, 5});
}

TEST_CASE("The last group may be smaller than the others") {
  GroupsBench scheduler({12, 0});  // groups of 8 and 4
  CHECK(group_turns(scheduler, 0xf00, 5) == Turns{8, 9, 10, 11, 8});
  CHECK(group_turns(scheduler, 0x0ff, 2) == Turns{0, 1});
}

TEST_CASE("Groups of one warp keep the turn of a warp until it is not ready") {
  GroupsBench scheduler({32, 0}, {{"group_size", 1}});
  CHECK(group_turns(scheduler, 0xffffffff, 2) == Turns{0, 0});
  CHECK(group_turns(scheduler, 0x80000002, 2) == Turns{1, 1});
  CHECK(group_turns(scheduler, 0x80000001, 2) == Turns{31, 31});
  CHECK(group_turns(scheduler, 0x00000003, 2) == Turns{0, 0});
}

TEST_CASE("32 warps in groups of five end with a group of two") {
  GroupsBench scheduler({32, 0}, {{"group_size", 5}});
  CHECK(group_turns(scheduler, 0xc0000000, 3) == Turns{30, 31, 30});
  CHECK(group_turns(scheduler, 0xc0000000 | 0x1f, 1) == Turns{31});
  CHECK(group_turns(scheduler, 0x1f, 6) == Turns{0, 1, 2, 3, 4, 0});
}

}  // namespace
}  // namespace warpsim::mechanism
