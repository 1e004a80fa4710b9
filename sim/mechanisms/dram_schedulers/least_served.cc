#include "mechanisms/dram_schedulers/least_served.h"

#include <cmath>
#include <limits>

namespace warpsim::mechanism {

void LeastServed::Settings::describe(Keys& keys) {
  keys.integer("quantum_cycles", quantum_cycles, 1, 1000000000, "DRAM cycles after which service is smoothed");
  keys.real("old_weight", old_weight, 0, 1, "weight of past quanta in the smoothed service");
  keys.integer("longest_wait_cycles", longest_wait_cycles, 1, 1000000000,
               "DRAM cycles after which an access goes before all younger ones");
}

LeastServed::LeastServed(const Settings& settings, const DramSchedulerSite& /*site*/, Counters& counters)
    : settings_(settings),
      quantum_end_(settings.quantum_cycles),
      served_by_age_(counters.add("served_by_age", CounterUnit::kRequests, "accesses that had waited too long")) {}

double LeastServed::service_of(const DramAccess& access) const {
  if (access.requester == DramAccess::kNobody) {
    return std::numeric_limits<double>::infinity();
  }
  return access.requester < services_.size() ? services_[access.requester].total : 0;
}

bool LeastServed::before(const DramAccess& a, const DramAccess& b) const {
  if (too_old(a) || too_old(b)) {
    return a.order < b.order;
  }
  const double service_a = service_of(a);
  const double service_b = service_of(b);
  if (service_a != service_b) {
    return service_a < service_b;
  }
  return a.row_open != b.row_open ? a.row_open : a.order < b.order;
}

void LeastServed::served(const DramAccess& access, std::uint32_t bursts, Cycle now) {
  served_by_age_ += too_old(access) ? 1 : 0;
  now_ = now;
  end_quanta(now);
  if (access.requester == DramAccess::kNobody) {
    return;
  }
  if (access.requester >= services_.size()) {
    services_.resize(std::size_t{access.requester} + 1);
  }
  services_[access.requester].quantum += bursts;
}

void LeastServed::end_quanta(Cycle now) {
  if (now < quantum_end_) {
    return;
  }
  const Cycle ended = (now - quantum_end_) / settings_.quantum_cycles + 1;
  quantum_end_ += ended * settings_.quantum_cycles;
  const double later = std::pow(settings_.old_weight, static_cast<double>(ended - 1));  // quanta without service
  for (Service& service : services_) {
    service.total = (settings_.old_weight * service.total + (1 - settings_.old_weight) * service.quantum) * later;
    service.quantum = 0;
  }
}

}  // namespace warpsim::mechanism
