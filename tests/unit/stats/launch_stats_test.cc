#include "stats/launch_stats.h"

#include <catch2/catch.hpp>
#include <string>

using namespace warpsim;

namespace {

struct PartStats : StatGroup {
  using StatGroup::StatGroup;
  Counter events{*this, "events", Unit::kEvents, "what the part does"};
};

// The paths and values of a tree.
class Values : public StatVisitor {
 public:
  explicit Values(const StatGroup& root) { visit(root, *this); }
  void counter(const std::string& /*kind*/, const std::string& path, const NamedCounter& counter) override {
    text += path + "." + counter.name() + "=" + std::to_string(counter.value()) + " ";
  }
  void histogram(const std::string& /*kind*/, const std::string& /*path*/, const Histogram& /*histogram*/) override {}

  std::string text;
};

}  // namespace

TEST_CASE("Launch statistics: the sets of each seat form a tree like that of one launch") {
  LaunchStats<StatGroup> root("gpu");
  LaunchStats<PartStats> first(root, "part", 0);
  LaunchStats<PartStats> inner(first, "inner");
  LaunchStats<PartStats> second(root, "part", 1);
  ++first[0].events;
  CHECK(Values(root[0]).text == "part[0].events=1 part[0].inner.events=0 part[1].events=0 ");

  root.add_seat();
  REQUIRE(inner.seats() == 2);
  first[1].events += 5;
  ++inner[1].events;
  ++second[0].events;
  CHECK(Values(root[0]).text == "part[0].events=1 part[0].inner.events=0 part[1].events=1 ");
  CHECK(Values(root[1]).text == "part[0].events=5 part[0].inner.events=1 part[1].events=0 ");

  root[1].reset();
  CHECK(first[0].events.value() == 1);
  CHECK(first[1].events.value() == 0);
}

TEST_CASE("Launch statistics: a component that is added later has all seats") {
  LaunchStats<StatGroup> root("gpu");
  root.add_seat();
  LaunchStats<PartStats> part(root, "part");
  REQUIRE(part.seats() == 2);
  ++part[1].events;
  CHECK(Values(root[0]).text == "part.events=0 ");
  CHECK(Values(root[1]).text == "part.events=1 ");
}

TEST_CASE("Launch statistics: every seat shows the levels of a component") {
  LaunchStats<StatGroup> root("gpu");
  LaunchStats<PartStats> part(root, "part");
  std::uint64_t queued = 3;
  part.add_gauge("queued", [&queued] { return queued; });
  root.add_seat();
  queued = 4;
  for (const LaunchSeat seat : {LaunchSeat{0}, LaunchSeat{1}}) {
    REQUIRE(part[seat].gauges().size() == 1);
    CHECK(std::string(part[seat].gauges()[0]->name()) == "queued");
    CHECK(part[seat].gauges()[0]->value() == 4);
  }
}
