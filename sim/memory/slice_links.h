// The links of each L2 slice: to the crossbar, to the fabric between the partitions, and to its DRAM channel.
//
// Capacities and latencies are those of the sections crossbar, l2_fabric and dram of a description.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/link.h"
#include "memory/memory_config.h"
#include "memory/slice_message.h"

namespace warpsim {

// A link whose queue holds `entries` in addition to the messages in flight, one every `interval` cycles.
template <typename Message>
std::unique_ptr<Link<Message>> make_link(const ClockDomain& from, const ClockDomain& to, std::uint32_t entries,
                                         Cycle latency, Cycle interval = 1) {
  return std::make_unique<Link<Message>>(from, to, std::size_t{entries} + latency / interval, latency);
}

struct SliceLinks {
  template <typename Message>
  using BySlice = std::vector<std::unique_ptr<Link<Message>>>;

  SliceLinks(const MemoryConfig& config, const ClockDomain& l2, const ClockDomain& dram);

  BySlice<SliceRequest> requests;
  BySlice<SliceResponse> responses;
  BySlice<SliceRequest> fabric_asks;      // near slice to fabric
  BySlice<SliceRequest> fabric_asked;     // fabric to home slice
  BySlice<SliceResponse> fabric_replies;  // home slice to fabric
  BySlice<SliceResponse> fabric_answers;  // fabric to near slice
  BySlice<DramRequest> dram_requests;
  BySlice<DramResponse> dram_responses;
};

}  // namespace warpsim
