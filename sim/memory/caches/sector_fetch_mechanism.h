// Which sectors a load's miss fetches, by an exchangeable mechanism (warpsim/sector_fetch.h): of L1 or of a slice of
// L2.
//
// Modelled: what the mechanism is told: misses, and the use of each line that a miss brought, when it leaves. State:
// the mechanism and its counters, a memo and the used sectors of each slot of the cache and of each entry of its miss
// table. Invariant: without a mechanism no function is called except the conversion to bool.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/types.h"
#include "mechanisms/mechanism_choice.h"
#include "memory/caches/tag_array.h"
#include "stats/launch_stats.h"
#include "stats/stat_group.h"

namespace warpsim {

struct SectorFetchStats : StatGroup {
  using StatGroup::StatGroup;
  Counter further_sectors{*this, "further_sectors", Unit::kSectors,
                          "sectors that misses fetched beyond those they need"};
  Counter used_sectors{*this, "used_further_sectors", Unit::kSectors,
                       "such sectors that loads needed before their line left"};
  Counter unused_sectors{*this, "unused_further_sectors", Unit::kSectors,
                         "such sectors that no load needed before their line left"};
};

class SectorFetchMechanism {
 public:
  using Choice = MechanismChoice<mechanism::SectorFetch>;

  // The counters are a group "sector_fetch" below `parent`, if a mechanism is chosen.
  SectorFetchMechanism(const Choice& choice, mechanism::CacheLevel cache, LaunchStatsNode& parent);

  explicit operator bool() const { return mechanism_ != nullptr; }

  // The cache has so many slots, all empty. What was learned stays.
  void empty(std::uint32_t slots) { lines_.assign(slots, {}); }

  // Where a miss is recorded: its entry of the miss table, whether it is a new one, and the slot of the line, kNoSlot
  // if it is absent.
  struct Place {
    std::uint32_t entry = 0;
    bool new_entry = true;
    std::uint32_t slot = TagArray::kNoSlot;
  };
  // Sectors to request. ConfigError for an answer that the interface does not allow.
  std::uint8_t fetch(const mechanism::SectorMiss& miss, const Place& place, LaunchSeat seat);
  // A load needs sectors that are on their way.
  void wait_for(std::uint32_t entry, std::uint8_t sectors) { add_use(entries_, entry, sectors); }
  // The entry has no mechanism's miss: it belongs to a prefetch.
  void begin_without(std::uint32_t entry) { entry_state(entry) = {}; }
  // Sectors of an entry arrive in a slot.
  void arrive(std::uint32_t entry, std::uint32_t slot);
  // A load finds sectors in a slot.
  void use(std::uint32_t slot, std::uint8_t sectors) { add_use(lines_, slot, sectors); }
  // The line of a slot leaves, or another one takes the slot.
  void leave(std::uint32_t slot, Address line, std::uint8_t present, LaunchSeat seat);

 private:
  struct LineState {
    std::uint32_t memo = 0;
    std::uint8_t used = 0;
    std::uint8_t further = 0;  // fetched beyond what the miss needed
    bool fetched = false;      // by a miss that the mechanism saw
  };

  LineState& entry_state(std::uint32_t entry) {
    if (entry >= entries_.size()) {
      entries_.resize(entry + std::size_t{1});
    }
    return entries_[entry];
  }
  static void add_use(std::vector<LineState>& states, std::uint32_t place, std::uint8_t sectors) {
    states[place].used = static_cast<std::uint8_t>(states[place].used | sectors);
  }

  std::optional<LaunchStats<SectorFetchStats>> stats_;
  std::optional<MechanismCounters> counters_;
  std::unique_ptr<mechanism::SectorFetch> mechanism_;
  std::string name_;
  std::vector<LineState> lines_;    // by slot
  std::vector<LineState> entries_;  // by entry of the miss table
};

}  // namespace warpsim
