// A requester (a warp of an SM, an SM of the GPU) may have as many entries as a multiple of those that are free: nobody
// is limited in an empty table, and none takes the last entries from the others.
//
// Source: Choudhury and Hahne, "Dynamic Queue Length Thresholds for Shared-Memory Packet Switches", IEEE/ACM
// Transactions on Networking 6(2), 1998, for the queues of a switch; its use for entries of misses is assumed. State:
// the entries of each requester.
#pragma once

#include <cstdint>

#include "mechanisms/miss_admissions/entries_by_requester.h"
#include "warpsim/miss_admission.h"

namespace warpsim::mechanism {

class DynamicThreshold final : public MissAdmission {
 public:
  struct Settings {
    double multiple = 0.5;  // assumed: one of several in the paper's examples

    void describe(Keys& keys);
  };

  DynamicThreshold(const Settings& settings, const MissAdmissionSite& site, Counters& counters);

  bool admits(const MissOffer& miss) const override {
    return miss.joins || site_entries_ == 0 || entries_.held(miss.requester) < multiple_ * (site_entries_ - miss.used);
  }
  void begins(std::uint32_t entry, const MissOffer& miss) override { entries_.begin(entry, miss.requester); }
  void ends(std::uint32_t entry) override { entries_.end(entry); }

 private:
  double multiple_;
  std::uint32_t site_entries_;
  EntriesByRequester entries_;
};

}  // namespace warpsim::mechanism
