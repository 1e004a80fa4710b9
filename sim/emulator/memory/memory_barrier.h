// An mbarrier: an object of 64 bits in shared memory that counts arrivals and bytes of each phase.
//
// The layout is opaque to programs. Bits 0-19: arrivals that the current phase still expects; 20-39: arrivals of each
// phase; 40-62: bytes still expected, signed; 63: parity of the phase.
#pragma once

#include <cstdint>

namespace warpsim {

struct MemoryBarrier {
  std::uint32_t pending = 0;
  std::uint32_t expected = 0;
  std::int32_t bytes = 0;
  bool parity = false;

  static constexpr std::uint32_t kMostArrivals = (1U << 20U) - 1;

  static MemoryBarrier decode(std::uint64_t object) {
    constexpr std::uint64_t kCount = kMostArrivals;
    constexpr std::uint32_t kByteBits = 23;
    MemoryBarrier barrier;
    barrier.pending = static_cast<std::uint32_t>(object & kCount);
    barrier.expected = static_cast<std::uint32_t>(object >> 20U & kCount);
    const auto bytes = static_cast<std::uint32_t>(object >> 40U) << (32U - kByteBits);
    barrier.bytes = static_cast<std::int32_t>(bytes) >> (32U - kByteBits);
    barrier.parity = object >> 63U != 0;
    return barrier;
  }
  std::uint64_t encode() const {
    constexpr std::uint64_t kByteMask = (1U << 23U) - 1;
    return pending | std::uint64_t{expected} << 20U | (static_cast<std::uint64_t>(bytes) & kByteMask) << 40U |
           std::uint64_t{parity ? 1U : 0U} << 63U;
  }

  void arrive(std::uint32_t count) {
    pending -= count;
    complete();
  }
  void add_bytes(std::int32_t more) {
    bytes += more;
    complete();
  }
  // The phase ends when nothing is outstanding.
  void complete() {
    if (pending == 0 && bytes == 0) {
      pending = expected;
      parity = !parity;
    }
  }
};

}  // namespace warpsim
