#include "mechanisms/prefetch_answer.h"

#include <catch2/catch.hpp>

#include "base/error.h"

namespace warpsim {
namespace {

mechanism::PrefetchList list_of(mechanism::Address line, mechanism::SectorMask sectors) {
  mechanism::PrefetchList wanted;
  wanted.add(0, 0x1);
  wanted.add(line, sectors);
  return wanted;
}

TEST_CASE("Lines of a prefetcher are multiples of 128 bytes, with sectors of a line") {
  CHECK_NOTHROW(require_lines(list_of(128, 0xf), "mine"));
  CHECK_NOTHROW(require_lines(list_of(~mechanism::Address{127}, 0x8), "mine"));
  CHECK_THROWS_AS(require_lines(list_of(127, 0xf), "mine"), ConfigError);
  CHECK_THROWS_WITH(require_lines(list_of(129, 0xf), "mine"),
                    "prefetcher 'mine' requests the line 0x81, expected a multiple of 128");
  CHECK_THROWS_WITH(require_lines(list_of(128, 0x1f), "mine"),
                    "prefetcher 'mine' requests the sectors 0x1f of a line, expected some of 0xf");
}

TEST_CASE("A list counts the lines beyond its maximum until it is cleared") {
  mechanism::PrefetchList wanted;
  for (std::uint32_t i = 0; i < mechanism::PrefetchList::kMost; ++i) {
    wanted.add(0, 0x1);
  }
  wanted.add(0, 0);  // no sectors: no line
  CHECK(wanted.beyond() == 0);
  wanted.add(128, 0x1);
  CHECK(wanted.beyond() == 1);
  CHECK(wanted.end() - wanted.begin() == mechanism::PrefetchList::kMost);
  wanted.clear();
  CHECK(wanted.beyond() == 0);
}

}  // namespace
}  // namespace warpsim
