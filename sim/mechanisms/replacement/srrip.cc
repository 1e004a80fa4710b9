#include "mechanisms/replacement/srrip.h"

namespace warpsim::mechanism {

Srrip::Srrip(const Settings& settings, const ReplacementSite& site, Counters& /*counters*/) : values_(settings, site) {}

void Srrip::inserted(Way place, Address /*line*/, bool leaves_first) {
  values_.insert(place, leaves_first ? RripInsertion::kMostDistant : RripInsertion::kLong);
}

void Srrip::used(Way place, Address /*line*/) {
  values_.use(place);
}

void Srrip::removed(Way place) {
  values_.forget(place);
}

std::uint32_t Srrip::victim(std::uint32_t set) {
  return values_.victim(set);
}

void Srrip::cleared() {
  values_.forget_all();
}

}  // namespace warpsim::mechanism
