#include "core/sub_core/warp_table.h"

#include <catch2/catch.hpp>

namespace warpsim {
namespace {

struct TableBench {
  TableBench() { root.add_seat(); }
  void start(std::uint32_t slot, LaunchSeat seat, Cycle now) {
    WarpStart start;
    start.table = &table;
    start.program = &program;
    start.block_slot = 10 + slot;
    start.seat = seat;
    warps.start(slot, start, now);
  }
  std::uint64_t active(LaunchSeat seat) const { return stats[seat].cycles_active.value(); }

  IssueTable table;
  StaticProgram program;
  LaunchStats<StatGroup> root{"gpu"};
  LaunchStats<SubCoreStats> stats{root, "sub_core", 0};
  WarpTable warps{4, stats};
};

TEST_CASE("A launch is active from its first warp to its last") {
  TableBench bench;
  bench.start(0, 1, 100);
  bench.start(1, 1, 110);
  bench.start(2, 0, 120);
  bench.warps.leave(0, 150);
  CHECK(bench.active(1) == 0);
  bench.warps.leave(1, 160);
  CHECK(bench.active(1) == 60);
  CHECK(bench.active(0) == 0);
  bench.warps.leave(2, 200);
  CHECK(bench.active(0) == 80);
  CHECK(bench.stats[1].warps_launched.value() == 2);
}

TEST_CASE("Closing the accounts counts resident launches up to then, and once") {
  TableBench bench;
  bench.start(0, 0, 100);
  bench.start(1, 1, 110);
  bench.warps.leave(1, 130);
  bench.warps.close_accounts(150);
  CHECK(bench.active(0) == 50);
  CHECK(bench.active(1) == 20);
  bench.warps.leave(0, 160);
  CHECK(bench.active(0) == 60);
}

TEST_CASE("The blocks of warps that have left are known until they are cleared") {
  TableBench bench;
  bench.start(0, 0, 100);
  bench.start(1, 0, 100);
  bench.warps.leave(1, 130);
  bench.warps.leave(0, 130);
  CHECK(bench.warps.exited() == std::vector<std::uint32_t>{11, 10});
  bench.warps.clear_exited();
  CHECK(bench.warps.exited().empty());
}

TEST_CASE("A slot's next warp begins without what its predecessor left") {
  TableBench bench;
  bench.start(0, 0, 100);
  bench.warps[0].at_barrier = true;
  bench.warps[0].hold = StallReason::kDrain;
  bench.warps[0].active_lanes = 7;
  bench.warps.leave(0, 130);
  bench.start(0, 0, 140);
  CHECK_FALSE(bench.warps[0].at_barrier);
  CHECK_FALSE(bench.warps[0].held());
  CHECK(bench.warps[0].active_lanes == 0);
  CHECK(bench.warps[0].stall_until == 140);
}

}  // namespace
}  // namespace warpsim
