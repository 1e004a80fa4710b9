// Parameters of the crossbar (crossbar.h).
#pragma once

#include <cstdint>

#include "config/config_section.h"
#include "mechanisms/mechanism_choice.h"
#include "memory/crossbar/l2_request_coalescer.h"

namespace warpsim {

// Cycles are those of the L2 clock unless a key says core.
struct CrossbarConfig {
  std::uint32_t request_port_latency_core_cycles = 1;
  std::uint32_t request_slice_latency_cycles = 1;
  std::uint32_t response_slice_latency_cycles = 1;
  std::uint32_t response_port_latency_cycles = 1;
  std::uint32_t slice_latency_spread_cycles = 0;
  std::uint32_t gpc_latency_spread_cycles = 0;
  double port_request_bytes_per_cycle = 32;
  double port_response_bytes_per_cycle = 128;
  double gpc_request_bytes_per_cycle = 512;
  double gpc_response_bytes_per_cycle = 512;
  std::uint32_t flit_bytes = 32;
  std::uint32_t write_mask_bytes = 0;
  std::uint32_t port_request_entries = 16;
  std::uint32_t port_response_entries = 16;
  std::uint32_t slice_queue_entries = 16;
  std::uint32_t turn_cycles = 1;
  L2RequestCoalescerConfig coalescer;
  bool zero_latency = false;
  bool unlimited_bandwidth = false;
  MechanismChoice<mechanism::Arbitration> arbitration;  // none: requesters take turns
  MechanismChoice<mechanism::Network> network;          // none: latencies and rates above are all
};
void describe(ConfigSection& section, CrossbarConfig& config);

}  // namespace warpsim
