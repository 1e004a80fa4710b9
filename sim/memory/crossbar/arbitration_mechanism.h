// Whose message goes first in the crossbar, by an exchangeable mechanism (warpsim/arbitration.h), as the crossbar asks
// it.
//
// State: the mechanism and its counters. Invariant: without a mechanism no function is called except the conversion to
// bool.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

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

  // The position of the offer that goes first; there is at least one.
  std::size_t first_of(const std::vector<Offer>& offers) const {
    std::size_t first = 0;
    for (std::size_t i = 1; i < offers.size(); ++i) {
      first = mechanism_->before(offers[i], offers[first]) ? i : first;
    }
    return first;
  }
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
