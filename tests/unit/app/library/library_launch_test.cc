#include "app/library/library_launch.h"

#include <catch2/catch.hpp>
#include <cmath>

namespace warpsim {
namespace {

struct Group : StatGroup {
  using StatGroup::StatGroup;
  Counter hits{*this, "hits", Unit::kRequests, "hits"};
};

TEST_CASE("LibraryLaunch: counters by name, and a name that a person can read") {
  StatGroup root("gpu");
  Group part(root, "cache");
  part.hits += 3;
  const LibraryLaunch launch(2, "_Z6vecaddPf", 100, root);
  CHECK(launch.kernel() == "vecadd(float*)");
  CHECK(launch.index() == 2);
  CHECK(launch.counter("cache.hits") == 3U);
  REQUIRE(launch.counters().size() == 1);
  CHECK(launch.counters()[0].name == "cache.hits");
  CHECK(launch.metrics().empty());
}

TEST_CASE("LibraryLaunch: a metric without a value is not a number") {
  StatGroup root("gpu");
  LaunchRecord record;
  record.kernel = "k";
  record.duration_ns = 5;
  const MetricCatalog catalog;
  const LibraryLaunch launch(record, root, catalog);
  CHECK_FALSE(launch.metrics().empty());
  REQUIRE(launch.metric("smsp__inst_executed.avg.per_cycle_active"));
  CHECK(std::isnan(*launch.metric("smsp__inst_executed.avg.per_cycle_active")));
}

}  // namespace
}  // namespace warpsim
