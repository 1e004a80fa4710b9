// The fabric between the L2 slices with the same places in all partitions: carries requests that a near slice cannot
// answer to the home slice and back.
//
// Modelled: latency each way; bytes per cycle that leave each slice, which requests with data (writes with their masks,
// atomics) and responses with data share, and of which compressed lines take fewer if the description says so; finite
// queues with back-pressure. Messages without data (requests to read,
// acknowledgements) use no rate. Requests and responses of a slice go first in turn; removals of copies use no rate,
// but wait for their turn, one in a cycle (fabric_rates, `written`: a partition writes as many of the lines that the
// other one reads as the fabric brings there).
// Not modelled: topology with more than one hop, a rate of the partition as a whole.
// Evidence: lts__t_sectors_srcunit_ltcfabric of public.csv is half of the sectors that miss near or are written; far
// hits on H800 take 156 cycles more than near ones (microarchitecture.md 4.2). tests/hardware/fabric_rates: reads of
// far DRAM, writes of far lines and both together move the same sum of bytes in a direction (copy_far_to_far, and reads
// of one half with writes of the other): data of both share the rate, and requests to read add nothing that shows.
// Writes of lines that are spread unevenly over the slices are up to a fifth slower (write_far by half of the SMs):
// each slice has a rate of its own.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "config/config_section.h"
#include "engine/component.h"
#include "engine/link.h"
#include "memory/input_set.h"
#include "memory/rate_limiter.h"
#include "memory/slice_message.h"
#include "stats/launch_stats.h"

namespace warpsim {

struct L2FabricConfig {
  std::uint32_t request_latency_cycles = 1;
  std::uint32_t response_latency_cycles = 1;
  double slice_bytes_per_cycle = 16;
  std::uint32_t request_bytes = 16;
  std::uint32_t queue_entries = 16;
  bool compressed_lines = false;
  bool zero_latency = false;
  bool unlimited_bandwidth = false;
};
void describe(ConfigSection& section, L2FabricConfig& config);

struct L2FabricStats : StatGroup {
  using StatGroup::StatGroup;
  Counter requests{*this, "requests", Unit::kRequests, "requests taken to the other partition"};
  Counter responses{*this, "responses", Unit::kRequests, "responses brought back"};
  Counter bytes{*this, "bytes", Unit::kBytes, "bytes moved between partitions, requests included"};
  Histogram request_wait{*this, "request_wait", Unit::kCycles, "cycles a request waited to enter the fabric"};
  Histogram response_wait{*this, "response_wait", Unit::kCycles, "cycles a response waited to enter the fabric"};
};

class L2Fabric final : public Component {
 public:
  struct SliceLinks {
    std::uint32_t number;                // of the slice
    Link<SliceRequest>* requests_in;     // from the slice
    Link<SliceRequest>* requests_out;    // to the slice
    Link<SliceResponse>* responses_in;   // from the slice
    Link<SliceResponse>* responses_out;  // to the slice
  };
  // Messages name slices by their numbers. `number` of the fabric: among those of a GPU.
  L2Fabric(const L2FabricConfig& config, const std::vector<SliceLinks>& slices, LaunchStatsNode& parent,
           std::uint32_t number);
  void connect(WakeHandle self);

  Cycle tick(Cycle now) override;
  bool idle() const override;
  std::string describe_stall() const override;

 private:
  // What leaves a slice.
  struct Output {
    RateLimiter rate;  // of data
    bool requests_first = false;
    Cycle turn_at = 0;  // the next turn
  };
  template <typename Message>
  Cycle pass(std::uint32_t slice, Link<Message>& from, Link<Message>& to, Cycle now);
  bool passes_request(std::uint32_t slice, Cycle now);
  template <typename Message>
  std::uint32_t bytes_of_message(const Message& message) const;
  const SliceLinks& links_of(std::uint32_t number) const;
  Cycle pass_requests(Cycle now);
  Cycle pass_responses(Cycle now);

  L2FabricConfig config_;
  std::vector<SliceLinks> slices_;
  std::vector<Output> outputs_;  // by slice
  InputSet<SliceRequest> requests_;
  InputSet<SliceResponse> responses_;
  LaunchStats<L2FabricStats> stats_;
};

}  // namespace warpsim
