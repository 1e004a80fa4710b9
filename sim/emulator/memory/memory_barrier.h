// An mbarrier: an object of 64 bits in shared memory that counts arrivals and bytes of each phase.
//
// The layout is opaque to PTX, but machine code for 9.0 computes with it: bits 1-20 hold 2^20 minus the arrivals of
// each phase; 21-41 minus the bytes still expected, signed; 43-62 2^20 minus the arrivals that the current phase still
// expects; 63 the parity of the phase. Evidence: code that compilers make for mbarrier.init and .pending_count, states
// that an H100 returned.
#pragma once

#include <cstdint>

namespace warpsim {

struct MemoryBarrier {
  std::uint32_t pending = 0;
  std::uint32_t expected = 0;
  std::int32_t bytes = 0;
  bool parity = false;

  static constexpr std::uint32_t kCountBits = 20;
  static constexpr std::uint32_t kByteBits = 21;
  static constexpr std::uint32_t kCounts = 1U << kCountBits;
  static constexpr std::uint32_t kMostArrivals = kCounts - 1;
  static constexpr std::uint32_t kExpectedBit = 1;
  static constexpr std::uint32_t kByteBit = kExpectedBit + kCountBits;
  static constexpr std::uint32_t kPendingBit = kByteBit + kByteBits + 1;

  static MemoryBarrier decode(std::uint64_t object) {
    const auto field = [object](std::uint32_t first, std::uint32_t bits) {
      return static_cast<std::uint32_t>(object >> first) & ((1U << bits) - 1);
    };
    MemoryBarrier barrier;
    barrier.expected = (kCounts - field(kExpectedBit, kCountBits)) % kCounts;
    barrier.pending = (kCounts - field(kPendingBit, kCountBits)) % kCounts;
    const std::uint32_t bytes = field(kByteBit, kByteBits) << (32U - kByteBits);
    barrier.bytes = -(static_cast<std::int32_t>(bytes) >> (32U - kByteBits));
    barrier.parity = object >> 63U != 0;
    return barrier;
  }
  std::uint64_t encode() const {
    constexpr std::uint64_t kByteMask = (1U << kByteBits) - 1;
    const auto count = [](std::uint32_t arrivals) { return std::uint64_t{(kCounts - arrivals) % kCounts}; };
    return count(expected) << kExpectedBit | (static_cast<std::uint64_t>(-bytes) & kByteMask) << kByteBit |
           count(pending) << kPendingBit | std::uint64_t{parity ? 1U : 0U} << 63U;
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
