// What a cache does with written data, by an exchangeable mechanism (warpsim/write_policy.h): of L1 or of a slice of
// L2.
//
// Modelled: what the mechanism is told: writes, and the use of the sectors that stayed when their line leaves. State:
// the mechanism and its counters, which sectors of each slot of the cache were written, read and written again.
// Invariant: without a mechanism no function is called except the conversion to bool.
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

struct WritePolicyStats : StatGroup {
  using StatGroup::StatGroup;
  Counter back_sectors{*this, "back_sectors", Unit::kSectors, "written sectors that stay and are written back later"};
  Counter through_sectors{*this, "through_sectors", Unit::kSectors, "written sectors that are passed on and stay"};
  Counter around_sectors{*this, "around_sectors", Unit::kSectors,
                         "written sectors that are passed on and stay only if their line is present"};
  Counter invalidated_sectors{*this, "invalidated_sectors", Unit::kSectors,
                              "written sectors that are passed on and do not stay"};
  Counter reused_lines{*this, "reused_lines", Unit::kEvents,
                       "lines with written sectors that were read or written again before they left"};
  Counter unused_lines{*this, "unused_lines", Unit::kEvents,
                       "lines with written sectors that were neither read nor written again before they left"};
};

class WritePolicyMechanism {
 public:
  using Choice = MechanismChoice<mechanism::WritePolicy>;

  // The counters are a group "write_policy" below `parent`, if a mechanism is chosen.
  WritePolicyMechanism(const Choice& choice, mechanism::CacheLevel cache, LaunchStatsNode& parent);

  explicit operator bool() const { return mechanism_ != nullptr; }

  // The cache has so many slots, all empty. What was learned stays.
  void empty(std::uint32_t slots) { lines_.assign(slots, {}); }

  // `slot` of the line, TagArray::kNoSlot if it is absent. ConfigError for an answer that the interface does not allow.
  mechanism::WriteWay way_of(const mechanism::LineWrite& write, std::uint32_t slot, LaunchSeat seat);
  // Sectors of the write of the last way_of() stay in a slot.
  void stay(std::uint32_t slot, std::uint8_t sectors);
  // A load or an atomic needs sectors of a slot.
  void use(std::uint32_t slot, std::uint8_t sectors);
  // The line of a slot leaves, or another one takes the slot.
  void leave(std::uint32_t slot, Address line, LaunchSeat seat);

 private:
  struct LineState {
    std::uint32_t memo = 0;
    std::uint8_t written = 0;
    std::uint8_t read = 0;
    std::uint8_t rewritten = 0;
  };

  mechanism::CacheLevel cache_;
  std::optional<LaunchStats<WritePolicyStats>> stats_;
  std::optional<MechanismCounters> counters_;
  std::unique_ptr<mechanism::WritePolicy> mechanism_;
  std::string name_;
  std::vector<LineState> lines_;  // by slot
  std::uint32_t memo_ = 0;        // of the last write
};

}  // namespace warpsim
