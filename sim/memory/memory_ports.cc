#include "memory/memory_ports.h"

#include <algorithm>

#include "base/check.h"
#include "memory/crossbar/translation_stage.h"
#include "memory/memory_column.h"

namespace warpsim {

MemoryPorts::MemoryPorts(const MemoryConfig& config, const std::vector<PortPlace>& requesters, const Own& own,
                         const Clocks& clocks) {
  const std::uint32_t partitions = config.address_map.num_partitions;
  std::uint32_t gpcs = 1;
  for (const PortPlace& place : requesters) {
    gpcs = std::max(gpcs, place.gpc + 1);
  }
  for (PortPlace place : requesters) {
    SIM_CHECK(partitions == 1 || place.partition < partitions, "a port is in a partition that does not exist");
    place.partition = partitions == 1 ? 0 : place.partition;
    add_requester(config.crossbar, place, gpcs, clocks);
  }
  std::uint32_t kind = gpcs;
  guests_.begin = places_.size();
  for (std::uint32_t guest = 0; guest < partitions * own.guests_per_partition; ++guest) {
    add_own(config.crossbar, kind, guest / own.guests_per_partition, *clocks.l2);
  }
  guests_.end = places_.size();
  kind += own.guests_per_partition == 0 ? 0 : 1;
  if (config.translation.enabled && config.translation.tables.in_memory) {
    add_own(config.crossbar, kind++, TranslationStage::gpu_partition(config.translation, partitions), *clocks.l2);
  }
  copies_.begin = places_.size();
  for (std::uint32_t partition = 0; own.has_copies && partition < partitions; ++partition) {
    add_own(config.crossbar, kind, partition, *clocks.l2);
  }
  copies_.end = places_.size();
}

void MemoryPorts::add_requester(const CrossbarConfig& config, PortPlace place, std::uint32_t gpcs,
                                const Clocks& clocks) {
  // GPCs are evenly spaced along the crossbar.
  const Cycle farther = gpcs > 1 ? Cycle{config.gpc_latency_spread_cycles} * place.gpc / (gpcs - 1) : 0;
  const Cycle there = port_request_latency(config);
  const Cycle back =
      port_response_latency(config, place, *clocks.core, *clocks.l2) + (config.zero_latency ? 0 : farther);
  places_.push_back(place);
  requests_.push_back(make_link<MemRequest>(*clocks.core, *clocks.l2, config.port_request_entries, there));
  responses_.push_back(make_link<MemResponse>(*clocks.l2, *clocks.core, config.port_response_entries, back));
}

void MemoryPorts::add_own(const CrossbarConfig& config, std::uint32_t gpc, std::uint32_t partition,
                          const ClockDomain& l2) {
  places_.push_back({gpc, partition});
  requests_.push_back(make_link<MemRequest>(l2, l2, config.port_request_entries, 1));
  responses_.push_back(make_link<MemResponse>(l2, l2, config.port_response_entries, 1));
}

std::vector<Crossbar::PortLinks> MemoryPorts::of_crossbars() const {
  std::vector<Crossbar::PortLinks> links;
  for (std::size_t port = 0; port < places_.size(); ++port) {
    links.push_back({requests_[port].get(), responses_[port].get(), places_[port].gpc, places_[port].partition,
                     port >= guests_.begin, port >= copies_.begin});
  }
  return links;
}

bool MemoryPorts::empty() const {
  const auto is_empty = [](const auto& link) { return link->empty(); };
  return std::ranges::all_of(requests_, is_empty) && std::ranges::all_of(responses_, is_empty);
}

}  // namespace warpsim
