#include "warpsim/testing/test_keys.h"

#include <catch2/catch.hpp>
#include <stdexcept>

#include "warpsim/testing/test_counters.h"

namespace warpsim::mechanism::testing {
namespace {

struct ThreeKeys {
  std::uint32_t size = 4;
  double share = 0.5;
  bool open = true;

  void describe(Keys& keys) {
    keys.integer("size", size, 1, 0xffffffffU, "number of entries");
    keys.real("share", share, 0, 1, "part of them");
    keys.boolean("open", open, "whether there is a way in");
  }
};

TEST_CASE("Keys keep names, defaults and ranges") {
  ThreeKeys settings;
  TestKeys keys;
  settings.describe(keys);
  REQUIRE(keys.keys().size() == 3);
  CHECK(keys.keys()[0] == TestKeys::Key{"size", TestKeys::Kind::kInteger, 4, 1, 4294967295.0, "number of entries"});
  CHECK(keys.keys()[1] == TestKeys::Key{"share", TestKeys::Kind::kReal, 0.5, 0, 1, "part of them"});
  CHECK(keys.keys()[2] == TestKeys::Key{"open", TestKeys::Kind::kBoolean, 1, 0, 1, "whether there is a way in"});
  CHECK(settings.size == 4);
  CHECK(settings.share == 0.5);
  CHECK(settings.open);
}

TEST_CASE("A key gets the value that a test sets") {
  ThreeKeys settings;
  TestKeys keys;
  keys.set("size", 4294967295.0);
  keys.set("share", 0.25);
  keys.set("open", 0);
  settings.describe(keys);
  CHECK(settings.size == 0xffffffffU);
  CHECK(settings.share == 0.25);
  CHECK_FALSE(settings.open);
  CHECK(keys.unknown().empty());
}

TEST_CASE("Values that a key does not allow are refused") {
  const auto set = [](const char* name, double value) {
    ThreeKeys settings;
    TestKeys keys;
    keys.set(name, value);
    settings.describe(keys);
  };
  CHECK_NOTHROW(set("size", 1));
  CHECK_THROWS_AS(set("size", 0), std::out_of_range);
  CHECK_THROWS_AS(set("size", 1.5), std::out_of_range);
  CHECK_THROWS_AS(set("share", 1.25), std::out_of_range);
  CHECK_THROWS_AS(set("open", 2), std::out_of_range);
}

TEST_CASE("Names that no key has are unknown") {
  ThreeKeys settings;
  TestKeys keys;
  keys.set("sice", 3);
  settings.describe(keys);
  CHECK(keys.unknown() == std::vector<std::string>{"sice"});
  CHECK(keys.has("size"));
  CHECK_FALSE(keys.has("sice"));
}

TEST_CASE("Counters keep their values while others are added") {
  TestCounters counters;
  Counter first = counters.add("first", CounterUnit::kEvents, "one");
  ++first;
  for (const char* name : {"b", "c", "d", "e", "f"}) {
    counters.add(name, CounterUnit::kCycles, "more");
  }
  Counter last = counters.add("last", CounterUnit::kBytes, "seven");
  first += 2;
  ++last;
  CHECK(counters.value("first") == 3);
  CHECK(counters.value("c") == 0);
  CHECK(counters.value("last") == 1);
  CHECK(counters.declarations().size() == 7);
  CHECK(counters.declarations().back() == TestCounters::Declaration{"last", CounterUnit::kBytes, "seven"});
  CHECK_THROWS_AS(counters.value("none"), std::out_of_range);
}

}  // namespace
}  // namespace warpsim::mechanism::testing
