// A requester (a warp of an SM, an SM of the GPU) has at most a fixed share of the entries.
//
// Source: Jahre and Natvig, "A Light-Weight Fairness Mechanism for Chip Multiprocessor Memory Systems", CF 2009, limits
// the entries that each core has. Modelled: one limit for all requesters. Not modelled: limits that follow the measured
// interference. State: the entries of each requester.
#pragma once

#include <cstdint>

#include "mechanisms/miss_admissions/entries_by_requester.h"
#include "warpsim/miss_admission.h"

namespace warpsim::mechanism {

class RequesterShare final : public MissAdmission {
 public:
  struct Settings {
    std::uint32_t percent = 25;  // assumed: four requesters can have all entries

    void describe(Keys& keys);
  };

  RequesterShare(const Settings& settings, const MissAdmissionSite& site, Counters& counters);

  bool admits(const MissOffer& miss) const override { return miss.joins || entries_.held(miss.requester) < most_; }
  void begins(std::uint32_t entry, const MissOffer& miss) override { entries_.begin(entry, miss.requester); }
  void ends(std::uint32_t entry) override { entries_.end(entry); }

 private:
  std::uint32_t most_;  // of one requester
  EntriesByRequester entries_;
};

}  // namespace warpsim::mechanism
