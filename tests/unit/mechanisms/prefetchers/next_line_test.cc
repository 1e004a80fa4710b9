#include "mechanisms/prefetchers/next_line.h"

#include <catch2/catch.hpp>
#include <vector>

#include "support/mechanism_bench.h"
#include "support/prefetched_lines.h"

namespace warpsim::mechanism {
namespace {

TEST_CASE("A miss requests the next line, a hit does not") {
  MechanismBench<NextLine> next_line;
  CHECK(prefetched(*next_line, {0x1000, 0xf, false}) == Lines{0x1080});
  CHECK(prefetched(*next_line, {0x1000, 0xf, true}).empty());
  CHECK(next_line.counter("predictions") == 1);
}

TEST_CASE("Hits request lines if the description says so") {
  MechanismBench<NextLine> next_line({}, {{"on_hits", 1}});
  CHECK(prefetched(*next_line, {0x1000, 0xf, true}) == Lines{0x1080});
  CHECK(prefetched(*next_line, {0x1000, 0xf, false}) == Lines{0x1080});
}

TEST_CASE("The degree is the number of next lines") {
  MechanismBench<NextLine> next_line({}, {{"degree", 3}});
  CHECK(prefetched(*next_line, {0x1000, 0xf, false}) == Lines{0x1080, 0x1100, 0x1180});
  CHECK(next_line.counter("predictions") == 3);
}

TEST_CASE("The next line is requested with the sectors of the load") {
  MechanismBench<NextLine> next_line;
  PrefetchList wanted;
  next_line->access({0, 0x6, false}, wanted);
  REQUIRE(wanted.end() - wanted.begin() == 1);
  CHECK(wanted.begin()->sectors == 0x6);
}

TEST_CASE("There is no next line after the end of the address space") {
  MechanismBench<NextLine> next_line({}, {{"degree", 3}});
  CHECK(prefetched(*next_line, {~Address{0} - 255, 0xf, false}) == Lines{~Address{0} - 127});
  CHECK(prefetched(*next_line, {~Address{0} - 127, 0xf, false}).empty());
  CHECK(next_line.counter("predictions") == 1);
}

}  // namespace
}  // namespace warpsim::mechanism
