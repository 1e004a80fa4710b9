#include "memory/slice_links.h"

#include "memory/dram/dram_channel.h"

namespace warpsim {

SliceLinks::SliceLinks(const MemoryConfig& config, const ClockDomain& l2, const ClockDomain& dram) {
  const CrossbarConfig& c = config.crossbar;
  const L2FabricConfig& f = config.l2_fabric;
  const std::uint32_t per_partition = config.address_map.slices_per_partition;
  for (std::uint32_t slice = 0; slice < config.address_map.num_slices(); ++slice) {
    // Slices are evenly spaced too; slices with neighbouring numbers are apart, so that a stream sees all distances.
    const std::uint32_t rank = slice % per_partition;
    const Cycle farther = per_partition > 1 ? Cycle{c.slice_latency_spread_cycles} * rank / (per_partition - 1) : 0;
    const Cycle there = c.zero_latency ? 1 : c.request_slice_latency_cycles + farther;
    const Cycle back = c.zero_latency ? 1 : c.response_slice_latency_cycles;
    requests.push_back(make_link<SliceRequest>(l2, l2, c.slice_queue_entries, there));
    responses.push_back(make_link<SliceResponse>(l2, l2, c.slice_queue_entries, back));
    const Cycle request_way = f.zero_latency ? 1 : f.request_latency_cycles - 1;
    const Cycle response_way = f.zero_latency ? 1 : f.response_latency_cycles - 1;
    fabric_asks.push_back(make_link<SliceRequest>(l2, l2, f.queue_entries, 1));
    fabric_asked.push_back(make_link<SliceRequest>(l2, l2, f.queue_entries, request_way, 2));
    fabric_replies.push_back(make_link<SliceResponse>(l2, l2, f.queue_entries, 1));
    fabric_answers.push_back(make_link<SliceResponse>(l2, l2, f.queue_entries, response_way, 2));
    const DramConfig& d = config.dram;
    dram_requests.push_back(make_link<DramRequest>(l2, dram, d.slice_queue_entries, d.request_latency_l2_cycles, 4));
    dram_responses.push_back(
        make_link<DramResponse>(dram, l2, d.slice_queue_entries, DramChannel::response_latency(d)));
  }
}

}  // namespace warpsim
