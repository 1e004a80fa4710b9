#include "mechanisms/prefetchers/stride.h"

#include <catch2/catch.hpp>

#include "support/mechanism_bench.h"
#include "support/prefetched_lines.h"

namespace warpsim::mechanism {
namespace {

using StrideBench = MechanismBench<Stride>;

constexpr Address kLoadPc = 0x100;
constexpr Address kOtherPc = 0x200;

TEST_CASE("Two equal strides in a row request the next line") {
  StrideBench stride;
  CHECK(prefetched_after_miss(*stride, 10, kLoadPc).empty());
  CHECK(prefetched_after_miss(*stride, 13, kLoadPc).empty());
  CHECK(prefetched_after_miss(*stride, 16, kLoadPc) == Lines{19});
  CHECK(prefetched_after_miss(*stride, 19, kLoadPc) == Lines{22});
  CHECK(stride.counter("strides_confirmed") == 1);
  CHECK(stride.counter("predictions") == 2);
}

TEST_CASE("A hit continues a stride as a miss does") {
  StrideBench stride;
  prefetched_after_miss(*stride, 10, kLoadPc);
  prefetched_after_miss(*stride, 13, kLoadPc, 0, true);
  CHECK(prefetched_after_miss(*stride, 16, kLoadPc, 0, true) == Lines{19});
}

TEST_CASE("Another stride begins the count again") {
  StrideBench stride;
  for (const Address line : {10, 11, 12}) {
    prefetched_after_miss(*stride, line, kLoadPc);
  }
  CHECK(prefetched_after_miss(*stride, 20, kLoadPc).empty());
  CHECK(prefetched_after_miss(*stride, 28, kLoadPc) == Lines{36});
  CHECK(prefetched_after_miss(*stride, 29, kLoadPc).empty());
  CHECK(prefetched_after_miss(*stride, 30, kLoadPc) == Lines{31});
  CHECK(stride.counter("strides_confirmed") == 3);
}

TEST_CASE("The threshold is the number of equal strides") {
  StrideBench one({}, {{"threshold", 1}});
  CHECK(prefetched_after_miss(*one, 10, kLoadPc).empty());
  CHECK(prefetched_after_miss(*one, 13, kLoadPc) == Lines{16});
  StrideBench four({}, {{"threshold", 4}});
  for (const Address line : {0, 2, 4, 6}) {
    CHECK(prefetched_after_miss(*four, line, kLoadPc).empty());
  }
  CHECK(prefetched_after_miss(*four, 8, kLoadPc) == Lines{10});
}

TEST_CASE("Distance and degree count strides") {
  StrideBench stride({}, {{"distance", 3}, {"degree", 2}});
  for (const Address line : {100, 95}) {
    prefetched_after_miss(*stride, line, kLoadPc);
  }
  CHECK(prefetched_after_miss(*stride, 90, kLoadPc) == Lines{75, 70});
}

TEST_CASE("Further lookups of the same line do not count") {
  StrideBench stride;
  for (const Address line : {10, 10, 13, 13, 13}) {
    CHECK(prefetched_after_miss(*stride, line, kLoadPc).empty());
  }
  CHECK(prefetched_after_miss(*stride, 16, kLoadPc) == Lines{19});
  CHECK(prefetched_after_miss(*stride, 16, kLoadPc).empty());
}

TEST_CASE("The further lines of a load do not count, but move by its stride") {
  StrideBench stride;
  const auto load_of_two_lines = [&](Address number) {
    Lines lines = prefetched(*stride, {number * kLineBytes, 0xf, false, 0, kLoadPc, 0, true});
    for (const Address line : prefetched(*stride, {(number + 1) * kLineBytes, 0xf, false, 0, kLoadPc, 0, false})) {
      lines.push_back(line);
    }
    return lines;
  };
  CHECK(load_of_two_lines(10).empty());
  CHECK(load_of_two_lines(20).empty());
  CHECK(load_of_two_lines(30) == Lines{0x1400, 0x1480});
  CHECK(load_of_two_lines(40) == Lines{0x1900, 0x1980});
  CHECK(load_of_two_lines(49).empty());  // another stride
}

TEST_CASE("A further line of a load that another one displaced requests nothing") {
  StrideBench stride({}, {{"table_entries", 1}});
  for (const Address line : {10, 11, 12}) {
    prefetched_after_miss(*stride, line, kLoadPc);
  }
  CHECK(prefetched(*stride, {0, 0xf, false, 0, kOtherPc, 0, false}).empty());
  CHECK(prefetched_after_miss(*stride, 13, kLoadPc) == Lines{14});
}

TEST_CASE("Loads and warps have strides of their own") {
  StrideBench stride({}, {{"table_entries", 65536}});
  prefetched_after_miss(*stride, 10, kLoadPc, 0);
  prefetched_after_miss(*stride, 500, kLoadPc, 1);
  prefetched_after_miss(*stride, 900, kOtherPc, 0);
  prefetched_after_miss(*stride, 11, kLoadPc, 0);
  prefetched_after_miss(*stride, 510, kLoadPc, 1);
  prefetched_after_miss(*stride, 800, kOtherPc, 0);
  CHECK(prefetched_after_miss(*stride, 12, kLoadPc, 0) == Lines{13});
  CHECK(prefetched_after_miss(*stride, 520, kLoadPc, 1) == Lines{530});
  CHECK(prefetched_after_miss(*stride, 700, kOtherPc, 0) == Lines{600});
}

TEST_CASE("The latest load takes an entry that loads share") {
  StrideBench stride({}, {{"table_entries", 1}});
  for (const Address line : {10, 11}) {
    prefetched_after_miss(*stride, line, kLoadPc);
  }
  prefetched_after_miss(*stride, 11, kOtherPc);
  for (const Address line : {12, 13}) {
    CHECK(prefetched_after_miss(*stride, line, kLoadPc).empty());
  }
  CHECK(prefetched_after_miss(*stride, 14, kLoadPc) == Lines{15});
}

TEST_CASE("Requests without a pc have a stride for each 4 KiB") {
  StrideBench stride({CacheLevel::kL2}, {{"table_entries", 65536}});
  prefetched_after_miss(*stride, 0);
  prefetched_after_miss(*stride, 320);  // 4 KiB are 32 lines
  prefetched_after_miss(*stride, 2);
  prefetched_after_miss(*stride, 321);
  CHECK(prefetched_after_miss(*stride, 4) == Lines{6});
  CHECK(prefetched_after_miss(*stride, 322) == Lines{323});
}

TEST_CASE("A stride that leaves a region is learnt again there") {
  StrideBench stride({CacheLevel::kL2}, {{"table_entries", 65536}});
  for (const Address line : {29, 30}) {
    prefetched_after_miss(*stride, line);
  }
  CHECK(prefetched_after_miss(*stride, 31) == Lines{32});
  CHECK(prefetched_after_miss(*stride, 32).empty());
  CHECK(prefetched_after_miss(*stride, 33).empty());
  CHECK(prefetched_after_miss(*stride, 34) == Lines{35});
}

TEST_CASE("Strides end at both ends of the address space") {
  StrideBench stride({}, {{"degree", 4}});
  for (const Address line : {9, 6}) {
    prefetched_after_miss(*stride, line, kLoadPc);
  }
  CHECK(prefetched_after_miss(*stride, 3, kLoadPc) == Lines{0});
  CHECK(prefetched_after_miss(*stride, 0, kLoadPc).empty());
  const Address last = ~Address{0} / kLineBytes;
  for (const Address line : {last - 6, last - 4}) {
    prefetched_after_miss(*stride, line, kOtherPc);
  }
  CHECK(prefetched_after_miss(*stride, last - 2, kOtherPc) == Lines{last});
  CHECK(prefetched_after_miss(*stride, last, kOtherPc).empty());
  CHECK(stride.counter("predictions") == 2);
}

}  // namespace
}  // namespace warpsim::mechanism
