#include "core/sub_core/issue_times.h"

#include <catch2/catch.hpp>

namespace warpsim {
namespace {

IssueRules interval_rules(std::uint32_t interval, bool fp64_takes_all_slots = false) {
  IssueRules rules;
  rules.interval_cycles = interval;
  rules.fp64_takes_all_slots = fp64_takes_all_slots;
  return rules;
}

TEST_CASE("A scheduler issues once per cycle, or once per interval") {
  IssueSlots slots(interval_rules(1));
  IssueTimes every(interval_rules(1), slots);
  every.use(false, 10);
  CHECK(every.next(10) == 11);
  CHECK(every.next(20) == 20);
  IssueSlots pairs(interval_rules(2));
  IssueTimes second(interval_rules(2), pairs);
  CHECK(second.next(11) == 12);
  second.use(false, 12);
  CHECK(second.next(12) == 14);
}

TEST_CASE("A dispatch that is held back delays the next issue") {
  IssueSlots slots(interval_rules(1));
  IssueTimes times(interval_rules(1), slots);
  times.use(false, 10);
  CHECK_FALSE(times.held_back());
  times.hold_back(2, 10);
  CHECK(times.held_back());
  CHECK(times.next(11) == 13);
  times.end_hold();
  CHECK_FALSE(times.held_back());
}

TEST_CASE("Double precision takes the slots of other schedulers where the rules say so") {
  IssueSlots slots(interval_rules(2, true));
  IssueTimes one(interval_rules(2, true), slots);
  const IssueTimes other(interval_rules(2, true), slots);
  one.use(false, 10);
  CHECK(other.next(10) == 10);
  one.use(true, 12);
  CHECK(other.next(12) == 14);
}

}  // namespace
}  // namespace warpsim
