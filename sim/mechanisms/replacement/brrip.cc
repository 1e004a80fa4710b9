#include "mechanisms/replacement/brrip.h"

namespace warpsim::mechanism {

void Brrip::Settings::describe(Keys& keys) {
  values.describe(keys);
  bimodal.describe(keys);
}

Brrip::Brrip(const Settings& settings, const ReplacementSite& site, Counters& /*counters*/)
    : values_(settings.values, site), bimodal_(settings.bimodal, site.sets) {}

void Brrip::inserted(Way place, Address /*line*/, bool leaves_first) {
  values_.insert(place, leaves_first ? RripInsertion::kMostDistant : bimodal_.next(place.set));
}

void Brrip::used(Way place, Address /*line*/) {
  values_.use(place);
}

void Brrip::removed(Way place) {
  values_.forget(place);
}

std::uint32_t Brrip::victim(std::uint32_t set) {
  return values_.victim(set);
}

void Brrip::cleared() {
  values_.forget_all();
  bimodal_.clear();
}

}  // namespace warpsim::mechanism
