// A replacement: the CLOCK algorithm (Corbato, 1968) in each set.
//
// A hand goes around the ways of a set. A line that was used since the hand came by stays, and the hand goes on; the
// first line that was not used is replaced. With `limit` above 1 the hand passes a line as often as it was used.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "warpsim/replacement.h"

namespace mine {

using namespace warpsim::mechanism;

class SecondChance final : public Replacement {
 public:
  struct Settings {
    std::uint32_t limit = 1;
    void describe(Keys& keys) { keys.integer("limit", limit, 1, 15, "uses of a line that are remembered"); }
  };

  SecondChance(const Settings& settings, const ReplacementSite& site, Counters& counters)
      : limit_(settings.limit),
        ways_(site.ways),
        uses_(std::size_t{site.sets} * site.ways),
        hand_(site.sets),
        chances_(counters.add("chances", CounterUnit::kEvents, "used lines that the hand passed")) {}

  void inserted(Way place, Address /*line*/, bool leaves_first) override {
    uses_of(place) = 0;
    if (leaves_first) {
      hand_[place.set] = place.way;
    }
  }
  void used(Way place, Address /*line*/) override { uses_of(place) = std::min(uses_of(place) + 1, limit_); }
  void removed(Way place) override { uses_of(place) = 0; }
  std::uint32_t victim(std::uint32_t set) override {
    for (;;) {
      const Way place{set, hand_[set]};
      hand_[set] = (place.way + 1) % ways_;
      if (uses_of(place) == 0) {
        return place.way;
      }
      --uses_of(place);
      ++chances_;
    }
  }
  void cleared() override {
    std::fill(uses_.begin(), uses_.end(), 0U);
    std::fill(hand_.begin(), hand_.end(), 0U);
  }

 private:
  std::uint32_t& uses_of(Way place) { return uses_[std::size_t{place.set} * ways_ + place.way]; }

  std::uint32_t limit_;
  std::uint32_t ways_;
  std::vector<std::uint32_t> uses_;  // by set and way
  std::vector<std::uint32_t> hand_;  // by set
  Counter chances_;
};

}  // namespace mine
