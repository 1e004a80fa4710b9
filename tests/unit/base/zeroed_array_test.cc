#include "base/zeroed_array.h"

#include <catch2/catch.hpp>
#include <cstdint>
#include <utility>

using warpsim::ZeroedArray;

namespace {

std::uint64_t sum(const ZeroedArray<std::uint64_t>& array) {
  std::uint64_t total = 0;
  for (std::size_t i = 0; i < array.size(); ++i) {
    total += array[i];
  }
  return total;
}

}  // namespace

TEST_CASE("A zeroed array begins with zeros and is cleared to zeros, whatever its size") {
  for (const std::size_t size : {1, 100, 2047, 2048, 100'000}) {  // on the heap, and in pages of its own
    CAPTURE(size);
    ZeroedArray<std::uint64_t> array(size);
    CHECK(array.size() == size);
    CHECK(sum(array) == 0);
    array[0] = 1;
    array[size - 1] += 2;
    CHECK(sum(array) == 3);
    array.clear();
    CHECK(array.size() == size);
    CHECK(sum(array) == 0);
  }
}

TEST_CASE("A moved zeroed array keeps its elements") {
  ZeroedArray<std::uint64_t> first(10);
  first[3] = 7;
  ZeroedArray<std::uint64_t> second(std::move(first));
  CHECK(second[3] == 7);
  ZeroedArray<std::uint64_t> third;
  CHECK(third.size() == 0);
  third = std::move(second);
  CHECK(third.size() == 10);
  CHECK(third[3] == 7);
}
