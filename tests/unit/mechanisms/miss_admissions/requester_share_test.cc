#include "mechanisms/miss_admissions/requester_share.h"

#include <catch2/catch.hpp>

#include "support/mechanism_bench.h"

namespace warpsim::mechanism {
namespace {

using ShareBench = MechanismBench<RequesterShare>;

MissOffer miss_of(std::uint32_t requester, std::uint32_t used = 1) {
  return {.line = 0, .sectors = 0x1, .used = used, .requester = requester};
}

TEST_CASE("A requester begins entries up to its share") {
  ShareBench share({CacheLevel::kL1, 8}, {{"percent", 25}});
  for (std::uint32_t entry = 0; entry < 2; ++entry) {
    REQUIRE(share->admits(miss_of(5)));
    share->begins(entry, miss_of(5));
  }
  CHECK_FALSE(share->admits(miss_of(5)));
  CHECK(share->admits(miss_of(6)));
  MissOffer same_line = miss_of(5);
  same_line.joins = true;
  CHECK(share->admits(same_line));
  share->ends(0);
  CHECK(share->admits(miss_of(5)));
}

TEST_CASE("A share is at least one entry, and of any number of entries it is no limit") {
  ShareBench small({CacheLevel::kL2, 8}, {{"percent", 1}});
  CHECK(small->admits(miss_of(0, 0)));
  small->begins(0, miss_of(0, 0));
  CHECK_FALSE(small->admits(miss_of(0)));
  ShareBench any({CacheLevel::kL2, 0}, {{"percent", 1}});
  for (std::uint32_t entry = 0; entry < 1000; ++entry) {
    REQUIRE(any->admits(miss_of(0, entry)));
    any->begins(entry, miss_of(0, entry));
  }
}

}  // namespace
}  // namespace warpsim::mechanism
