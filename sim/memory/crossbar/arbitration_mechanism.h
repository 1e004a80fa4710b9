// Whose message goes first in the crossbar, by an exchangeable mechanism (warpsim/arbitration.h), as the crossbar asks
// it.
//
// State: the mechanism and its counters. Invariant: without a mechanism no function is called except the conversion to
// bool.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "base/types.h"
#include "mechanisms/mechanism_choice.h"
#include "stats/launch_stats.h"

namespace warpsim {

class ArbitrationMechanism {
 public:
  using Choice = MechanismChoice<mechanism::Arbitration>;
  using Offer = mechanism::ArbitrationOffer;

  // The counters are a group `name` below `parent`, if a mechanism is chosen.
  ArbitrationMechanism(const Choice& choice, const mechanism::ArbitrationSite& site, LaunchStatsNode& parent,
                       const char* name) {
    if (choice.chosen()) {
      counters_.emplace(parent, name);
      mechanism_ = choice.make(site, *counters_);
    }
  }

  explicit operator bool() const { return mechanism_ != nullptr; }

  bool before(const Offer& a, const Offer& b) const { return mechanism_->before(a, b); }
  // `seat` of the launch whose message went.
  void sent(const Offer& offer, LaunchSeat seat, Cycle now) {
    counters_->select(seat);
    mechanism_->sent(offer, now);
  }

 private:
  std::optional<MechanismCounters> counters_;
  std::unique_ptr<mechanism::Arbitration> mechanism_;
};

}  // namespace warpsim
