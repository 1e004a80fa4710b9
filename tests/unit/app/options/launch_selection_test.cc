#include "app/options/launch_selection.h"

#include <catch2/catch.hpp>

#include "base/error.h"

namespace warpsim {

TEST_CASE("launch selection: indices and ranges") {
  const LaunchSelection selection("0,3-5");
  std::vector<std::uint32_t> chosen;
  for (std::uint32_t launch = 0; launch < 10; ++launch) {
    if (selection.contains(launch)) {
      chosen.push_back(launch);
    }
  }
  CHECK(chosen == std::vector<std::uint32_t>{0, 3, 4, 5});
  CHECK(selection.last() == 5);
  CHECK_FALSE(selection.beyond(5));
  CHECK(selection.beyond(6));
}

TEST_CASE("launch selection: without a list all launches are selected") {
  const LaunchSelection all;
  CHECK(all.all());
  CHECK(all.contains(1000000));
  CHECK_FALSE(all.beyond(1000000));
}

TEST_CASE("launch selection: an invalid list is refused") {
  for (const char* text : {"", "x", "1,", ",1", "1-", "-1", "1;2", "1 2", "0x1", "99999999999"}) {
    CHECK_THROWS_AS(LaunchSelection(text), UsageError);
  }
  CHECK_THROWS_WITH(LaunchSelection("5-3"), "--launches '5-3': the end of a range is below its start");
}

}  // namespace warpsim
