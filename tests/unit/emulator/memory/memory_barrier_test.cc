#include "emulator/memory/memory_barrier.h"

#include <catch2/catch.hpp>
#include <cstdint>

namespace warpsim {
namespace {

TEST_CASE("an mbarrier keeps its state in 64 bits") {
  for (const bool parity : {false, true}) {
    const MemoryBarrier barrier{3, MemoryBarrier::kMostArrivals, -17, parity};
    const MemoryBarrier read = MemoryBarrier::decode(barrier.encode());
    CHECK(read.pending == 3);
    CHECK(read.expected == MemoryBarrier::kMostArrivals);
    CHECK(read.bytes == -17);
    CHECK(read.parity == parity);
  }
  CHECK(MemoryBarrier::decode(MemoryBarrier{1, 1, (1 << 20) - 1, false}.encode()).bytes == (1 << 20) - 1);
}

TEST_CASE("a phase ends with the last arrival, and the next phase expects the same number") {
  MemoryBarrier barrier{2, 2, 0, false};
  barrier.arrive(1);
  CHECK(barrier.pending == 1);
  CHECK_FALSE(barrier.parity);
  barrier.arrive(1);
  CHECK(barrier.pending == 2);
  CHECK(barrier.parity);
  barrier.arrive(2);
  CHECK_FALSE(barrier.parity);
}

TEST_CASE("a phase also waits for bytes, in either order") {
  MemoryBarrier barrier{1, 1, 64, false};
  barrier.arrive(1);
  CHECK_FALSE(barrier.parity);
  barrier.add_bytes(-32);
  CHECK_FALSE(barrier.parity);
  barrier.add_bytes(-32);
  CHECK(barrier.parity);
  CHECK(barrier.pending == 1);
  barrier.add_bytes(-16);  // completed before they were expected
  barrier.add_bytes(16);
  CHECK(barrier.parity);
  barrier.arrive(1);
  CHECK_FALSE(barrier.parity);
}

}  // namespace
}  // namespace warpsim
