#include "memory/memory_column.h"

#include <algorithm>
#include <string>

namespace warpsim {
namespace {

std::string numbered(const char* name, std::uint32_t number) {
  return std::string(name) + "[" + std::to_string(number) + "]";
}

Cycle request_latency(const CrossbarConfig& config) {
  return config.zero_latency ? 1 : config.request_slice_latency_cycles;
}
Cycle response_latency(const CrossbarConfig& config) {
  return config.zero_latency ? 1 : config.response_slice_latency_cycles;
}

// Slices of a partition are evenly spaced along the crossbar, in order of their numbers, so that neighbouring lines,
// which are in slices with neighbouring numbers, see all distances.
Cycle farther(const MemoryConfig& config, std::uint32_t slice) {
  const std::uint32_t per_partition = config.address_map.slices_per_partition;
  const std::uint32_t rank = slice % per_partition;
  const bool spread = per_partition > 1 && !config.crossbar.zero_latency;
  return spread ? Cycle{config.crossbar.slice_latency_spread_cycles} * rank / (per_partition - 1) : 0;
}

}  // namespace

Cycle MemoryColumn::crossbar_latency(const CrossbarConfig& config) {
  return std::min(request_latency(config), response_latency(config));
}

MemoryColumn::MemoryColumn(Engine& engine, const Domains& domains, const MemoryConfig& config, const AddressMap& map,
                           std::uint32_t number, LaunchStatsNode& stats)
    : domains_(domains), map_(&map), number_(number) {
  const std::uint32_t per_channel = map.slices_per_channel();
  for (std::uint32_t partition = 0; partition < config.address_map.num_partitions; ++partition) {
    for (std::uint32_t i = 0; i < per_channel; ++i) {
      numbers_.push_back(map.slice_number(partition, number * per_channel + i));
    }
  }
  make_links(config, engine.domain(domains.l2), engine.domain(domains.dram));
  make_slices(engine, config, stats);
  make_fabric(engine, config, stats);
  make_channels(engine, config, stats);
}

std::uint32_t MemoryColumn::channel_number(std::size_t partition) const {
  return map_->channel_of_slice(numbers_[partition * map_->slices_per_channel()]);
}

void MemoryColumn::make_links(const MemoryConfig& config, const ClockDomain& l2, const ClockDomain& dram) {
  const CrossbarConfig& c = config.crossbar;
  const L2FabricConfig& f = config.l2_fabric;
  const DramConfig& d = config.dram;
  const Cycle request_way = f.zero_latency ? 1 : f.request_latency_cycles - 1;
  const Cycle response_way = f.zero_latency ? 1 : f.response_latency_cycles - 1;
  for (const std::uint32_t slice : numbers_) {
    requests_.push_back(make_link<SliceRequest>(
        l2, l2, c.slice_queue_entries, request_latency(c) + farther(config, slice), 1, FreedSlots::kTravelBack));
    responses_.push_back(
        make_link<SliceResponse>(l2, l2, c.slice_queue_entries, response_latency(c), 1, FreedSlots::kTravelBack));
    fabric_asks_.push_back(make_link<SliceRequest>(l2, l2, f.queue_entries, 1));
    fabric_asked_.push_back(make_link<SliceRequest>(l2, l2, f.queue_entries, request_way, 2));
    fabric_replies_.push_back(make_link<SliceResponse>(l2, l2, f.queue_entries, 1));
    fabric_answers_.push_back(make_link<SliceResponse>(l2, l2, f.queue_entries, response_way, 2));
    dram_requests_.push_back(make_link<DramRequest>(l2, dram, d.slice_queue_entries, d.request_latency_l2_cycles, 4));
    dram_responses_.push_back(
        make_link<DramResponse>(dram, l2, d.slice_queue_entries, DramChannel::response_latency(d)));
  }
}

void MemoryColumn::make_slices(Engine& engine, const MemoryConfig& config, LaunchStatsNode& stats) {
  const bool has_fabric = config.address_map.num_partitions > 1;
  for (std::size_t i = 0; i < numbers_.size(); ++i) {
    L2Slice::Links links{};
    links.requests = requests_[i].get();
    links.responses = responses_[i].get();
    links.dram_requests = dram_requests_[i].get();
    links.dram_responses = dram_responses_[i].get();
    if (has_fabric) {
      links.fabric_out = fabric_asks_[i].get();
      links.fabric_answers = fabric_answers_[i].get();
      links.fabric_in = fabric_asked_[i].get();
      links.fabric_replies = fabric_replies_[i].get();
    }
    const std::uint32_t slice = numbers_[i];
    slices_.push_back(
        std::make_unique<L2Slice>(config.l2, *map_, map_->partition_of_slice(slice), slice, links, stats));
    slices_.back()->connect(engine.add_component(domains_.l2, numbered("memory.l2_slice", slice), *slices_.back()));
  }
}

void MemoryColumn::make_fabric(Engine& engine, const MemoryConfig& config, LaunchStatsNode& stats) {
  std::vector<L2Fabric::SliceLinks> links;
  for (std::size_t i = 0; i < numbers_.size(); ++i) {
    links.push_back({numbers_[i], fabric_asks_[i].get(), fabric_asked_[i].get(), fabric_replies_[i].get(),
                     fabric_answers_[i].get()});
  }
  fabric_ = std::make_unique<L2Fabric>(config.l2_fabric, links, stats, number_);
  fabric_->connect(engine.add_component(domains_.l2, numbered("memory.l2_fabric", number_), *fabric_));
}

void MemoryColumn::make_channels(Engine& engine, const MemoryConfig& config, LaunchStatsNode& stats) {
  const std::uint32_t per_channel = map_->slices_per_channel();
  for (std::uint32_t partition = 0; partition < config.address_map.num_partitions; ++partition) {
    std::vector<DramChannel::SliceLinks> links;
    for (std::uint32_t i = partition * per_channel; i < (partition + 1) * per_channel; ++i) {
      links.push_back({dram_requests_[i].get(), dram_responses_[i].get()});
    }
    const std::uint32_t channel = channel_number(partition);
    channels_.push_back(std::make_unique<DramChannel>(config.dram, config.address_map, *map_, links, stats, channel));
    channels_.back()->connect(
        engine.add_component(domains_.dram, numbered("memory.dram_channel", channel), *channels_.back()));
  }
}

bool MemoryColumn::settled() const {
  return fabric_->idle() && std::ranges::all_of(slices_, [](const auto& slice) { return slice->settled(); });
}

bool MemoryColumn::idle() const {
  return settled() && std::ranges::all_of(slices_, [](const auto& slice) { return slice->idle(); }) &&
         std::ranges::all_of(channels_, [](const auto& channel) { return channel->idle(); }) &&
         std::ranges::all_of(dram_responses_, [](const auto& link) { return link->empty(); });
}

}  // namespace warpsim
