#include "memory/caches/line_index.h"

#include <catch2/catch.hpp>
#include <map>

using warpsim::Address;
using warpsim::kLineBytes;
using warpsim::LineIndex;

TEST_CASE("Line index: a line is found until it is erased") {
  LineIndex index;
  CHECK(index.find(0) == LineIndex::kNone);
  index.insert(0, 7);
  index.insert(kLineBytes, 8);
  CHECK(index.find(0) == 7);
  CHECK(index.find(kLineBytes) == 8);
  index.erase(0);
  CHECK(index.find(0) == LineIndex::kNone);
  CHECK(index.find(kLineBytes) == 8);
  CHECK(index.size() == 1);
}

TEST_CASE("Line index: it agrees with a map through growth, collisions and erasures") {
  LineIndex index;  // grows many times
  std::map<Address, std::uint32_t> reference;
  std::uint64_t state = 1;
  for (std::uint32_t step = 0; step < 20000; ++step) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    const Address line = (state >> 40) % 512 * kLineBytes;
    if (reference.count(line) != 0) {
      index.erase(line);
      reference.erase(line);
    } else {
      index.insert(line, step);
      reference[line] = step;
    }
  }
  REQUIRE(index.size() == reference.size());
  for (Address line = 0; line < 512 * kLineBytes; line += kLineBytes) {
    const auto known = reference.find(line);
    REQUIRE(index.find(line) == (known == reference.end() ? LineIndex::kNone : known->second));
  }
}
