#include "cuda/memory/free_order.h"

#include <catch2/catch.hpp>

namespace warpsim::cuda {
namespace {

constexpr StreamName kFirst{0, 1, false};
constexpr StreamName kSecond{0, 2, false};
constexpr StreamName kThird{1, 3, false};

TEST_CASE("free order: a stream follows its own frees, and others by events") {
  FreeOrder order;
  CHECK(order.point(kFirst) == nullptr);
  const PoolSpace::Freed early{kFirst, order.add(kFirst), {}};
  const auto between = order.point(kFirst);
  const PoolSpace::Freed late{kFirst, order.add(kFirst), {}};
  CHECK(order.follows(kFirst, late));
  CHECK_FALSE(order.follows(kSecond, early));
  order.wait(kSecond, between);
  CHECK(order.follows(kSecond, early));
  CHECK_FALSE(order.follows(kSecond, late));
  // Also through a stream between them, of another GPU.
  order.wait(kThird, order.point(kSecond));
  CHECK(order.follows(kThird, early));
  CHECK_FALSE(order.follows(kThird, late));
  CHECK(FreeOrder::is_before(early, between));
  CHECK_FALSE(FreeOrder::is_before(late, between));
  CHECK_FALSE(FreeOrder::is_before(late, nullptr));
  order.wait(kThird, nullptr);
}

TEST_CASE("free order: default streams and those that are not excepted follow each other") {
  FreeOrder order;
  const StreamName default_stream{0, 0, true};
  const StreamName blocking{0, 4, true};
  const PoolSpace::Freed by_default{default_stream, order.add(default_stream), {}};
  const PoolSpace::Freed by_blocking{blocking, order.add(blocking), {}};
  CHECK(order.follows(blocking, by_default));
  CHECK(order.follows(default_stream, by_blocking));
  CHECK_FALSE(order.follows(kFirst, by_default));
  CHECK_FALSE(order.follows({1, 0, true}, by_blocking));
  CHECK_FALSE(order.follows({0, 5, true}, by_blocking));
}

}  // namespace
}  // namespace warpsim::cuda
