#include "mechanisms/l1_insertion/reuse_by_pc.h"

#include <catch2/catch.hpp>
#include <stdexcept>
#include <string>

#include "support/mechanism_bench.h"

namespace warpsim::mechanism {
namespace {

using ReuseBench = MechanismBench<ReuseByPc>;

Insertion miss_of(ReuseBench& insertion, Address pc = 0x40) {
  return insertion->access({0, 0xf, false, 0, pc});
}
void hit_of(ReuseBench& insertion, Address pc = 0x40) {
  CHECK(insertion->access({0, 0xf, true, 0, pc}) == Insertion::kKeep);
}
// k: kept, b: bypassed.
std::string misses_of(ReuseBench& insertion, int count, Address pc = 0x40) {
  std::string answers;
  for (int i = 0; i < count; ++i) {
    answers += miss_of(insertion, pc) == Insertion::kBypass ? 'b' : 'k';
  }
  return answers;
}

// The counter is 3 at first.
const KeyValues kSmallReuse{{"counter_bits", 2}, {"threshold", 2}, {"hit_weight", 1}, {"sample_interval", 4}};

TEST_CASE("A load whose lines are not hit bypasses, except its samples") {
  ReuseBench insertion({64}, kSmallReuse);
  CHECK(misses_of(insertion, 14) == "kkbbbkbbbkbbbk");  // 0 from the first sample on
  CHECK(insertion.counter("bypasses") == 9);
  CHECK(insertion.counter("samples") == 3);
}

TEST_CASE("Twelve misses without a hit lead to bypassing by default") {
  ReuseBench insertion;
  CHECK(misses_of(insertion, 14) == "kkkkkkkkkkkkbb");
}

TEST_CASE("Hits of samples end the bypassing") {
  ReuseBench insertion({64}, kSmallReuse);
  CHECK(misses_of(insertion, 6) == "kkbbbk");  // 0 after the sample
  hit_of(insertion);
  CHECK(misses_of(insertion, 1) == "b");
  hit_of(insertion);
  CHECK(misses_of(insertion, 1) == "k");
  CHECK(misses_of(insertion, 4) == "bbbk");
}

TEST_CASE("Lines that bypass do not lower the counter") {
  ReuseBench insertion({64}, {{"counter_bits", 3}, {"threshold", 4}, {"hit_weight", 1}, {"sample_interval", 1000}});
  CHECK(misses_of(insertion, 100) == "kkkk" + std::string(96, 'b'));  // 3 after four misses
  hit_of(insertion);
  CHECK(misses_of(insertion, 2) == "kb");
}

TEST_CASE("The counter saturates at its maximum") {
  ReuseBench insertion({64}, kSmallReuse);
  for (int i = 0; i < 100; ++i) {
    hit_of(insertion);
  }
  CHECK(misses_of(insertion, 3) == "kkb");
}

TEST_CASE("A load with one hit in five lookups is kept") {
  ReuseBench insertion;
  for (int i = 0; i < 100; ++i) {
    CHECK(misses_of(insertion, 4) == "kkkk");
    hit_of(insertion);
  }
  for (int i = 0; i < 20; ++i) {  // one in six: 15 lowered by 1 each time, and by up to 5 meanwhile
    misses_of(insertion, 5);
    hit_of(insertion);
  }
  CHECK(insertion.counter("bypasses") > 0);
}

TEST_CASE("Loads have counters of their own") {
  ReuseBench insertion({64}, kSmallReuse);
  CHECK(misses_of(insertion, 3, 0x40) == "kkb");
  CHECK(misses_of(insertion, 3, 0x50) == "kkb");
}

TEST_CASE("Loads that share an entry share its counter") {
  KeyValues values = kSmallReuse;
  values.emplace_back("table_entries", 1);
  ReuseBench insertion({64}, values);
  CHECK(misses_of(insertion, 2, 0x40) == "kk");
  CHECK(misses_of(insertion, 1, 0x50) == "b");
}

TEST_CASE("A threshold that no counter reaches is refused") {
  CHECK_NOTHROW(ReuseBench({64}, {{"counter_bits", 3}, {"threshold", 7}}));
  CHECK_THROWS_AS(ReuseBench({64}, {{"counter_bits", 3}, {"threshold", 8}}), std::invalid_argument);
}

}  // namespace
}  // namespace warpsim::mechanism
