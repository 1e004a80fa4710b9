// A column of the memory system: the L2 slices with the same places in all partitions, the fabric between them, and
// their DRAM channels.
//
//   crossbar -> slices -> DRAM channel
//               slices -> fabric -> slices of the same place in other partitions
// A line has the same place in each partition (address_map.h), so a slice has nothing to do with slices of other
// columns: columns only meet in the crossbar. With one slice for each channel, a column has one slice in each
// partition. All parts of a column are in one engine.
//
// Capacities and latencies of the links are those of the sections crossbar, l2_fabric and dram of a description. Links
// to and from the crossbar have credits (link.h), so that results do not depend on whether it is in the same engine.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/engine.h"
#include "engine/link.h"
#include "memory/address_map.h"
#include "memory/dram/dram_channel.h"
#include "memory/l2/l2_fabric.h"
#include "memory/l2/l2_slice.h"
#include "memory/memory_config.h"
#include "memory/slice_message.h"
#include "stats/launch_stats.h"

namespace warpsim {

// A link whose queue holds `entries` in addition to the messages in flight, one every `interval` cycles.
template <typename Message>
std::unique_ptr<Link<Message>> make_link(const ClockDomain& from, const ClockDomain& to, std::uint32_t entries,
                                         Cycle latency, Cycle interval = 1, FreedSlots freed = FreedSlots::kAtOnce) {
  return std::make_unique<Link<Message>>(from, to, std::size_t{entries} + latency / interval, latency, freed);
}

class MemoryColumn {
 public:
  // Clock domains of an engine: of L2 and of the DRAM channels.
  struct Domains {
    std::uint32_t l2;
    std::uint32_t dram;
  };
  // Of a GPU with this memory.
  static std::uint32_t count(const AddressMapConfig& config) { return config.num_channels / config.num_partitions; }
  // Shortest latency of the links between crossbar and columns, in L2 cycles.
  static Cycle crossbar_latency(const CrossbarConfig& config);

  // `number`: below count(). Engine, map and counters outlive the column.
  MemoryColumn(Engine& engine, const Domains& domains, const MemoryConfig& config, const AddressMap& map,
               std::uint32_t number, LaunchStatsNode& stats);

  // The links of the i-th slice to the crossbar; slices are numbered as in address_map.h.
  struct Slice {
    std::uint32_t number;
    Link<SliceRequest>* requests;
    Link<SliceResponse>* responses;
  };
  std::size_t slices() const { return slices_.size(); }
  Slice links_of(std::size_t i) const { return {numbers_[i], requests_[i].get(), responses_[i].get()}; }
  L2Slice& slice(std::size_t i) { return *slices_[i]; }
  // One of each partition; the i-th has the number channel_number(i).
  std::size_t channels() const { return channels_.size(); }
  DramChannel& channel(std::size_t i) { return *channels_[i]; }
  std::uint32_t channel_number(std::size_t partition) const;

  // Nothing moves between requesters and slices; write-backs to DRAM may continue.
  bool settled() const;
  bool idle() const;

 private:
  template <typename T>
  using Owned = std::vector<std::unique_ptr<T>>;

  void make_links(const MemoryConfig& config, const ClockDomain& l2, const ClockDomain& dram);
  void make_slices(Engine& engine, const MemoryConfig& config, LaunchStatsNode& stats);
  void make_fabric(Engine& engine, const MemoryConfig& config, LaunchStatsNode& stats);
  void make_channels(Engine& engine, const MemoryConfig& config, LaunchStatsNode& stats);

  Domains domains_;
  const AddressMap* map_;
  std::uint32_t number_;
  std::vector<std::uint32_t> numbers_;  // of the slices: one partition after the other
  // By slice.
  Owned<Link<SliceRequest>> requests_;
  Owned<Link<SliceResponse>> responses_;
  Owned<Link<SliceRequest>> fabric_asks_;      // near slice to fabric
  Owned<Link<SliceRequest>> fabric_asked_;     // fabric to home slice
  Owned<Link<SliceResponse>> fabric_replies_;  // home slice to fabric
  Owned<Link<SliceResponse>> fabric_answers_;  // fabric to near slice
  Owned<Link<DramRequest>> dram_requests_;
  Owned<Link<DramResponse>> dram_responses_;
  Owned<L2Slice> slices_;
  std::unique_ptr<L2Fabric> fabric_;
  Owned<DramChannel> channels_;  // by partition
};

}  // namespace warpsim
