// The caches of an SM's data: L1 and, where read-only data have a cache of their own (3.5 and 3.7), that one.
//
// Modelled: which of the two a load uses, by its route (memory/caches/l1_policy.h), and which one its data fill. Not
// modelled: time, which belongs to the paths that use the caches. State: the two caches (memory/caches/l1_cache.h).
// Invariant: the tag of a request names the cache that it fills.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>

#include "memory/caches/l1_cache.h"
#include "memory/caches/l1_policy.h"
#include "memory/caches/read_only_cache.h"
#include "memory/grow_queue.h"
#include "memory/mem_message.h"
#include "stats/launch_stats.h"

namespace warpsim {

class DataCaches {
 public:
  struct Config {
    L1Config l1;
    ReadOnlyCacheConfig read_only;
  };
  DataCaches(const Config& config, LaunchStatsNode& parent);

  // Sets the capacity of L1 and discards its content.
  void configure_l1(std::uint64_t bytes) { l1_.configure(bytes); }

  L1Cache& l1() { return l1_; }
  const L1Cache& l1() const { return l1_; }
  // The cache of a load's route; L1 for loads that bypass it.
  L1Cache& of(LoadRoute route) { return route == LoadRoute::kReadOnlyCache ? *read_only_ : l1_; }
  // Of texels. The read-only cache is that of the texture units.
  LoadRoute route_of_texels() const { return read_only_ ? LoadRoute::kReadOnlyCache : LoadRoute::kL1; }
  // The tag of a request for a miss in that cache, whose own tag is `tag`.
  static std::uint32_t request_tag(LoadRoute route, std::uint32_t tag) {
    return route == LoadRoute::kReadOnlyCache ? tag | kReadOnlyTag : tag;
  }
  // Sectors of a load arrive; calls done(waiter) for each waiter that now has all of its sectors.
  template <typename Done>
  void fill(const MemResponse& response, Done&& done) {
    const bool read_only = (response.tag & kReadOnlyTag) != 0;
    (read_only ? *read_only_ : l1_)
        .fill(response.tag & ~kReadOnlyTag, response.sector_mask, response.seat, std::forward<Done>(done));
  }

 private:
  static constexpr std::uint32_t kReadOnlyTag = 0x40000000U;

  L1Cache l1_;
  std::optional<L1Cache> read_only_;
};

}  // namespace warpsim
