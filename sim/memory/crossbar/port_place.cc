#include "memory/crossbar/port_place.h"

#include <algorithm>
#include <cmath>

namespace warpsim {

Cycle port_request_latency(const CrossbarConfig& config) {
  return config.zero_latency ? 1 : config.request_port_latency_core_cycles;
}

Cycle port_response_latency(const CrossbarConfig& config, const PortPlace& port, const ClockDomain& core,
                            const ClockDomain& l2) {
  if (config.zero_latency) {
    return 1;
  }
  const double nearer = port.nearer_cycles * l2.frequency_mhz() / core.frequency_mhz();
  const Cycle latency = config.response_port_latency_cycles;
  return latency - std::min(static_cast<Cycle>(std::lround(nearer)), latency - 1);
}

}  // namespace warpsim
