#include "core/sm/suspended_blocks.h"

#include <catch2/catch.hpp>
#include <utility>
#include <vector>

namespace warpsim {
namespace {

struct SuspensionBench {
  ClockDomain clock{"core", 1000};
  Link<BlockDone> link{clock, clock, 6, 10};
  SuspendedBlocks blocks{4};  // bytes in a cycle

  void leave(std::uint64_t index, std::uint32_t slot, std::uint64_t bytes, Cycle now) {
    ResidentBlock block;
    block.linear_index = index;
    block.warps_left = 2;
    SuspendedBlocks::State state;
    state.bytes = bytes;
    state.has_triggered = true;
    blocks.put(std::move(block), slot, state, now);
  }
  // What has been sent at `now`.
  std::vector<BlockDone> sent(Cycle now) {
    blocks.send(link, 4, now);
    std::vector<BlockDone> messages;
    while (!link.empty()) {
      messages.push_back(link.front());
      link.pop(link.next_arrival());
    }
    return messages;
  }
};

TEST_CASE("A block's resources are free when its state has been saved") {
  SuspensionBench bench;
  bench.leave(7, 3, 400, 100);
  CHECK_FALSE(bench.blocks.empty());
  CHECK(bench.blocks.holds(0));
  CHECK_FALSE(bench.blocks.holds(1));
  CHECK(bench.blocks.next_send(100) == 201);
  CHECK(bench.sent(200).empty());
  const std::vector<BlockDone> messages = bench.sent(201);
  REQUIRE(messages.size() == 1);
  CHECK(messages[0].kind == BlockDone::Kind::kLeaves);
  CHECK(messages[0].slot == 3);
  CHECK(messages[0].block == 7);
  CHECK(bench.blocks.next_send(201) == kNever);
}

TEST_CASE("A block that has left asks once for its return, not before its state has been saved") {
  SuspensionBench bench;
  bench.leave(7, 3, 400, 100);
  CHECK(bench.blocks.call(0, 8, 150) == kNever);  // it has not left
  CHECK(bench.blocks.call(0, 7, 150) == 201);
  CHECK(bench.blocks.call(0, 7, 180) == kNever);
  const std::vector<BlockDone> messages = bench.sent(201);
  REQUIRE(messages.size() == 2);
  CHECK(messages[0].kind == BlockDone::Kind::kLeaves);
  CHECK(messages[1].kind == BlockDone::Kind::kReturns);
  CHECK(messages[1].block == 7);

  SuspendedBlocks::State state;
  const ResidentBlock block = bench.blocks.take(0, 7, state);
  CHECK(block.warps_left == 2);
  CHECK(state.has_triggered);
  CHECK(bench.blocks.restore_cycles(state) == 100);
  CHECK(bench.blocks.empty());

  // It may leave again.
  bench.leave(7, 1, 0, 500);
  CHECK(bench.blocks.call(0, 7, 600) == 600);
  CHECK(bench.sent(550).size() == 1);
  CHECK(bench.sent(600).size() == 1);
}

TEST_CASE("Messages about blocks that leave keep space of the link for others") {
  SuspensionBench bench;
  for (std::uint64_t index = 0; index < 3; ++index) {
    bench.leave(index, static_cast<std::uint32_t>(index), 0, 100);
  }
  bench.blocks.send(bench.link, 4, 101);
  CHECK(bench.link.free_slots(101) == 4);
  CHECK(bench.blocks.next_send(101) == 102);
}

}  // namespace
}  // namespace warpsim
