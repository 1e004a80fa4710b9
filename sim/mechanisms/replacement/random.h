// Replacement of a random line.
//
// Source: xorshift of Marsaglia, "Xorshift RNGs", Journal of Statistical Software 2003, with the shifts 13, 7 and 17.
// Modelled: one generator for all sets, which draws when a line enters; a set's victim is the same until then. A line
// that leaves first is not preferred. Caches with the same seed draw the same numbers.
// State: 64 bits. Invariant: they are not all zero.
#pragma once

#include <cstdint>

#include "warpsim/replacement.h"

namespace warpsim::mechanism {

class RandomReplacement final : public Replacement {
 public:
  struct Settings {
    std::uint32_t seed = 1;  // assumed: any number

    void describe(Keys& keys);
  };

  RandomReplacement(const Settings& settings, const ReplacementSite& site, Counters& counters);

  void inserted(Way place, Address line, bool leaves_first) override;
  void used(Way place, Address line) override;
  void removed(Way place) override;
  std::uint32_t victim(std::uint32_t set) override;
  void cleared() override;

 private:
  void draw();

  std::uint32_t ways_;
  std::uint64_t first_state_;
  std::uint64_t state_;
};

}  // namespace warpsim::mechanism
