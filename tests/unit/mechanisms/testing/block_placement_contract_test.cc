// The kit of block placements finds the faults that it is for.
#include "warpsim/testing/block_placement_contract.h"

#include <catch2/catch.hpp>

#include "support/violations.h"

namespace warpsim::mechanism {
namespace {

class AlwaysFirst final : public BlockPlacement {
 public:
  AlwaysFirst(const Settings& /*settings*/, const Site& /*site*/, Counters& /*counters*/) {}
  std::uint32_t choose(const SmSpace* /*sms*/, std::uint64_t /*left*/) override { return 0; }
};

// Continues where another object stopped.
class SharedTurn final : public BlockPlacement {
 public:
  SharedTurn(const Settings& /*settings*/, const Site& site, Counters& /*counters*/) : sms_(site.sms) {}
  std::uint32_t choose(const SmSpace* sms, std::uint64_t /*left*/) override {
    static std::uint32_t turn = 0;
    do {
      turn = (turn + 1) % sms_;
    } while (sms[turn].room == 0);
    return turn;
  }

 private:
  std::uint32_t sms_;
};

TEST_CASE("The kit of block placements finds SMs without room and objects that share state") {
  CHECK(says(testing::check_block_placement(entry_of<AlwaysFirst>("first", "always the first")), "has no room"));
  CHECK(says(testing::check_block_placement(entry_of<SharedTurn>("shared", "shares a turn")), "answer differently"));
}

}  // namespace
}  // namespace warpsim::mechanism
