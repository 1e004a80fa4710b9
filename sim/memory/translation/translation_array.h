// One cache of translations: which aligned regions of addresses it covers.
//
// Modelled: sets, least recently used of a set is replaced; the set is a hash of the region's number, so that regions
// at any distance that is a power of two spread evenly. Evidence: tests/hardware/translation, walks.cu and probe.cu,
// reach: chains with distances of 32 MiB to 512 MiB miss from the same number of regions on, and between 2,048 and
// 2,320 regions the misses rise evenly, as they do when sets of eight overflow one after another. A region is entered
// as a whole: other pages of it do not miss. State: the regions of each set, latest use first.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "base/types.h"

namespace warpsim {

class TranslationArray {
 public:
  // `sets` and `region_kib` are powers of two. `starts_full`: free entries hold what is requested first.
  TranslationArray(std::uint32_t sets, std::uint32_t ways, std::uint64_t region_kib, bool starts_full)
      : shift_(10 + static_cast<std::uint32_t>(std::countr_zero(region_kib))),
        set_bits_(static_cast<std::uint32_t>(std::countr_zero(sets))),
        ways_(ways),
        starts_full_(starts_full),
        used_(sets, 0),
        regions_(std::size_t{sets} * ways) {}

  std::uint32_t shift() const { return shift_; }
  std::uint64_t region_of(Address address) const { return address >> shift_; }
  // Whether the region is translated; counts as a use.
  bool look_up(std::uint64_t region) {
    const std::size_t set = set_of(region);
    const auto first = regions_.begin() + static_cast<std::ptrdiff_t>(set * ways_);
    const auto end = first + used_[set];
    const auto found = std::find(first, end, region);
    if (found != end) {
      std::rotate(first, found, found + 1);
      return true;
    }
    if (starts_full_ && used_[set] < ways_) {
      insert(region);
      return true;
    }
    return false;
  }
  void insert(std::uint64_t region) {
    const std::size_t set = set_of(region);
    const auto first = regions_.begin() + static_cast<std::ptrdiff_t>(set * ways_);
    auto found = std::find(first, first + used_[set], region);
    if (found == first + used_[set]) {
      used_[set] = std::min(used_[set] + 1, ways_);
      found = first + used_[set] - 1;
      *found = region;
    }
    std::rotate(first, found, found + 1);
  }
  void clear() { std::ranges::fill(used_, 0); }

 private:
  std::size_t set_of(std::uint64_t region) const {
    std::uint64_t hash = 0;
    for (std::uint64_t rest = set_bits_ == 0 ? 0 : region; rest != 0; rest >>= set_bits_) {
      hash ^= rest;
    }
    return hash & ((std::size_t{1} << set_bits_) - 1);
  }

  std::uint32_t shift_;
  std::uint32_t set_bits_;
  std::uint32_t ways_;
  bool starts_full_;
  std::vector<std::uint32_t> used_;     // by set
  std::vector<std::uint64_t> regions_;  // by set
};

}  // namespace warpsim
