// Where a port of a crossbar is, and how far its requester is from the crossbar.
#pragma once

#include <cstdint>

#include "engine/clock_domain.h"
#include "memory/crossbar/crossbar_config.h"

namespace warpsim {

struct PortPlace {
  static constexpr std::uint32_t kNoGroup = 0xffffffffU;

  std::uint32_t gpc = 0;  // decides the share of bandwidth
  std::uint32_t partition = 0;
  std::uint32_t group = kNoGroup;  // of the GPC's TPCs that share translations; none: its addresses are translated
  // Core cycles by which responses arrive earlier than at an SM.
  std::uint32_t nearer_cycles = 0;
};

// Core cycles from a port to its crossbar.
Cycle port_request_latency(const CrossbarConfig& config);
// L2 cycles from the crossbar to a port of the nearest GPC; at least one.
Cycle port_response_latency(const CrossbarConfig& config, const PortPlace& port, const ClockDomain& core,
                            const ClockDomain& l2);

}  // namespace warpsim
