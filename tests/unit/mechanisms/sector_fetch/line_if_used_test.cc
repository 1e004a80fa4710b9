#include "mechanisms/sector_fetch/line_if_used.h"

#include <catch2/catch.hpp>
#include <stdexcept>
#include <string>

#include "support/mechanism_bench.h"

namespace warpsim::mechanism {
namespace {

using LineBench = MechanismBench<LineIfUsed>;

// w: whole line, s: needed sector. Each line leaves when the sectors `used` were needed.
std::string misses_of(LineBench& fetch, int count, SectorMask used) {
  std::string answers;
  for (int i = 0; i < count; ++i) {
    std::uint32_t memo = 0;
    const SectorMask fetched = fetch->fetch({0, 0x2, 0xf, 0x40, 0}, memo);
    answers += fetched == 0xf ? 'w' : fetched == 0x2 ? 's' : '?';
    fetch->leaves({0, fetched, used, memo});
  }
  return answers;
}

// The counter is 2 of 3 at first.
const KeyValues kSmallLine{{"counter_bits", 2}, {"threshold", 2}};

TEST_CASE("Whole lines are fetched while further sectors are used") {
  LineBench fetch({CacheLevel::kL1}, kSmallLine);
  CHECK(misses_of(fetch, 4, 0x6) == "wwww");
  CHECK(misses_of(fetch, 4, 0x2) == "wwss");  // 3, 2, 1, 0
  CHECK(misses_of(fetch, 4, 0x3) == "ssww");
  CHECK(fetch.counter("whole_lines") == 8);
}

TEST_CASE("The weight of a use decides which share of lines must be used") {
  LineBench fetch({CacheLevel::kL1}, {{"counter_bits", 3}, {"threshold", 4}, {"use_weight", 3}});
  for (int i = 0; i < 10; ++i) {  // one line in three
    CHECK(misses_of(fetch, 2, 0x2).find('?') == std::string::npos);
    misses_of(fetch, 1, 0xf);
  }
  CHECK(fetch.counter("whole_lines") == 27);  // all from the third round on
}

TEST_CASE("A second miss of a line counts as its further use") {
  LineBench fetch({CacheLevel::kL1}, {{"counter_bits", 2}, {"threshold", 3}});
  std::uint32_t memo = 0;
  CHECK(fetch->fetch({0, 0x1, 0xf, 0x40, 0}, memo) == 0x1);
  CHECK(fetch->fetch({0, 0x4, 0xe, 0x40, 0}, memo) == 0x4);
  fetch->leaves({0, 0x5, 0x5, memo});
  CHECK(misses_of(fetch, 1, 0x2) == "w");
}

TEST_CASE("A threshold that the counter of lines cannot reach is refused") {
  CHECK_NOTHROW(LineBench({CacheLevel::kL1}, {{"counter_bits", 3}, {"threshold", 7}}));
  CHECK_THROWS_AS(LineBench({CacheLevel::kL1}, {{"counter_bits", 3}, {"threshold", 8}}), std::invalid_argument);
}

}  // namespace
}  // namespace warpsim::mechanism
