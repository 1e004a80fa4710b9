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

TEST_CASE("an mbarrier has the layout that machine code for 9.0 computes with") {
  // Code of mbarrier.init: low word (2^20 - count) << 1, high word (2^20 - count) << 11.
  const std::uint64_t start = 0x100000 - 5;
  CHECK(MemoryBarrier{5, 5, 0, false}.encode() == (start << 43U | start << 1U));
  CHECK(MemoryBarrier{5, 5, 0, true}.encode() == (std::uint64_t{1} << 63U | start << 43U | start << 1U));
  // Code of mbarrier.pending_count: 2^20 minus bits 43 to 62.
  const std::uint64_t later = MemoryBarrier{3, 5, 0, false}.encode();
  CHECK(0x100000 - (later >> 43U & 0xfffffU) == 3);
  CHECK(MemoryBarrier{5, 5, 1, false}.encode() == (start << 43U | std::uint64_t{0x1fffff} << 21U | start << 1U));
  // An H100: 200 arrivals, 100 bytes expected; then 3 arrivals and 101 bytes.
  CHECK(MemoryBarrier{200, 200, 100, false}.encode() >> 32U == 0x7ff9c3ff);
  CHECK(MemoryBarrier{197, 200, -1, false}.encode() >> 32U == 0x7ff9d800);
  CHECK(MemoryBarrier::decode(MemoryBarrier{0, 5, 64, false}.encode()).pending == 0);
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
