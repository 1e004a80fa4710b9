#include "mechanisms/mechanism_counters.h"

#include <catch2/catch.hpp>

#include "base/error.h"

namespace warpsim {
namespace {

using mechanism::CounterUnit;

std::uint64_t value_of(StatGroup& group, std::size_t child, std::size_t counter) {
  return group.children().at(child)->counters().at(counter).value();
}

TEST_CASE("Counters of a mechanism count for the launch that is selected") {
  LaunchStats<StatGroup> root("root");
  MechanismCounters counters(root, "replacement");
  mechanism::Counter first = counters.add("first", CounterUnit::kEvents, "what is first");
  mechanism::Counter second = counters.add("second", CounterUnit::kSectors, "what is second");
  counters.complete();
  root.add_seat();
  ++first;
  counters.select(1);
  second += 5;
  counters.select(0);
  ++first;
  StatGroup& own = root.group(0);
  REQUIRE(own.children().size() == 1);
  CHECK(own.children()[0]->name() == std::string("replacement"));
  CHECK(own.children()[0]->counters()[1].unit() == Unit::kSectors);
  CHECK(own.children()[0]->counters()[1].sentence() == std::string("what is second"));
  CHECK(value_of(own, 0, 0) == 2);
  CHECK(value_of(own, 0, 1) == 0);
  CHECK(value_of(root.group(1), 0, 0) == 0);
  CHECK(value_of(root.group(1), 0, 1) == 5);
}

TEST_CASE("A mechanism without counters adds no group") {
  LaunchStats<StatGroup> root("root");
  MechanismCounters counters(root, "replacement");
  counters.complete();
  counters.select(0);
  CHECK(root.group(0).children().empty());
}

TEST_CASE("The next object of a mechanism continues the same counters") {
  LaunchStats<StatGroup> root("root");
  MechanismCounters counters(root, "replacement");
  mechanism::Counter before = counters.add("hits", CounterUnit::kEvents, "hits");
  counters.complete();
  ++before;
  counters.begin_again();
  mechanism::Counter after = counters.add("hits", CounterUnit::kEvents, "hits");
  counters.complete();
  ++after;
  CHECK(value_of(root.group(0), 0, 0) == 2);
  CHECK_THROWS_WITH(counters.add("misses", CounterUnit::kEvents, "misses"),
                    "counter 'misses': expected the same counters in each object");
}

TEST_CASE("Names of counters that are none, or are used twice, are refused") {
  LaunchStats<StatGroup> root("root");
  MechanismCounters counters(root, "replacement");
  counters.add("hits", CounterUnit::kEvents, "hits");
  CHECK_THROWS_AS(counters.add("hits", CounterUnit::kEvents, "hits"), ConfigError);
  for (const char* name : {"", "Hits", "a b", "1st", "a-b", static_cast<const char*>(nullptr)}) {
    CHECK_THROWS_WITH(counters.add(name, CounterUnit::kEvents, "what"), Catch::Contains("expected a name"));
  }
  CHECK_THROWS_WITH(counters.add("good", CounterUnit::kEvents, nullptr), Catch::Contains("and a sentence"));
}

TEST_CASE("A counter that was not assigned says so when it counts") {
  mechanism::Counter counter;
  CHECK_THROWS_AS(++counter, mechanism::UnassignedCounter);
  CHECK_THROWS_WITH(counter += 2,
                    Catch::Contains("counts but was not assigned; expected the result of counters.add()"));
  LaunchStats<StatGroup> root("root");
  MechanismCounters counters(root, "replacement");
  counter = counters.add("hits", CounterUnit::kEvents, "hits");
  counters.complete();
  ++counter;
  CHECK(value_of(root.group(0), 0, 0) == 1);
}

TEST_CASE("Each unit of mechanisms is one of the statistics") {
  CHECK(unit_of(CounterUnit::kEvents) == Unit::kEvents);
  CHECK(unit_of(CounterUnit::kCycles) == Unit::kCycles);
  CHECK(unit_of(CounterUnit::kInstructions) == Unit::kInstructions);
  CHECK(unit_of(CounterUnit::kWarps) == Unit::kWarps);
  CHECK(unit_of(CounterUnit::kRequests) == Unit::kRequests);
  CHECK(unit_of(CounterUnit::kSectors) == Unit::kSectors);
  CHECK(unit_of(CounterUnit::kBytes) == Unit::kBytes);
}

}  // namespace
}  // namespace warpsim
