// Warps of several launches in one sub-core: each launch has statistics of its own.
#include <catch2/catch.hpp>
#include <string>

#include "unit/core/sub_core/sub_core_bench.h"

namespace warpsim::test {
namespace {

std::uint64_t all_stalls(SubCoreBench& bench, LaunchSeat seat) {
  std::uint64_t total = 0;
  for (std::uint32_t i = 0; i < kStallReasonCount; ++i) {
    total += bench.count(seat, std::string("sub_core.stalled_") + to_string(static_cast<StallReason>(i)));
  }
  return total;
}

// Ten ten_additions and the exit; a fence and the exit.
KernelBuilder ten_additions() {
  KernelBuilder k;
  for (int i = 0; i < 10; ++i) {
    k.iadd(4, 1, 2).stall(4);
  }
  k.exit();
  return k;
}
KernelBuilder one_fence() {
  KernelBuilder k;
  k.membar_device();
  k.exit();
  return k;
}

TEST_CASE("Instructions, stall reasons and fetches of a warp are counted for its launch only") {
  SubCoreBench bench;
  bench.start(ten_additions(), 0, 100);
  bench.start(one_fence(), 1, 100);
  bench.run(100, 1000);
  CHECK(bench.count(0, "sub_core.inst_executed") == 11);
  CHECK(bench.count(1, "sub_core.inst_executed") == 2);
  CHECK(bench.sub_core.instructions_executed(0) == 11);
  CHECK(bench.sub_core.instructions_executed(1) == 2);
  CHECK(bench.count(0, "sub_core.warps_launched") == 1);
  CHECK(bench.count(1, "sub_core.warps_launched") == 1);
  CHECK(bench.count(0, "sub_core.stalled_membar") == 0);
  CHECK(bench.count(1, "sub_core.stalled_membar") == 99);
  CHECK(bench.count(0, "sub_core.stalled_selected") == 11);
  CHECK(bench.count(1, "sub_core.stalled_selected") == 2);
  CHECK(bench.count(0, "sub_core.pipe_alu") == 10);
  CHECK(bench.count(1, "sub_core.pipe_alu") == 0);
  CHECK(bench.count(0, "sub_core.fetch.fetched") == 11);
  CHECK(bench.count(1, "sub_core.fetch.fetched") == 2);
}

TEST_CASE("A launch is active in a sub-core while it has warps there, independent of other launches") {
  SubCoreBench bench;
  bench.start(ten_additions(), 0, 100);
  bench.run(100, 300);
  const std::uint64_t alone = bench.count(0, "sub_core.cycles_active");
  CHECK(alone == all_stalls(bench, 0));
  CHECK(bench.count(1, "sub_core.cycles_active") == 0);
  bench.start(one_fence(), 1, 300);
  bench.run(300, 320);
  bench.start(ten_additions(), 0, 320);
  bench.run(320, 1000);
  // One warp of each launch at a time.
  CHECK(bench.count(0, "sub_core.cycles_active") == all_stalls(bench, 0));
  CHECK(bench.count(1, "sub_core.cycles_active") == all_stalls(bench, 1));
  CHECK(bench.count(0, "sub_core.cycles_active") > alone);
}

TEST_CASE("Accounts can be closed in the middle of several launches") {
  SubCoreBench bench;
  bench.start(one_fence(), 0, 100);
  bench.run(100, 110);
  bench.start(one_fence(), 1, 110);
  bench.run(110, 150);
  bench.sub_core.close_accounts(150);
  CHECK(bench.count(0, "sub_core.cycles_active") == 50);
  CHECK(bench.count(1, "sub_core.cycles_active") == 40);
  CHECK(all_stalls(bench, 0) == 50);
  CHECK(all_stalls(bench, 1) == 40);
}

}  // namespace
}  // namespace warpsim::test
