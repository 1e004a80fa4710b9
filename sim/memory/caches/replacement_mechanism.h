// An exchangeable replacement of a cache (warpsim/replacement.h): its objects and their counters.
//
// State: none of its own if the description chooses one of the cache's own ways. Invariant: the seat of the launch is
// selected before the tags are changed.
#pragma once

#include <optional>

#include "mechanisms/mechanism_choice.h"
#include "memory/caches/tag_array.h"
#include "stats/launch_stats.h"

namespace warpsim {

class ReplacementMechanism {
 public:
  using Choice = MechanismChoice<mechanism::Replacement>;

  // The counters are a group `replacement` below `parent`.
  ReplacementMechanism(const Choice& choice, mechanism::CacheLevel cache, LaunchStatsNode& parent)
      : choice_(choice), cache_(cache) {
    if (choice.chosen()) {
      counters_.emplace(parent, "replacement");
    }
  }

  // The tags were made; they get an object for their sets and ways.
  void apply(TagArray& tags) {
    if (counters_) {
      tags.replace_by(choice_.make({cache_, tags.sets(), tags.ways()}, *counters_), choice_.name());
    }
  }
  void select(LaunchSeat seat) {
    if (counters_) [[unlikely]] {
      counters_->select(seat);
    }
  }

 private:
  Choice choice_;
  mechanism::CacheLevel cache_;
  std::optional<MechanismCounters> counters_;
};

}  // namespace warpsim
