// The kit of networks finds the faults that it is for.
#include "warpsim/testing/network_contract.h"

#include <catch2/catch.hpp>

#include "support/violations.h"

namespace warpsim::mechanism {
namespace {

class Instant final : public Network {
 public:
  Instant(const Settings& /*settings*/, const Site& /*site*/, Counters& /*counters*/) {}
  Cycle arrival(const NetworkMessage& /*message*/, Cycle now) override { return now; }
};

class LongMessagesLast final : public Network {
 public:
  LongMessagesLast(const Settings& /*settings*/, const Site& /*site*/, Counters& /*counters*/) {}
  Cycle arrival(const NetworkMessage& message, Cycle now) override { return now + message.bytes; }
};

class NeverEmpty final : public Network {
 public:
  NeverEmpty(const Settings& /*settings*/, const Site& /*site*/, Counters& /*counters*/) {}
  Cycle arrival(const NetworkMessage& /*message*/, Cycle now) override { return now + (sum_ += 10000000); }

 private:
  Cycle sum_ = 0;
};

TEST_CASE("The kit of networks finds messages without time, messages that pass others, and endless times") {
  CHECK(says(testing::check_network(entry_of<Instant>("instant", "takes no time")), "in the cycle in which it enters"));
  CHECK(says(testing::check_network(entry_of<LongMessagesLast>("long", "a cycle a byte")), "pass each other"));
  CHECK(says(testing::check_network(entry_of<NeverEmpty>("never", "longer and longer")), "a million cycles"));
}

}  // namespace
}  // namespace warpsim::mechanism
