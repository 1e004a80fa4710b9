#include "mechanisms/miss_admissions/dynamic_threshold.h"

namespace warpsim::mechanism {

void DynamicThreshold::Settings::describe(Keys& keys) {
  keys.real("multiple", multiple, 0.001, 1000, "entries that one requester may have for each free entry");
}

DynamicThreshold::DynamicThreshold(const Settings& settings, const MissAdmissionSite& site, Counters& /*counters*/)
    : multiple_(settings.multiple), site_entries_(site.entries) {}

}  // namespace warpsim::mechanism
