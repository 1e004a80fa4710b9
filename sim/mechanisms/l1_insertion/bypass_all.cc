#include "mechanisms/l1_insertion/bypass_all.h"

namespace warpsim::mechanism {

BypassAll::BypassAll(const Settings& /*settings*/, const L1InsertionSite& /*site*/, Counters& /*counters*/) {}

Insertion BypassAll::access(const LineLookup& /*lookup*/) {
  return Insertion::kBypass;
}

}  // namespace warpsim::mechanism
