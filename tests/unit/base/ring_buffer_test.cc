#include "base/ring_buffer.h"

#include <catch2/catch.hpp>

namespace warpsim {
namespace {

TEST_CASE("A ring buffer returns its entries oldest first, also across its wrap-around") {
  RingBuffer<int> buffer(3);
  int put = 0;
  int taken = 0;
  for (int round = 0; round < 10; ++round) {
    while (!buffer.full()) {
      buffer.push(put++);
    }
    CHECK(buffer.front() == taken);
    CHECK(buffer.at(2) == taken + 2);
    buffer.pop();
    ++taken;
  }
  CHECK(buffer.size() == 2);
  CHECK(put == taken + 2);
}

TEST_CASE("A ring buffer has exactly the requested capacity, also if it is not a power of two") {
  for (const std::size_t capacity : {std::size_t{1}, std::size_t{5}, std::size_t{8}}) {
    RingBuffer<int> buffer(capacity);
    CHECK(buffer.empty());
    for (std::size_t i = 0; i < capacity; ++i) {
      CHECK_FALSE(buffer.full());
      buffer.push(static_cast<int>(i));
    }
    CHECK(buffer.full());
    CHECK(buffer.capacity() == capacity);
    CHECK_THROWS_AS(buffer.push(0), InternalError);
  }
}

TEST_CASE("Taking from an empty ring buffer is an internal error") {
  RingBuffer<int> buffer(2);
  CHECK_THROWS_AS(buffer.pop(), InternalError);
  buffer.push(1);
  buffer.clear();
  CHECK(buffer.empty());
  CHECK_THROWS_AS(buffer.pop(), InternalError);
}

}  // namespace
}  // namespace warpsim
