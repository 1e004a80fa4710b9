// Streams of lookups for tests of prefetchers and insertions: ascending, descending, strided and drawn ones, at both
// ends of the address space and between.
//
// Not modelled: a cache. Whether a lookup hits is drawn or follows from the line itself, so that a stream is the same
// for each mechanism. Invariant: time does not go back in a stream.
#pragma once

#include <cstdint>
#include <vector>

#include "warpsim/prefetcher.h"
#include "warpsim/testing/contract_parts.h"

namespace warpsim::mechanism::testing {

class LookupStream {
 public:
  // In L2 requests carry neither the pc nor the warp.
  explicit LookupStream(CacheLevel cache) : cache_(cache) {}

  void add(Address line, Address pc, std::uint32_t warp, bool hit, SectorMask sectors = 0xf) {
    const bool in_l1 = cache_ == CacheLevel::kL1;
    now_ += 3;
    lookups_.push_back({line / kLineBytes * kLineBytes, sectors, hit, now_, in_l1 ? pc : 0, in_l1 ? warp : 0});
  }
  // `lines` lines from `first` on; the numbers wrap around with the address space.
  void add_strides(Address first, std::int64_t stride_in_lines, std::uint32_t lines, Address pc, std::uint32_t warp) {
    for (std::uint32_t i = 0; i < lines; ++i) {
      const auto offset = static_cast<Address>(stride_in_lines * static_cast<std::int64_t>(i)) * kLineBytes;
      add(first + offset, pc, warp, false);
    }
  }
  void add_drawn(std::uint32_t lookups, std::uint64_t seed) {
    Draws draws(seed);
    for (std::uint32_t i = 0; i < lookups; ++i) {
      const Address line = (Address{1} << 30U) + Address{draws.below(draws.one_in(2) ? 64 : 1U << 20U)} * kLineBytes;
      const auto sectors = static_cast<SectorMask>(1 + draws.below(15));
      add(line, Address{16} * draws.below(200), draws.below(64), draws.one_in(2), sectors);
    }
  }
  const std::vector<LineLookup>& lookups() const { return lookups_; }

 private:
  CacheLevel cache_;
  Cycle now_ = 0;
  std::vector<LineLookup> lookups_;
};

// The lookups that the test kits use. The streams of the seeds 1 and 2 have a prime number of lookups together, so that
// counters of small periods which objects share are found.
inline std::vector<LineLookup> lookups_of_all_kinds(CacheLevel cache, std::uint64_t seed) {
  LookupStream stream(cache);
  const Address last_lines = ~Address{0} - 40 * kLineBytes + 1;
  for (const std::uint32_t warp : {0U, 1U, 47U}) {
    stream.add_strides(0, 1, 40, 0x100, warp);
    stream.add_strides(39 * kLineBytes, -1, 40, 0x200, warp);
    stream.add_strides(Address{120} * kLineBytes, -3, 41, 0x300, warp);
    stream.add_strides(last_lines, 1, 40, 0x400, warp);
    stream.add_strides(Address{1} << 40U, 7, 40, 0x500, warp);
    stream.add_strides(Address{1} << 41U, -11, 40, 0x600, warp);
    stream.add_strides(Address{1} << 42U, 0, 20, 0x700, warp);
  }
  stream.add_drawn(static_cast<std::uint32_t>(2497 + 3 * seed), seed);
  return stream.lookups();
}

}  // namespace warpsim::mechanism::testing
