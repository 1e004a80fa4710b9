#include "mechanisms/write_policies/around_unless_reused.h"

#include <catch2/catch.hpp>
#include <string>

#include "support/mechanism_bench.h"

namespace warpsim::mechanism {
namespace {

using AroundBench = MechanismBench<AroundUnlessReused>;

// A write of an absent line. b: stays, written back; t: stays, written through; a: goes around. A line that stays
// leaves after a use, or without one.
char write_line(AroundBench& policy, bool used, Address line = 0, Address pc = 0) {
  std::uint32_t memo = 0;
  const WriteWay way = policy->write({.line = line, .sectors = 0xf, .complete = 0xf, .pc = pc}, memo);
  if (way == WriteWay::kAround) {
    return 'a';
  }
  policy->leaves({line, 0xf, static_cast<SectorMask>(used ? 0x1 : 0), 0, memo});
  return way == WriteWay::kBack ? 'b' : 't';
}
std::string write_lines(AroundBench& policy, int count, bool used, Address line = 0, Address pc = 0) {
  std::string ways;
  for (int i = 0; i < count; ++i) {
    ways += write_line(policy, used, line, pc);
  }
  return ways;
}

TEST_CASE("Writes go around after lines that were not used, but for probes, which find uses again") {
  AroundBench policy({CacheLevel::kL2}, {{"probe_interval", 4}});
  CHECK(write_lines(policy, 8, false) == "baaabaaa");  // the counter: 2, 1, 0
  CHECK(write_lines(policy, 9, true) == "baaabbbbb");  // 0, 1, 2
  CHECK(policy.counter("probes") == 3);
}

TEST_CASE("Written lines that are written again were used") {
  AroundBench policy({CacheLevel::kL2});
  std::uint32_t memo = 0;
  policy->write({.sectors = 0x1}, memo);
  policy->leaves({0, 0x1, 0, 0x1, memo});
  CHECK(write_lines(policy, 3, false) == "bba");  // 3, 2, 1
}

TEST_CASE("Present lines stay, whatever their counter says") {
  AroundBench policy({CacheLevel::kL2});
  write_line(policy, false);
  std::uint32_t memo = 0;
  CHECK(policy->write({.sectors = 0x1, .line_present = true}, memo) == WriteWay::kBack);
}

TEST_CASE("In L2 regions have counters of their own, in L1 stores have") {
  AroundBench l2({CacheLevel::kL2}, {{"region_lines", 4}});
  write_line(l2, false, 0);
  CHECK(write_line(l2, false, 3 * kLineBytes) == 'a');
  CHECK(write_line(l2, false, 4 * kLineBytes) == 'b');
  AroundBench l1({CacheLevel::kL1});
  write_line(l1, false, 0, 0x40);
  CHECK(write_line(l1, false, 1000 * kLineBytes, 0x40) == 'a');
  CHECK(write_line(l1, false, 0, 0x50) == 't');
}

}  // namespace
}  // namespace warpsim::mechanism
