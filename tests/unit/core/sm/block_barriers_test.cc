#include "core/sm/block_barriers.h"

#include <catch2/catch.hpp>
#include <vector>

namespace warpsim {
namespace {

constexpr BlockBarrierConfig kConfig{16, 10};  // an arrival every two cycles, released ten cycles after the last

struct Release {
  Cycle cycle;
  std::uint8_t warp;
  friend bool operator==(const Release&, const Release&) = default;
};

struct Rig {
  explicit Rig(std::uint32_t warps) : barriers(kConfig, 2, events, root) { barriers.start_block(0, warps, 0); }
  void arrive(std::uint8_t warp, Cycle now, std::uint32_t barrier = 0, std::uint32_t expected = 0, bool waits = true) {
    barriers.arrive(0, barrier, expected, {0, warp}, waits, now);
  }
  std::vector<Release> releases(Cycle until) {
    std::vector<Release> result;
    for (Cycle now = drained_; now <= until; ++now) {
      events.drain(now, [&](const SmEvent& event) {
        CHECK(event.kind == SmEvent::Kind::kBarrierDone);
        result.push_back({now, event.warp});
      });
    }
    drained_ = until + 1;
    return result;
  }
  LaunchStats<StatGroup> root{"root"};
  SmEvents events;
  BlockBarriers barriers;

 private:
  Cycle drained_ = 0;
};

using Releases = std::vector<Release>;

TEST_CASE("A barrier releases its warps a fixed time after the last arrival") {
  Rig rig(2);
  rig.arrive(0, 100);
  rig.arrive(1, 150);
  CHECK(rig.releases(159).empty());
  CHECK(rig.releases(160) == Releases{{160, 0}, {160, 1}});
}

TEST_CASE("Arrivals at the same time are processed one after another") {
  Rig rig(4);
  for (std::uint8_t warp = 0; warp < 4; ++warp) {
    rig.arrive(warp, 100);
  }
  // Processed at 100, 102, 104 and 106.
  CHECK(rig.releases(200) == Releases{{116, 0}, {116, 1}, {116, 2}, {116, 3}});
}

TEST_CASE("A barrier can be used repeatedly") {
  Rig rig(2);
  for (Cycle round = 0; round < 3; ++round) {
    rig.arrive(0, 100 * round);
    CHECK(rig.releases(100 * round + 40).empty());
    rig.arrive(1, 100 * round + 50);
    CHECK(rig.releases(100 * round + 90).size() == 2);
  }
}

TEST_CASE("A warp that exits no longer counts, and its exit can release the others") {
  Rig rig(3);
  rig.arrive(0, 100);
  rig.arrive(1, 110);
  CHECK(rig.releases(150).empty());
  rig.barriers.warp_exited(0, 200);
  CHECK(rig.releases(300) == Releases{{210, 0}, {210, 1}});
}

TEST_CASE("A warp that exited before reduces the expected number") {
  Rig rig(3);
  rig.barriers.warp_exited(0, 50);
  rig.arrive(0, 100);
  rig.arrive(1, 110);
  CHECK(rig.releases(300) == Releases{{120, 0}, {120, 1}});
}

TEST_CASE("Barriers of different numbers are independent") {
  Rig rig(2);
  rig.arrive(0, 100, 1);
  rig.arrive(1, 100, 2);
  CHECK(rig.releases(200).empty());
  rig.arrive(1, 200, 1);
  CHECK(rig.releases(300) == Releases{{210, 0}, {210, 1}});
}

TEST_CASE("A named barrier with its own count waits for that number of warps of the block") {
  Rig rig(4);
  rig.arrive(0, 100, 1, 2);
  rig.arrive(1, 120, 1, 2);
  CHECK(rig.releases(200) == Releases{{130, 0}, {130, 1}});
}

TEST_CASE("An exit does not release a barrier with its own count") {
  Rig rig(2);
  rig.arrive(0, 100, 1, 2);
  rig.barriers.warp_exited(0, 120);
  CHECK(rig.releases(300).empty());
}

TEST_CASE("A warp that only arrives counts but is not released") {
  Rig rig(2);
  rig.arrive(0, 100, 1, 2, false);
  rig.arrive(1, 120, 1, 2, true);
  CHECK(rig.releases(200) == Releases{{130, 1}});
}

TEST_CASE("Blocks have separate barriers, and a new block starts with reset barriers") {
  Rig rig(2);
  rig.barriers.start_block(1, 1, 0);
  rig.arrive(0, 100);
  rig.barriers.arrive(1, 0, 0, {1, 7}, true, 100);
  CHECK(rig.releases(150) == Releases{{112, 7}});  // processed at 102, after block 0's warp
  rig.barriers.start_block(0, 1, 0);
  rig.arrive(0, 200);
  CHECK(rig.releases(300) == Releases{{210, 0}});
}

TEST_CASE("The warps at the barriers of a block that has left arrive again when it comes back") {
  Rig rig(4);
  rig.arrive(0, 100);
  rig.arrive(1, 100);
  rig.arrive(2, 100, 5, 2, false);  // arrives only
  CHECK(rig.barriers.barrier_of(0, {0, 1}) == 0);
  CHECK(rig.barriers.barrier_of(0, {0, 2}) == BlockBarriers::kBarriersPerBlock);
  const BlockBarriers::Suspended state = rig.barriers.suspend_block(0);
  CHECK(rig.barriers.barrier_of(0, {0, 1}) == BlockBarriers::kBarriersPerBlock);

  // To another slot, and warps get other slots.
  rig.barriers.resume_block(1, 4, 0, state);
  rig.barriers.wait_again(1, 0, {0, 6}, 500);
  rig.barriers.wait_again(1, 0, {0, 7}, 501);
  rig.barriers.arrive(1, 0, 0, {0, 4}, true, 510);
  CHECK(rig.releases(600).empty());
  rig.barriers.arrive(1, 0, 0, {0, 5}, true, 610);
  CHECK(rig.releases(700) == std::vector<Release>{{620, 6}, {620, 7}, {620, 4}, {620, 5}});
  // The arrival without a wait was kept.
  rig.barriers.arrive(1, 5, 2, {0, 4}, true, 710);
  CHECK(rig.releases(800) == std::vector<Release>{{720, 4}});
}

}  // namespace
}  // namespace warpsim
