#include "core/sub_core/stall_reason.h"

#include <catch2/catch.hpp>
#include <set>
#include <string>

#include "core/sub_core/sub_core_stats.h"

namespace warpsim {
namespace {

// The name by which the group knows the counter.
std::string name_of(const StatGroup& group, const Counter& counter) {
  for (const NamedCounter& named : group.counters()) {
    if (&named.counter() == &counter) {
      return named.name();
    }
  }
  return "";
}

TEST_CASE("Each stall reason has its own name, which is that of its counter") {
  StatGroup root("root");
  SubCoreStats stats(root, "sub_core", 0);
  std::set<std::string> names;
  for (std::uint32_t i = 0; i < kStallReasonCount; ++i) {
    const std::string name = to_string(static_cast<StallReason>(i));
    names.insert(name);
    CHECK(name_of(stats, stats.stalled[i]) == "stalled_" + name);
  }
  CHECK(names.size() == kStallReasonCount);
}

TEST_CASE("Stall reasons have the names of Nsight Compute's warp states") {
  CHECK(std::string(to_string(StallReason::kSelected)) == "selected");
  CHECK(std::string(to_string(StallReason::kLongScoreboard)) == "long_scoreboard");
  CHECK(std::string(to_string(StallReason::kMathPipeThrottle)) == "math_pipe_throttle");
  CHECK(std::string(to_string(StallReason::kDispatch)) == "dispatch_stall");
  CHECK(std::string(to_string(StallReason::kTexThrottle)) == "tex_throttle");
}

TEST_CASE("Each pipe has a counter with its name") {
  StatGroup root("root");
  SubCoreStats stats(root, "sub_core", 0);
  for (std::uint32_t i = 0; i < kPipeCount; ++i) {
    CHECK(name_of(stats, stats.pipe[i]) == std::string("pipe_") + to_string(static_cast<Pipe>(i)));
  }
}

}  // namespace
}  // namespace warpsim
