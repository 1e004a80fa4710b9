// The SM's instruction cache (Nsight: ICC), between the sub-cores' L0 caches and the GPC's shared cache.
//
// Modelled: tags, one fill port per sub-core with the time of a line, merging of misses to one line, requests to
// the GPC cache over a link. Not modelled: that two SMs of a TPC share this cache; replacement other than LRU.
// Evidence: loop bodies from 2 Ki to 16 Ki instructions and cold passes, measured; values in the H200 config.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/types.h"
#include "config/config_section.h"
#include "core/sm/sm_event.h"
#include "engine/link.h"
#include "memory/caches/gpc_cache.h"
#include "memory/caches/presence_cache.h"
#include "stats/launch_stats.h"
#include "stats/stat_group.h"

namespace warpsim {

struct SmInstructionCacheConfig {
  std::uint32_t kib = 1;
  std::uint32_t ways = 1;
  std::uint32_t hit_latency_cycles = 1;    // from a sub-core's request to its L0
  std::uint32_t line_interval_cycles = 1;  // between lines to one sub-core
};
void describe(ConfigSection& section, SmInstructionCacheConfig& config);

struct SmInstructionCacheStats : StatGroup {
  using StatGroup::StatGroup;
  Counter requests{*this, "requests", Unit::kRequests, "line requests of the sub-cores"};
  Counter hits{*this, "hits", Unit::kRequests, "requests that found their line"};
  Counter misses{*this, "misses", Unit::kRequests, "requests that did not, including lines already requested"};
};

class SmInstructionCache {
 public:
  SmInstructionCache(const SmInstructionCacheConfig& config, SmEvents& events, Link<GpcRequest>& to_gpc,
                     LaunchStatsNode& parent);

  // A sub-core requests a line for a launch; a kInstructionLine event notifies it of the arrival.
  void request(std::uint32_t sub_core, std::uint32_t line_number, LaunchSeat seat, Cycle now);
  void line_arrived(std::uint32_t line_number, Cycle now);
  // Sends misses that found no room in the link. Returns whether some still wait.
  bool send_pending(Cycle now);
  bool idle() const { return pending_.empty(); }

 private:
  struct Pending {
    std::uint32_t line_number;
    std::uint8_t sub_cores;  // bit i: sub-core i waits
    bool sent;
    LaunchSeat seat;  // of the first that requested it
  };
  void deliver(std::uint32_t sub_core, std::uint32_t line_number, Cycle earliest);

  SmInstructionCacheConfig config_;
  SmEvents* events_;
  Link<GpcRequest>* to_gpc_;
  LaunchStats<SmInstructionCacheStats> stats_;
  PresenceCache tags_;
  std::vector<Pending> pending_;
  std::array<Cycle, kMaxSubCores> port_free_at_{};
};

}  // namespace warpsim
