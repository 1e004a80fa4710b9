#include "mechanisms/miss_admissions/dynamic_threshold.h"

#include <catch2/catch.hpp>

#include "support/mechanism_bench.h"

namespace warpsim::mechanism {
namespace {

using ThresholdBench = MechanismBench<DynamicThreshold>;

// Entries that a requester gets one after another, from `used` on.
std::uint32_t taken_by(ThresholdBench& threshold, std::uint32_t requester, std::uint32_t& used) {
  std::uint32_t taken = 0;
  MissOffer miss{.line = 0, .sectors = 0x1, .used = used, .requester = requester};
  while (threshold->admits(miss)) {
    threshold->begins(miss.used++, miss);
    ++taken;
  }
  used = miss.used;
  return taken;
}

TEST_CASE("A requester alone takes its multiple of what it leaves free") {
  ThresholdBench threshold({CacheLevel::kL1, 16}, {{"multiple", 1}});
  std::uint32_t used = 0;
  CHECK(taken_by(threshold, 3, used) == 8);  // 8 of 16 are free
  CHECK(taken_by(threshold, 4, used) == 4);  // 4 are free
  CHECK(taken_by(threshold, 5, used) == 2);
}

TEST_CASE("The last entries are left to requesters that have none") {
  ThresholdBench threshold({CacheLevel::kL1, 16}, {{"multiple", 0.25}});
  std::uint32_t used = 0;
  CHECK(taken_by(threshold, 0, used) == 4);  // 3 < 0.25 * 13, and 4 > 0.25 * 12
  MissOffer miss{.line = 0, .sectors = 0x1, .used = 15, .requester = 0};
  CHECK_FALSE(threshold->admits(miss));
  miss.requester = 1;
  CHECK(threshold->admits(miss));
  miss.requester = 0;
  miss.joins = true;
  CHECK(threshold->admits(miss));
}

TEST_CASE("Ended entries are free again, and any number of entries is no limit") {
  ThresholdBench threshold({CacheLevel::kL1, 2}, {{"multiple", 0.5}});
  const MissOffer miss{.line = 0, .sectors = 0x1, .used = 1, .requester = 0};
  threshold->begins(0, miss);
  CHECK_FALSE(threshold->admits(miss));
  threshold->ends(0);
  CHECK(threshold->admits(miss));
  ThresholdBench any({CacheLevel::kL2, 0}, {});
  for (std::uint32_t entry = 0; entry < 100; ++entry) {
    any->begins(entry, miss);
  }
  CHECK(any->admits(miss));
}

}  // namespace
}  // namespace warpsim::mechanism
