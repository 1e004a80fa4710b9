#include "core/sub_core/warp_line.h"

#include <catch2/catch.hpp>

namespace warpsim {
namespace {

TEST_CASE("An empty queue lets all warps through") {
  const WarpLine line;
  CHECK(line.empty());
  CHECK(line.lets_through(0));
  CHECK(line.lets_through(kMaxWarpsPerSubCore - 1));
}

TEST_CASE("A queue serves its warps in the order in which they joined") {
  WarpLine line;
  line.join(5);
  line.join(2);
  line.join(5);  // keeps its place
  CHECK(line.head() == 5);
  CHECK(line.lets_through(5));
  CHECK_FALSE(line.lets_through(2));
  CHECK_FALSE(line.lets_through(7));
  line.served(5);
  CHECK(line.head() == 2);
  line.join(5);
  line.served(2);
  line.served(5);
  CHECK(line.empty());
}

TEST_CASE("A warp that passed without waiting does not change the queue") {
  WarpLine line;
  line.served(3);
  CHECK(line.empty());
}

TEST_CASE("A queue has space for all warps of the largest sub-core") {
  WarpLine line;
  for (std::uint32_t slot = 0; slot < kMaxWarpsPerSubCore; ++slot) {
    line.join(slot);
  }
  for (std::uint32_t slot = 0; slot < kMaxWarpsPerSubCore; ++slot) {
    CHECK(line.head() == slot);
    line.served(slot);
  }
  CHECK(line.empty());
}

}  // namespace
}  // namespace warpsim
