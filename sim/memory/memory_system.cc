#include "memory/memory_system.h"

#include <algorithm>
#include <string>

#include "base/check.h"
#include "base/error.h"
#include "memory/crossbar/network_stage.h"
#include "memory/crossbar/translation_stage.h"
#include "memory/l2/l2_launch_traffic.h"
#include "memory/memory_column.h"
#include "memory/memory_ports.h"
#include "memory/remote/copy_requests.h"
#include "memory/remote/remote_gate.h"

namespace warpsim {
namespace {

template <typename T>
using Owned = std::vector<std::unique_ptr<T>>;

}  // namespace

struct MemorySystem::Impl {
  Impl(const MemoryEngines& the_engines, std::uint32_t core, std::uint32_t l2, std::uint32_t dram,
       const MemoryConfig& the_config, const std::vector<Port>& the_ports, LaunchStatsNode& the_stats,
       const Remote& the_remote)
      : engines(the_engines),
        core_domain(core),
        l2_domain(l2),
        dram_domain(dram),
        config(the_config),
        ports(the_config, the_ports,
              {the_remote.has_guests ? the_remote.links.peer.ports_per_partition : 0, the_remote.homes != nullptr},
              {&core_clock(), &l2_clock()}),
        map(the_config.address_map),
        stats(the_stats),
        remote(the_remote),
        gate_stats(the_stats, "remote_gate"),
        windows(the_config.l2.persistence.hit_permille) {}

  const ClockDomain& core_clock() const { return engines.first().domain(core_domain); }
  const ClockDomain& l2_clock() const { return engines.first().domain(l2_domain); }
  std::uint32_t num_slices() const { return config.address_map.num_slices(); }
  std::uint32_t num_partitions() const { return config.address_map.num_partitions; }

  void make_columns();
  void make_gate();
  void make_copies();
  void make_crossbars();
  void make_translations();
  void make_network();
  HomeLookup homes() const { return {remote.homes, remote.gpu, remote.links.host.kind == HostLinkKind::kIntegrated}; }

  MemoryEngines engines;
  std::uint32_t core_domain;
  std::uint32_t l2_domain;
  std::uint32_t dram_domain;
  MemoryConfig config;
  MemoryPorts ports;
  AddressMap map;
  LaunchStatsNode& stats;
  Remote remote;
  LaunchStats<RemoteGateStats> gate_stats;

  Owned<MemoryColumn> columns;
  std::vector<MemoryColumn::Slice> by_slice;  // by number of the slice
  std::vector<L2Slice*> slices;               // the same
  std::vector<DramChannel*> channels;         // by number
  // The crossbars' ends of a network; without one, those of the slices.
  Owned<Link<SliceRequest>> network_requests;
  Owned<Link<SliceResponse>> network_responses;
  // By partition; none if there is no gate.
  Owned<Link<SliceRequest>> gate_requests;
  Owned<Link<SliceResponse>> gate_responses;

  AccessWindows windows;
  Owned<Crossbar> crossbars;                       // by partition
  std::unique_ptr<TranslationStage> translations;  // null: every address is translated
  std::unique_ptr<NetworkStage> network;           // null: the crossbars are switches
  std::unique_ptr<L2LaunchTraffic> launch_traffic;
  std::unique_ptr<RemoteGate> gate;
  std::unique_ptr<CopyRequests> copies;
};

void MemorySystem::Impl::make_columns() {
  by_slice.resize(num_slices());
  slices.resize(num_slices());
  channels.resize(config.address_map.num_channels);
  for (std::uint32_t number = 0; number < MemoryColumn::count(config.address_map); ++number) {
    columns.push_back(std::make_unique<MemoryColumn>(
        engines.of_column(number), MemoryColumn::Domains{l2_domain, dram_domain}, config, map, number, stats));
    MemoryColumn& column = *columns.back();
    for (std::size_t i = 0; i < column.slices(); ++i) {
      const MemoryColumn::Slice links = column.links_of(i);
      by_slice[links.number] = links;
      slices[links.number] = &column.slice(i);
    }
    for (std::size_t i = 0; i < column.channels(); ++i) {
      channels[column.channel_number(i)] = &column.channel(i);
    }
  }
  launch_traffic = std::make_unique<L2LaunchTraffic>(config.l2.launch_traffic, stats);
}

// As far from a crossbar as a slice; a request takes its place in the queue of one of them.
void MemorySystem::Impl::make_gate() {
  if (remote.homes == nullptr) {
    return;
  }
  const CrossbarConfig& c = config.crossbar;
  const std::uint32_t entries = c.slice_queue_entries * config.address_map.slices_per_partition;
  RemoteGate::Connections connections;
  for (std::uint32_t partition = 0; partition < num_partitions(); ++partition) {
    gate_requests.push_back(
        make_link<SliceRequest>(l2_clock(), l2_clock(), entries, c.zero_latency ? 1 : c.request_slice_latency_cycles));
    gate_responses.push_back(make_link<SliceResponse>(l2_clock(), l2_clock(), entries,
                                                      c.zero_latency ? 1 : c.response_slice_latency_cycles));
    connections.crossbars.push_back({gate_requests.back().get(), gate_responses.back().get()});
  }
  connections.guests = ports.links_of<GuestRequests::Port>(ports.guests());
  gate = std::make_unique<RemoteGate>(remote.links,
                                      RemoteRequests::Setting{remote.gpu, homes(), l2_clock().frequency_mhz()},
                                      connections, map, gate_stats);
  gate->connect(engines.first().add_component(l2_domain, "memory.remote_gate", *gate));
}

void MemorySystem::Impl::make_copies() {
  if (remote.homes == nullptr) {
    return;
  }
  copies = std::make_unique<CopyRequests>(map, ports.links_of<CopyRequests::Port>(ports.copies()), l2_clock());
  copies->connect(engines.first().add_component(l2_domain, "memory.copies", *copies));
}

void MemorySystem::Impl::make_network() {
  if (!config.crossbar.network.chosen()) {
    return;
  }
  NetworkStage::Place place;
  place.partitions = config.address_map.num_partitions;
  for (const Port& port : ports.places()) {
    place.gpc_of_port.push_back(port.gpc);
    if (port.gpc >= place.partition_of_gpc.size()) {
      place.partition_of_gpc.resize(port.gpc + 1, port.partition);
    }
    place.partition_of_gpc[port.gpc] = port.partition;
  }
  std::vector<NetworkStage::SliceLinks> links;
  const std::uint32_t entries = config.crossbar.slice_queue_entries;
  for (std::uint32_t slice = 0; slice < num_slices(); ++slice) {
    network_requests.push_back(make_link<SliceRequest>(l2_clock(), l2_clock(), entries, 1));
    network_responses.push_back(make_link<SliceResponse>(l2_clock(), l2_clock(), entries, 1));
    links.push_back({network_requests.back().get(), by_slice[slice].requests, by_slice[slice].responses,
                     network_responses.back().get()});
  }
  network = std::make_unique<NetworkStage>(config.crossbar.network, place, links, entries, stats);
  network->connect(engines.first().add_component(l2_domain, "memory.network", *network));
}

void MemorySystem::Impl::make_translations() {
  if (!config.translation.enabled) {
    return;
  }
  std::vector<Engine*> by_partition;
  for (std::uint32_t partition = 0; partition < num_partitions(); ++partition) {
    by_partition.push_back(&engines.of_crossbar(partition));
  }
  TranslationStage::Ports of_stage{ports.places()};
  for (const PageWalks::Port& walks : ports.links_of<PageWalks::Port>(ports.walks())) {
    of_stage.walks = walks;
  }
  translations = std::make_unique<TranslationStage>(by_partition, l2_domain, config.translation, of_stage, stats);
}

void MemorySystem::Impl::make_crossbars() {
  const std::vector<Crossbar::PortLinks> port_links = ports.of_crossbars();
  std::vector<Crossbar::SliceLinks> slice_links;
  for (std::uint32_t slice = 0; slice < num_slices(); ++slice) {
    slice_links.push_back(network == nullptr
                              ? Crossbar::SliceLinks{by_slice[slice].requests, by_slice[slice].responses}
                              : Crossbar::SliceLinks{network_requests[slice].get(), network_responses[slice].get()});
  }
  for (std::uint32_t partition = 0; partition < num_partitions(); ++partition) {
    Crossbar::Gate to_gate;
    if (gate != nullptr) {
      to_gate = {{gate_requests[partition].get(), gate_responses[partition].get()}, homes()};
    }
    Crossbar& crossbar = *crossbars.emplace_back(
        std::make_unique<Crossbar>(config.crossbar, map, partition, port_links, slice_links, to_gate, stats));
    crossbar.use_windows(windows);
    if (translations != nullptr) {
      crossbar.use_translations(config.translation, translations->connections(partition));
    }
    crossbar.connect(engines.of_crossbar(partition).add_component(
        l2_domain, "memory.crossbar[" + std::to_string(partition) + "]", crossbar));
  }
}

MemorySystem::MemorySystem(const MemoryEngines& engines, std::uint32_t core_domain, std::uint32_t l2_domain,
                           std::uint32_t dram_domain, const MemoryConfig& config, const std::vector<Port>& ports,
                           LaunchStatsNode& stats, const Remote& remote)
    : impl_(std::make_unique<Impl>(engines, core_domain, l2_domain, dram_domain, config, ports, stats, remote)) {
  impl_->make_columns();
  impl_->make_gate();
  impl_->make_copies();
  impl_->make_network();
  impl_->make_translations();
  impl_->make_crossbars();
}

MemorySystem::~MemorySystem() = default;

Link<MemRequest>& MemorySystem::requests(std::uint32_t port) {
  return impl_->ports.requests(port);
}
Link<MemResponse>& MemorySystem::responses(std::uint32_t port) {
  return impl_->ports.responses(port);
}
bool MemorySystem::has_faults() const {
  return std::ranges::any_of(impl_->crossbars, [](const auto& crossbar) { return crossbar->faults().has_new(); });
}
bool MemorySystem::waits_for_pages() const {
  return std::ranges::any_of(impl_->crossbars, [](const auto& crossbar) { return crossbar->faults().any_waits(); });
}
std::vector<PageFault> MemorySystem::take_faults() {
  std::vector<PageFault> all;
  for (const auto& crossbar : impl_->crossbars) {
    const std::vector<PageFault> faults = crossbar->faults().take();
    all.insert(all.end(), faults.begin(), faults.end());
  }
  std::ranges::stable_sort(all, {}, &PageFault::at);
  return all;
}
void MemorySystem::try_faults_again(Cycle at) {
  for (const auto& crossbar : impl_->crossbars) {
    crossbar->try_faults_again(at);
  }
}
RemoteGate* MemorySystem::gate() {
  return impl_->gate.get();
}
CopyRequests* MemorySystem::copies() {
  return impl_->copies.get();
}

void MemorySystem::invalidate() {
  SIM_CHECK(idle(), "the memory system is invalidated while it works");
  for (L2Slice* slice : impl_->slices) {
    slice->invalidate();
  }
  if (impl_->translations != nullptr) {
    impl_->translations->clear();
    for (const auto& crossbar : impl_->crossbars) {
      crossbar->clear_translations();
    }
  }
}

void MemorySystem::fill_from_host(Address destination, std::uint64_t bytes) {
  if (bytes == 0) {
    return;
  }
  // Only the end of a copy larger than L2 can stay.
  const L2Config& l2 = impl_->config.l2;
  const std::uint64_t lines =
      std::uint64_t{impl_->num_slices()} * l2.num_sets * l2.num_ways * l2.line_bytes / kLineBytes;
  const Address last = line_of(destination + bytes - 1);
  const std::uint64_t span = std::min<std::uint64_t>((last - line_of(destination)) / kLineBytes, lines * 2);
  for (std::uint64_t back = span + 1; back-- > 0;) {
    const Address line = last - back * kLineBytes;
    const AddressMap::Home home = impl_->map.home_of(line);
    impl_->slices[impl_->map.slice_number(home.partition, home.slice_in_partition)]->place(home.line_number, line);
  }
}

bool MemorySystem::settled() const {
  const auto is_settled = [](const auto& column) { return column->settled(); };
  const auto is_idle = [](const auto& part) { return part->idle(); };
  return std::ranges::all_of(impl_->crossbars, is_idle) && (impl_->network == nullptr || impl_->network->idle()) &&
         (impl_->translations == nullptr || impl_->translations->idle()) &&
         (impl_->gate == nullptr || impl_->gate->idle()) && std::ranges::all_of(impl_->columns, is_settled) &&
         impl_->ports.empty();
}

void MemorySystem::show(Timeline& timeline, const std::vector<std::uint32_t>& channels) {
  for (const std::uint32_t channel : channels) {
    if (channel >= impl_->channels.size()) {
      throw ConfigError("there is no DRAM channel " + std::to_string(channel) + " to show: the GPU has " +
                        std::to_string(impl_->channels.size()));
    }
    TimelinePart& part = timeline.add_part();
    impl_->channels[channel]->show(part, part.add_track({"DRAM channel " + std::to_string(channel)}));
  }
}

bool MemorySystem::idle() const {
  return settled() && std::ranges::all_of(impl_->columns, [](const auto& column) { return column->idle(); });
}

void MemorySystem::set_aside(std::uint32_t sixteenths) {
  for (L2Slice* slice : impl_->slices) {
    slice->array().set_aside(sixteenths);
  }
}

void MemorySystem::end_persistence() {
  for (L2Slice* slice : impl_->slices) {
    slice->array().end_persistence();
  }
}

void MemorySystem::end_launch(LaunchSeat seat, std::uint32_t storing_sms) {
  impl_->launch_traffic->launch_ends(seat, storing_sms);
}

void MemorySystem::begin_launch(LaunchSeat seat, const AccessWindow& window) {
  impl_->windows.set(seat, window);
  for (L2Slice* slice : impl_->slices) {
    slice->written().begin(seat);
  }
  if (impl_->gate != nullptr) {
    impl_->gate->written().begin(seat);
  }
}

std::uint64_t MemorySystem::writes_completed(LaunchSeat seat) const {
  std::uint64_t completed = 0;
  for (L2Slice* slice : impl_->slices) {
    completed += slice->written().completed(seat);
  }
  return completed + (impl_->gate == nullptr ? 0 : impl_->gate->written().completed(seat));
}

TimeFs MemorySystem::writes_acknowledged_at(LaunchSeat seat) const {
  Cycle last = 0;
  for (L2Slice* slice : impl_->slices) {
    last = std::max(last, slice->written().latest(seat));
  }
  if (impl_->gate != nullptr) {
    last = std::max(last, impl_->gate->written().latest(seat));
  }
  const CrossbarConfig& crossbar = impl_->config.crossbar;
  return impl_->l2_clock().time_of(last + crossbar.response_slice_latency_cycles +
                                   crossbar.response_port_latency_cycles);
}

}  // namespace warpsim
