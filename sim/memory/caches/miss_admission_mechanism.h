// When a miss may have an entry of a cache's table of misses, by an exchangeable mechanism (warpsim/miss_admission.h):
// of L1 or of a slice of L2.
//
// Modelled: what the mechanism is told: misses for which the table has room, and the begin and end of their entries.
// State: the mechanism and its counters, which entries it knows. Invariant: without a mechanism no function is called
// except the conversion to bool.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "mechanisms/mechanism_choice.h"
#include "stats/launch_stats.h"
#include "stats/stat_group.h"

namespace warpsim {

struct MissAdmissionStats : StatGroup {
  using StatGroup::StatGroup;
  Counter refusals{*this, "refusals", Unit::kEvents,
                   "times that a miss had to wait although the table had room; once until the next entry ends"};
};

class MissAdmissionMechanism {
 public:
  using Choice = MechanismChoice<mechanism::MissAdmission>;

  // `entries` of the table, 0 for any number. The counters are a group "miss_admission" below `parent`, if a mechanism
  // is chosen.
  MissAdmissionMechanism(const Choice& choice, mechanism::CacheLevel cache, std::uint32_t entries,
                         LaunchStatsNode& parent);

  explicit operator bool() const { return mechanism_ != nullptr; }

  // ConfigError if a miss is refused while no entry is in use.
  bool admits(const mechanism::MissOffer& miss, LaunchSeat seat);
  // The miss that was admitted last has a new entry.
  void begin(std::uint32_t entry, const mechanism::MissOffer& miss, LaunchSeat seat);
  // An entry is free again, also one of a prefetch.
  void end(std::uint32_t entry, LaunchSeat seat);

 private:
  std::optional<LaunchStats<MissAdmissionStats>> stats_;
  std::optional<MechanismCounters> counters_;
  std::unique_ptr<mechanism::MissAdmission> mechanism_;
  std::string name_;
  std::vector<bool> begun_;  // by entry
  bool refused_ = false;     // a refusal was counted
};

}  // namespace warpsim
