#include "mechanisms/miss_admissions/requester_share.h"

#include <algorithm>
#include <limits>

namespace warpsim::mechanism {

void RequesterShare::Settings::describe(Keys& keys) {
  keys.integer("percent", percent, 1, 100, "of the entries that one requester may have, at least one entry");
}

RequesterShare::RequesterShare(const Settings& settings, const MissAdmissionSite& site, Counters& /*counters*/)
    : most_(site.entries == 0
                ? std::numeric_limits<std::uint32_t>::max()
                : std::max(1U, static_cast<std::uint32_t>(std::uint64_t{site.entries} * settings.percent / 100))) {}

}  // namespace warpsim::mechanism
