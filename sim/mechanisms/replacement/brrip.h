// Bimodal re-reference interval prediction: new lines leave first, except one in N. It keeps a part of a working set
// that is larger than the cache.
//
// Source: Jaleel et al., ISCA 2010. Modelled: insertion by bimodal_insertion.h; a line that leaves first enters with
// the most distant value and is not counted. Not modelled: the paper's random draw. State: rrip_values.h and a counter
// per set. Invariant: sets do not depend on each other.
#pragma once

#include <cstdint>

#include "mechanisms/replacement/bimodal_insertion.h"
#include "mechanisms/replacement/rrip_values.h"

namespace warpsim::mechanism {

class Brrip final : public Replacement {
 public:
  struct Settings {
    RripSettings values;
    BimodalSettings bimodal;

    void describe(Keys& keys);
  };

  Brrip(const Settings& settings, const ReplacementSite& site, Counters& counters);

  void inserted(Way place, Address line, bool leaves_first) override;
  void used(Way place, Address line) override;
  void removed(Way place) override;
  std::uint32_t victim(std::uint32_t set) override;
  void cleared() override;

 private:
  RripValues values_;
  BimodalInsertion bimodal_;
};

}  // namespace warpsim::mechanism
