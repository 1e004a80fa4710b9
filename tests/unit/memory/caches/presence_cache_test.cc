#include "memory/caches/presence_cache.h"

#include <catch2/catch.hpp>

namespace warpsim {
namespace {

TEST_CASE("A line is present after its insertion and not before") {
  PresenceCache cache(1024, 2);
  CHECK_FALSE(cache.access(7));
  cache.insert(7);
  CHECK(cache.access(7));
  CHECK(cache.contains(7));
  CHECK_FALSE(cache.contains(8));
}

TEST_CASE("A fully associative cache replaces the line that was least recently used") {
  PresenceCache cache(4 * kLineBytes, 4);
  for (std::uint64_t line = 0; line < 4; ++line) {
    cache.insert(line);
  }
  CHECK(cache.access(0));
  cache.insert(4);  // replaces line 1
  CHECK(cache.contains(0));
  CHECK_FALSE(cache.contains(1));
  CHECK(cache.contains(2));
}

TEST_CASE("A lookup without use does not count as a use") {
  PresenceCache cache(2 * kLineBytes, 2);
  cache.insert(0);
  cache.insert(1);
  CHECK(cache.contains(0));
  cache.insert(2);
  CHECK_FALSE(cache.contains(0));
}

TEST_CASE("Consecutive lines fill the whole cache before any is replaced") {
  // 16 lines in 8 sets: an aligned block of 8 lines covers each set once, two of them fill the cache.
  PresenceCache cache(16 * 64, 2, 64);
  for (std::uint64_t line = 96; line < 112; ++line) {
    cache.insert(line);
  }
  for (std::uint64_t line = 96; line < 112; ++line) {
    CHECK(cache.contains(line));
  }
}

TEST_CASE("Inserting a line twice takes one place") {
  PresenceCache cache(2 * kLineBytes, 2);
  cache.insert(0);
  cache.insert(0);
  cache.insert(1);
  CHECK(cache.contains(0));
}

TEST_CASE("Invalidation empties a presence cache") {
  PresenceCache cache(1024, 2);
  cache.insert(3);
  cache.invalidate();
  CHECK_FALSE(cache.contains(3));
}

}  // namespace
}  // namespace warpsim
