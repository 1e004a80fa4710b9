#include <catch2/catch.hpp>

#include "mechanisms/arbitrations/fixed_priority.h"
#include "mechanisms/arbitrations/least_sent.h"
#include "mechanisms/arbitrations/oldest_first.h"
#include "warpsim/testing/test_counters.h"

namespace warpsim::mechanism {

TEST_CASE("Oldest first: the message that waits longest goes first, of equal ones that of the lower requester") {
  testing::TestCounters counters;
  const OldestFirst arbitration({}, {8, false}, counters);
  CHECK(arbitration.before({.requester = 5, .since = 10}, {.requester = 1, .since = 11}));
  CHECK_FALSE(arbitration.before({.requester = 1, .since = 11}, {.requester = 5, .since = 10}));
  CHECK(arbitration.before({.requester = 1, .since = 10}, {.requester = 5, .since = 10}));
}

TEST_CASE("Fixed priority: the lower requester goes first, however long the other one waits") {
  testing::TestCounters counters;
  const FixedPriority arbitration({}, {8, false}, counters);
  CHECK(arbitration.before({.requester = 1, .since = 1000}, {.requester = 5, .since = 10}));
  CHECK_FALSE(arbitration.before({.requester = 5, .since = 10}, {.requester = 1, .since = 1000}));
}

TEST_CASE("Least sent: requesters share bytes, not messages") {
  testing::TestCounters counters;
  LeastSent arbitration({}, {4, false}, counters);
  const ArbitrationOffer large{.requester = 0, .bytes = 160};
  const ArbitrationOffer small{.requester = 1, .bytes = 32};
  std::uint32_t sent[2] = {0, 0};
  for (int i = 0; i < 60; ++i) {
    const ArbitrationOffer& next = arbitration.before(large, small) ? large : small;
    ++sent[next.requester];
    arbitration.sent(next, 0);
  }
  CHECK(sent[0] == 10);
  CHECK(sent[1] == 50);
}

TEST_CASE("Least sent: a requester that was silent has saved only some bytes") {
  testing::TestCounters counters;
  LeastSent arbitration({.saved_bytes = 64}, {4, false}, counters);
  const ArbitrationOffer busy{.requester = 0, .bytes = 32};
  for (int i = 0; i < 100; ++i) {
    arbitration.sent(busy, 0);
  }
  const ArbitrationOffer silent{.requester = 3, .bytes = 32};
  for (int i = 0; i < 3; ++i) {  // from the 97th of 99 messages on
    CHECK(arbitration.before(silent, busy));
    arbitration.sent(silent, 0);
  }
  CHECK(arbitration.before(busy, silent));
}

}  // namespace warpsim::mechanism
