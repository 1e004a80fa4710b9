// Dynamic re-reference interval prediction: SRRIP or BRRIP, whichever misses less in sets that always use one of them.
//
// Source: Jaleel et al., ISCA 2010; set dueling after Qureshi et al., ISCA 2007. Modelled: leader sets of each policy,
// evenly distributed, at most a quarter of the sets for each policy; a counter that a line entering a leader set of
// SRRIP raises and one entering a leader set of BRRIP lowers; the other sets use BRRIP in its upper half. Lines that
// leave first do not count, both policies insert them alike. With fewer than three sets there is no duel, only SRRIP.
// State: rrip_values.h, bimodal_insertion.h, the counter. Invariant: the counter has selector_bits bits.
#pragma once

#include <cstdint>
#include <vector>

#include "mechanisms/replacement/bimodal_insertion.h"
#include "mechanisms/replacement/rrip_values.h"

namespace warpsim::mechanism {

class Drrip final : public Replacement {
 public:
  struct Settings {
    RripSettings values;
    BimodalSettings bimodal;
    std::uint32_t leader_sets = 32;    // of each policy; paper: Jaleel et al., ISCA 2010
    std::uint32_t selector_bits = 10;  // paper: Jaleel et al., ISCA 2010

    void describe(Keys& keys);
  };

  Drrip(const Settings& settings, const ReplacementSite& site, Counters& counters);

  void inserted(Way place, Address line, bool leaves_first) override;
  void used(Way place, Address line) override;
  void removed(Way place) override;
  std::uint32_t victim(std::uint32_t set) override;
  void cleared() override;

 private:
  enum class Role : std::uint8_t { kFollows, kLeadsSrrip, kLeadsBrrip };

  bool brrip_misses_less() const { return selector_ >= upper_half_; }
  RripInsertion insertion_in(std::uint32_t set);

  RripValues values_;
  BimodalInsertion bimodal_;
  std::vector<Role> roles_;  // of each set
  std::uint32_t upper_half_;
  std::uint32_t selector_;
  Counter brrip_insertions_;
};

}  // namespace warpsim::mechanism
