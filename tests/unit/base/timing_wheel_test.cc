#include "base/timing_wheel.h"

#include <catch2/catch.hpp>
#include <map>
#include <random>
#include <vector>

namespace warpsim {
namespace {

std::vector<int> drained(TimingWheel<int>& wheel, Cycle now) {
  std::vector<int> events;
  wheel.drain(now, [&](int event) { events.push_back(event); });
  return events;
}

TEST_CASE("An event is delivered at its cycle and not before") {
  TimingWheel<int> wheel;
  wheel.add(5, 1);
  CHECK(wheel.next() == 5);
  CHECK(drained(wheel, 4).empty());
  CHECK(drained(wheel, 5) == std::vector<int>{1});
  CHECK(wheel.empty());
  CHECK(wheel.next() == kNever);
}

TEST_CASE("Events of one cycle are delivered in the order of insertion") {
  TimingWheel<int> wheel;
  wheel.add(7, 1);
  wheel.add(6, 9);
  wheel.add(7, 2);
  wheel.add(7, 3);
  CHECK(drained(wheel, 7) == std::vector<int>{9, 1, 2, 3});
}

TEST_CASE("Events of one cycle keep their order if they were inserted far ahead") {
  TimingWheel<int> wheel;
  const Cycle far = 3 * TimingWheel<int>::kSlots + 17;
  for (int i = 0; i < 5; ++i) {
    wheel.add(far, i);
  }
  CHECK(drained(wheel, far - 10).empty());
  wheel.add(far, 5);  // near by now, after those that were far
  CHECK(drained(wheel, far) == std::vector<int>{0, 1, 2, 3, 4, 5});
}

TEST_CASE("An event exactly one turn of the wheel ahead is not delivered one turn early") {
  TimingWheel<int> wheel;
  const Cycle turn = TimingWheel<int>::kSlots;
  wheel.add(0, 0);
  wheel.add(turn - 1, 1);
  wheel.add(turn, 2);
  wheel.add(turn + 1, 3);
  CHECK(drained(wheel, 0) == std::vector<int>{0});
  CHECK(wheel.next() == turn - 1);
  CHECK(drained(wheel, turn - 1) == std::vector<int>{1});
  CHECK(wheel.next() == turn);
  CHECK(drained(wheel, turn) == std::vector<int>{2});
  CHECK(wheel.next() == turn + 1);
}

TEST_CASE("Skipped events are delivered late, but all of them and in order of cycle") {
  TimingWheel<int> wheel;
  wheel.add(2000, 3);
  wheel.add(10, 1);
  wheel.add(600, 2);
  CHECK(drained(wheel, 5000) == std::vector<int>{1, 2, 3});
}

TEST_CASE("A handler may insert events for later cycles while the wheel is drained") {
  TimingWheel<int> wheel;
  wheel.add(3, 10);
  std::vector<int> seen;
  for (Cycle now = 0; now < 2000; ++now) {
    wheel.drain(now, [&](int event) {
      seen.push_back(event);
      if (event < 15) {
        wheel.add(now + 300, event + 1);
      }
    });
  }
  CHECK(seen == std::vector<int>{10, 11, 12, 13, 14, 15});
}

TEST_CASE("An event in the past is an internal error") {
  TimingWheel<int> wheel;
  drained(wheel, 10);
  CHECK_THROWS_AS(wheel.add(10, 1), InternalError);
  CHECK_NOTHROW(wheel.add(11, 1));
}

TEST_CASE("Random events are delivered in the order of a sorted list") {
  std::mt19937 random(7);
  TimingWheel<int> wheel;
  std::multimap<Cycle, int> expected;
  int number = 0;
  Cycle now = 0;
  for (int step = 0; step < 2000; ++step) {
    const std::uint32_t more = random() % 4;
    for (std::uint32_t i = 0; i < more; ++i) {
      const Cycle ahead = 1 + (random() % 8 == 0 ? random() % 5000 : random() % 400);
      wheel.add(now + ahead, number);
      expected.emplace(now + ahead, number++);
    }
    now += 1 + random() % 60;
    std::vector<int> due;
    while (!expected.empty() && expected.begin()->first <= now) {
      due.push_back(expected.begin()->second);
      expected.erase(expected.begin());
    }
    REQUIRE(drained(wheel, now) == due);
    REQUIRE(wheel.size() == expected.size());
    REQUIRE(wheel.next() == (expected.empty() ? kNever : expected.begin()->first));
  }
}

}  // namespace
}  // namespace warpsim
