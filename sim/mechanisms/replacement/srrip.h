// Static re-reference interval prediction: a new line is expected to be used later than lines that were used again.
//
// Source: Jaleel et al., ISCA 2010. Modelled: a line enters with the value one below the most distant one, so that
// lines used once do not displace lines used more often; a line that leaves first enters with the most distant value.
// State: rrip_values.h. Invariant: sets do not depend on each other.
#pragma once

#include <cstdint>

#include "mechanisms/replacement/rrip_values.h"

namespace warpsim::mechanism {

class Srrip final : public Replacement {
 public:
  using Settings = RripSettings;

  Srrip(const Settings& settings, const ReplacementSite& site, Counters& counters);

  void inserted(Way place, Address line, bool leaves_first) override;
  void used(Way place, Address line) override;
  void removed(Way place) override;
  std::uint32_t victim(std::uint32_t set) override;
  void cleared() override;

 private:
  RripValues values_;
};

}  // namespace warpsim::mechanism
