#include "mechanisms/replacement/drrip.h"

#include <algorithm>

namespace warpsim::mechanism {

namespace {

std::uint32_t leaders_of_each_policy(std::uint32_t wanted, std::uint32_t sets) {
  return sets < 3 ? 0 : std::min(wanted, std::max(sets / 4, 1U));
}

}  // namespace

void Drrip::Settings::describe(Keys& keys) {
  values.describe(keys);
  bimodal.describe(keys);
  keys.integer("leader_sets", leader_sets, 1, 65536,
               "sets that always use SRRIP, and as many that always use BRRIP; at most a quarter of the sets each");
  keys.integer("selector_bits", selector_bits, 1, 31, "bits of the counter that compares the misses of both policies");
}

// The selector begins just below its upper half: SRRIP first (assumed; the paper does not say it).
Drrip::Drrip(const Settings& settings, const ReplacementSite& site, Counters& counters)
    : values_(settings.values, site),
      bimodal_(settings.bimodal, site.sets),
      roles_(site.sets, Role::kFollows),
      upper_half_(1U << (settings.selector_bits - 1)),
      selector_(upper_half_ - 1),
      brrip_insertions_(counters.add("brrip_insertions", CounterUnit::kEvents,
                                     "lines that entered as BRRIP chooses in sets that follow the better policy")) {
  // Both policies in turns.
  const std::uint64_t leaders = 2 * std::uint64_t{leaders_of_each_policy(settings.leader_sets, site.sets)};
  for (std::uint64_t i = 0; i < leaders; ++i) {
    roles_[i * site.sets / leaders] = i % 2 == 0 ? Role::kLeadsSrrip : Role::kLeadsBrrip;
  }
}

RripInsertion Drrip::insertion_in(std::uint32_t set) {
  switch (roles_[set]) {
    case Role::kLeadsSrrip:
      selector_ = std::min(selector_ + 1, 2 * upper_half_ - 1);
      return RripInsertion::kLong;
    case Role::kLeadsBrrip:
      selector_ -= selector_ > 0 ? 1 : 0;
      return bimodal_.next(set);
    case Role::kFollows:
      break;
  }
  if (!brrip_misses_less()) {
    return RripInsertion::kLong;
  }
  ++brrip_insertions_;
  return bimodal_.next(set);
}

void Drrip::inserted(Way place, Address /*line*/, bool leaves_first) {
  values_.insert(place, leaves_first ? RripInsertion::kMostDistant : insertion_in(place.set));
}

void Drrip::used(Way place, Address /*line*/) {
  values_.use(place);
}

void Drrip::removed(Way place) {
  values_.forget(place);
}

std::uint32_t Drrip::victim(std::uint32_t set) {
  return values_.victim(set);
}

void Drrip::cleared() {
  values_.forget_all();
  bimodal_.clear();
  selector_ = upper_half_ - 1;
}

}  // namespace warpsim::mechanism
