#include "core/sub_core/warp_streams.h"

#include <catch2/catch.hpp>

#include "unit/core/sub_core/sub_core_bench.h"

namespace warpsim::test {
namespace {

TEST_CASE("A warp goes on to its next instruction after the stall count") {
  KernelBuilder k;
  k.iadd(4, 1, 2).stall(6);
  k.exit();
  SubCoreParts parts;
  ResidentWarp& warp = parts.start(k, 100);
  parts.skip(0, 100);
  CHECK(warp.stream.next->index == 1);
  CHECK_FALSE(warp.redirected);
  CHECK(warp.stall_until == 106);
  CHECK(parts.states.next_timer() == 106);
}

TEST_CASE("After a taken branch fetch starts elsewhere, later for indexed branches") {
  for (const bool indexed : {false, true}) {
    KernelBuilder k;
    k.loop(2, [&] { k.iadd(4, 1, 2); });
    k.exit();
    SubCoreParts parts;
    ResidentWarp& warp = parts.start(k, 100);
    parts.skip(0, 100);
    IssueInfo info = warp.info();
    info.indexed_branch = indexed;
    parts.streams.advance(0, warp, info, 101);
    CHECK(warp.redirected);
    CHECK(warp.stream.next->index == 0);
    CHECK(parts.fetch.head_ready_at(0) == kNever);
    CHECK(parts.fetch.next_fetch(102) == 101U + 4 + (indexed ? 20 : 0));
  }
}

TEST_CASE("A warp without next instruction drains, or stays at what holds it and drains afterwards") {
  KernelBuilder k;
  k.exit();
  SubCoreParts parts;
  ResidentWarp& drains = parts.start(k, 100);
  parts.skip(0, 100);
  CHECK(drains.hold == StallReason::kDrain);
  CHECK(drains.ended());
  ResidentWarp& sleeps = parts.start(k, 100);
  sleeps.hold = StallReason::kSleeping;
  parts.skip(1, 100);
  CHECK(sleeps.hold == StallReason::kSleeping);
  parts.streams.end_wait(1, sleeps, 150);
  CHECK(sleeps.hold == StallReason::kDrain);
}

TEST_CASE("An exit holds its warp beyond the stall count, whether it ends the warp or some of its threads") {
  for (const bool last : {false, true}) {
    KernelBuilder k;
    k.exit().stall(5);
    if (!last) {
      k.exit();
    }
    SubCoreParts parts({"sm.sub_core.exit_cycles=7"});
    ResidentWarp& warp = parts.start(k, 100);
    parts.skip(0, 100);
    CHECK(parts.states.next_timer() == 105);
    CHECK(warp.hold == StallReason::kBranchResolving);
    parts.complete(101, 111);
    CHECK_FALSE(warp.ended());
    CHECK(warp.held());
    parts.complete(112, 112);
    CHECK(warp.ended() == last);
    CHECK(warp.held() == last);
  }
}

TEST_CASE("An exit that ends no thread costs its stall count") {
  KernelBuilder k;
  k.exit().stall(5).lanes(0);
  k.exit();
  SubCoreParts parts({"sm.sub_core.exit_cycles=7"});
  ResidentWarp& warp = parts.start(k, 100);
  parts.skip(0, 100);
  CHECK_FALSE(warp.held());
  CHECK(warp.stall_until == 105);
}

TEST_CASE("The first instruction of a warp is fetched some cycles after the warp's start") {
  KernelBuilder k;
  k.iadd(4, 1, 2);
  k.exit();
  SubCoreParts parts({"sm.sub_core.warp_start_cycles=6"});
  WarpStart start = parts.next_start(k, 0, 100);
  ResidentWarp& warp = parts.warps.start(0, start, 100);
  parts.states.admit(0, warp.stats->stalled, 100);
  REQUIRE(parts.streams.begin(0, warp, 100));
  CHECK(parts.fetch.next_fetch(100) == 106);
}

// Continues only from a cycle on.
class LateSource final : public BlockSource {
 public:
  explicit LateSource(Cycle known) : known_(known) {}
  std::uint32_t warp_count() const override { return 1; }
  void refill(WarpStream& stream, Cycle now) override {
    if (now >= known_) {
      stream.next = &instruction_;
      stream.end = &instruction_ + 1;
      stream.finished = true;
    }
  }
  Cycle known_at(const WarpStream& /*stream*/) const override { return known_; }
  LaneAddresses addresses(const WarpInstruction& /*instruction*/) const override { return {}; }

 private:
  Cycle known_;
  WarpInstruction instruction_{0, kAllLanes};
};

TEST_CASE("A warp whose continuation is not known is suspended until its source knows it") {
  KernelBuilder k;
  k.iadd(4, 1, 2);
  k.exit();
  SubCoreParts parts;
  ResidentWarp& warp = parts.start(k, 100);
  LateSource source(180);
  warp.start.source = &source;
  warp.stream.end = warp.stream.next + 1;
  warp.stream.finished = false;
  parts.skip(0, 100);
  CHECK(warp.suspended);
  CHECK(warp.hold == StallReason::kWait);
  CHECK(parts.events_in(100, 200).count(180) == 1);
  parts.streams.end_wait(0, warp, 180);
  CHECK_FALSE(warp.suspended);
  CHECK_FALSE(warp.held());
  CHECK(warp.redirected);  // back to the first instruction
}

TEST_CASE("A warp that waits for grids of its block is held until it is told that they are over") {
  KernelBuilder k;
  k.iadd(4, 1, 2);
  k.exit();
  SubCoreParts parts;
  ResidentWarp& warp = parts.start(k, 100);
  LateSource source(kNever);
  warp.start.source = &source;
  warp.stream.end = warp.stream.next + 1;
  warp.stream.finished = false;
  parts.skip(0, 100);
  CHECK(warp.suspended);
  CHECK(warp.hold == StallReason::kMisc);
  CHECK(warp.in_flight == 1);
  CHECK(parts.launches.waits(0, 0));
  parts.launches.end(warp.start.block_slot, 0, 180);
  CHECK(parts.events_in(100, 200).count(180) == 1);
}

TEST_CASE("A warp that comes back is where it was, and waits for what it waited for") {
  KernelBuilder k;
  k.iadd(4, 1, 2);
  k.iadd(5, 1, 2);
  k.exit();
  SubCoreParts parts;
  ResidentWarp& warp = parts.start(k, 100);
  LateSource source(kNever);
  warp.start.source = &source;
  SuspendedWarp from;
  from.behind = 1;
  from.suspended = true;
  from.active_lanes = 0xff;
  parts.streams.begin_again(0, warp, from, 500);
  CHECK(warp.suspended);
  CHECK(warp.suspended_behind == 1);
  CHECK(warp.active_lanes == 0xff);
  CHECK(parts.launches.waits(0, 0));

  // At a barrier, with instructions that its source has returned before.
  LateSource known(0);
  warp.start.source = &known;
  known.refill(from.stream, 500);
  from.suspended = false;
  from.barrier = 3;
  parts.streams.begin_again(0, warp, from, 600);
  CHECK_FALSE(warp.suspended);
  CHECK(warp.stream.next->index == 0);
}

}  // namespace
}  // namespace warpsim::test
