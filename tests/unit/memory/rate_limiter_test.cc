#include "memory/rate_limiter.h"

#include <catch2/catch.hpp>

namespace warpsim {
namespace {

// Messages of a size that pass in the cycles before `cycles`.
std::uint64_t passed(double rate, std::uint32_t bytes, Cycle cycles) {
  RateLimiter limiter(rate);
  std::uint64_t count = 0;
  for (Cycle now = 0; now < cycles; ++now) {
    while (limiter.ready(now)) {
      limiter.use(now, bytes);
      ++count;
    }
  }
  return count;
}

}  // namespace

TEST_CASE("Rate limiter: keeps its rate for any size of messages") {
  CHECK(passed(64, 128, 1000) == 500);
  CHECK(passed(128, 32, 1000) == 4000);
  CHECK(passed(96, 128, 1000) == 750);
  CHECK(passed(37.5, 32, 102400) - 120000 <= 10);  // 37.5 has no exact fixed-point inverse
}

TEST_CASE("Rate limiter: idle time is not accumulated") {
  RateLimiter limiter(32);
  limiter.use(100, 64);
  CHECK_FALSE(limiter.ready(101));
  CHECK(limiter.ready_at() == 102);
  CHECK(limiter.ready(102));
  CHECK(limiter.backlog(100) == 2);
  CHECK(limiter.backlog(105) == 0);
}

TEST_CASE("Rate limiter: unlimited is always ready") {
  RateLimiter limiter;
  limiter.use(5, 1 << 20);
  CHECK(limiter.ready(5));
}

}  // namespace warpsim
