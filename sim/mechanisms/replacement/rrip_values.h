// Predictions of the distance to the next use of each line, which SRRIP, BRRIP and DRRIP share.
//
// Source: Jaleel, Theobald, Steely and Emer, "High Performance Cache Replacement Using Re-Reference Interval Prediction
// (RRIP)", ISCA 2010. Modelled: a value of M bits per line; 0 after a hit ("hit priority"); the victim is the first
// line with the most distant value, after all values of the set have been raised until there is one. State: a value per
// way. Invariant: values are at most most_distant().
#pragma once

#include <cstdint>
#include <vector>

#include "warpsim/replacement.h"

namespace warpsim::mechanism {

// How a policy inserts a line.
enum class RripInsertion : std::uint8_t {
  kLong,         // one below the most distant value
  kMostDistant,  // replaced first
};

struct RripSettings {
  std::uint32_t prediction_bits = 2;  // paper: Jaleel et al., ISCA 2010

  void describe(Keys& keys);
};

class RripValues {
 public:
  RripValues(const RripSettings& settings, const ReplacementSite& site);

  std::uint8_t most_distant() const { return most_distant_; }
  std::uint8_t value(Way place) const { return values_[index(place)]; }

  void insert(Way place, RripInsertion insertion) {
    values_[index(place)] =
        insertion == RripInsertion::kLong ? static_cast<std::uint8_t>(most_distant_ - 1) : most_distant_;
  }
  void use(Way place) { values_[index(place)] = 0; }
  void forget(Way place) { values_[index(place)] = most_distant_; }
  void forget_all();
  // Raises the values of the set. Further calls give the same way.
  std::uint32_t victim(std::uint32_t set);

 private:
  std::size_t index(Way place) const { return std::size_t{place.set} * ways_ + place.way; }

  std::uint32_t ways_;
  std::uint8_t most_distant_;
  std::vector<std::uint8_t> values_;
};

}  // namespace warpsim::mechanism
