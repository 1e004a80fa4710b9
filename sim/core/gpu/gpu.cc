#include "core/gpu/gpu.h"

#include <algorithm>
#include <string>

#include "base/error.h"
#include "memory/remote/copy_requests.h"
#include "memory/remote/remote_gate.h"
#include "memory/remote/remote_stats.h"

namespace warpsim {

namespace {

// Of all channels, for each core cycle.
double dram_bytes_per_cycle(const GpuConfig& config) {
  const DramConfig& dram = config.memory.dram;
  const double per_dram_cycle =
      static_cast<double>(config.memory.address_map.num_channels) * dram.burst_bytes / dram.burst_cycles;
  return per_dram_cycle * config.clocks.dram_mhz / config.clocks.core_mhz;
}

}  // namespace

Gpu::Clocks Gpu::add_clocks(System& system, const GpuConfig& config) {
  return {system.add_domain("core", config.clocks.core_mhz), system.add_domain("l2", config.clocks.l2_mhz),
          system.add_domain("dram", config.clocks.dram_mhz)};
}

Gpu::Gpu(System& system, const Clocks& clocks, const GpuConfig& config, const Setting& setting)
    : system_(system), config_(config), clocks_(clocks), setting_(setting), topology_(config.topology) {
  if (has_guest_seat()) {
    launches_.reserve(kGuestSeat);
    while (stats_.seats() <= kGuestSeat) {
      stats_.add_seat();
    }
  }
  block_scheduler_ = std::make_unique<BlockScheduler>(system.add_engine(setting_.name_prefix), clocks.core,
                                                      config_.block_scheduler, config_.occupancy, topology_, stats_);
  // Crossbar ports: one per SM, then one per GPC for its instruction and constant cache.
  std::vector<MemorySystem::Port> ports;
  for (std::uint32_t sm = 0; sm < topology_.sm_count(); ++sm) {
    const std::uint32_t translation_group = topology_.tpc_in_gpc(sm) % config_.memory.translation.groups_per_gpc;
    ports.push_back({topology_.l2_gpc_of_sm(sm), topology_.l2_partition_of_sm(sm), translation_group});
  }
  for (std::uint32_t group = 0; group < topology_.group_count(); ++group) {
    const std::uint32_t first_sm = topology_.tpcs(group)[0][0];
    MemorySystem::Port port{topology_.l2_gpc_of_sm(first_sm), topology_.l2_partition_of_sm(first_sm)};
    port.nearer_cycles = config_.gpc_cache.nearer_cycles;
    ports.push_back(port);
  }
  const MemoryDivision division =
      MemoryDivision::of(config_.memory, ports, core_clock(), l2_clock(),
                         config_.gpc_cache.link_latency_cycles * core_clock().period_fs(), setting_.homes != nullptr);
  const auto add_engines = [this](std::uint32_t count) {
    std::vector<Engine*> added;
    for (std::uint32_t i = 0; i < count; ++i) {
      added.push_back(&system_.add_engine(setting_.name_prefix));
    }
    return added;
  };
  const std::vector<Engine*> of_crossbars = add_engines(division.crossbars);
  memory_ = std::make_unique<MemorySystem>(
      MemoryEngines(of_crossbars, add_engines(division.columns)), clocks_.core, clocks_.l2, clocks_.dram,
      config_.memory, ports, stats_,
      MemorySystem::Remote{config_.links, setting_.homes, setting_.number, has_guests()});
  if (has_guest_seat()) {
    memory_->begin_launch(kGuestSeat);
  }
  build_sms();
  build_gpc_caches();
  build_cluster_network();
}

Gpu::~Gpu() = default;

// --- components and links ---

void Gpu::build_sms() {
  const ClockDomain& core = system_.domain(clocks_.core);
  const SmSetting setting{config_.occupancy.blocks_per_sm, setting_.skip,
                          dram_bytes_per_cycle(config_) / topology_.sm_count()};
  constexpr std::size_t kGpcLinkEntries = 64;
  constexpr std::size_t kClusterLinkEntries = 256;
  for (std::uint32_t number = 0; number < topology_.sm_count(); ++number) {
    gpc_requests_.push_back(
        std::make_unique<Link<GpcRequest>>(core, core, kGpcLinkEntries, config_.gpc_cache.link_latency_cycles));
    gpc_responses_.push_back(
        std::make_unique<Link<GpcResponse>>(core, core, kGpcLinkEntries, config_.gpc_cache.link_latency_cycles));
    cluster_out_.push_back(std::make_unique<Link<ClusterMessage>>(core, core, kClusterLinkEntries,
                                                                  config_.sm.asynchronous.cluster.link_latency_cycles));
    cluster_in_.push_back(std::make_unique<Link<ClusterMessage>>(core, core, kClusterLinkEntries,
                                                                 config_.sm.asynchronous.cluster.link_latency_cycles));
    const Sm::Links links{&block_scheduler_->assignments(number),
                          &block_scheduler_->completions(number),
                          &memory_->requests(number),
                          &memory_->responses(number),
                          gpc_requests_.back().get(),
                          gpc_responses_.back().get(),
                          cluster_out_.back().get(),
                          cluster_in_.back().get()};
    sms_.push_back(std::make_unique<Sm>(number, config_.sm, setting, launches_, links, stats_));
    sm_wakes_.push_back(system_.add_engine(setting_.name_prefix)
                            .add_component(clocks_.core, "sm[" + std::to_string(number) + "]", *sms_.back()));
    sms_.back()->connect(sm_wakes_.back());
  }
}

void Gpu::build_cluster_network() {
  std::vector<ClusterNetwork::SmLinks> links;
  for (std::uint32_t sm = 0; sm < topology_.sm_count(); ++sm) {
    links.push_back({cluster_out_[sm].get(), cluster_in_[sm].get()});
  }
  cluster_network_ = std::make_unique<ClusterNetwork>(std::move(links));
  cluster_network_->connect(
      system_.add_engine(setting_.name_prefix).add_component(clocks_.core, "cluster_network", *cluster_network_));
}

void Gpu::build_gpc_caches() {
  for (std::uint32_t group = 0; group < topology_.group_count(); ++group) {
    const std::uint32_t port = topology_.sm_count() + group;
    std::vector<GpcCache::SmLinks> links;
    std::vector<std::uint32_t> members;
    for (const auto& tpc : topology_.tpcs(group)) {
      for (const std::uint32_t sm : tpc) {
        links.push_back({gpc_requests_[sm].get(), gpc_responses_[sm].get()});
        members.push_back(sm);
      }
    }
    gpc_caches_.push_back(std::make_unique<GpcCache>(config_.gpc_cache, static_cast<std::uint16_t>(port), links,
                                                     memory_->requests(port), memory_->responses(port), stats_, group));
    const WakeHandle self =
        system_.add_engine(setting_.name_prefix)
            .add_component(clocks_.core, "gpc_cache[" + std::to_string(group) + "]", *gpc_caches_.back());
    gpc_wakes_.push_back(self);
    memory_->requests(port).connect_sender(self);
    memory_->responses(port).connect_receiver(self);
    for (const std::uint32_t sm : members) {
      gpc_requests_[sm]->connect_receiver(self);
      gpc_responses_[sm]->connect_sender(self);
    }
  }
}

// --- launches ---

// Programs keep their place in memory. The host writes a program before its first launch, which leaves it in L2
// (tests/hardware/code_cold, first launch).
Address Gpu::place_of(const std::shared_ptr<const StaticProgram>& program, std::uint64_t bytes) {
  const auto known = std::ranges::find_if(programs_, [&program](const auto& entry) { return entry.first == program; });
  if (known != programs_.end()) {
    return known->second;
  }
  const Address place = next_code_;
  programs_.emplace_back(program, place);
  next_code_ += (bytes / kLineBytes + 2) * kLineBytes;
  write_from_host(place, bytes);
  return place;
}

Occupancy Gpu::require_possible(const KernelLaunch& wanted) const {
  Occupancy occupancy = compute_occupancy(
      config_.occupancy, {wanted.threads_per_block(), wanted.registers_per_thread, wanted.shared_bytes});
  const std::string impossible = block_scheduler_->why_impossible(wanted, occupancy);
  if (!impossible.empty()) {
    throw ConfigError("kernel " + wanted.kernel + " cannot run on " + config_.name + ": " + impossible);
  }
  return occupancy;
}

Launch& Gpu::admit(KernelSource& kernel) {
  const KernelLaunch& wanted = kernel.launch();
  auto launch = std::make_unique<Launch>();
  launch->source = &kernel;
  launch->occupancy = require_possible(wanted);
  launch->seat = launches_.free_seat();
  const StaticProgram& program = *wanted.program;
  const CodeLayout layout = code_layout_of(program.architecture);
  const auto instruction_count = static_cast<std::uint32_t>(program.instructions.size());
  launch->table = make_issue_table(program, config_.sm.execution, config_.sm.sub_core.dependences,
                                   config_.sm.sub_core.register_file.banks, launch->seat);
  launch->code = {place_of(wanted.program, layout.size(instruction_count)), layout, instruction_count};
  launch->number = ++launches_begun_;
  while (stats_.seats() <= launch->seat) {
    stats_.add_seat();
  }
  return launches_.put(std::move(launch));
}

// Measured with and without Nsight Compute's cache control (tests/hardware/cache_control): constant caches start every
// launch empty; instruction caches are kept from launch to launch. An SM sets its L1 up with the launch's first block.
void Gpu::begin(Launch& launch, Cycle now) {
  for (const auto& sm : sms_) {
    sm->begin_launch(launch.seat, launch.order.waits);
  }
  memory_->begin_launch(launch.seat, launch.source->launch().window);
  const Address code_bytes = launch.code.layout.size(launch.code.instruction_count);
  for (std::size_t i = 0; i < gpc_caches_.size(); ++i) {
    gpc_caches_[i]->begin_launch({launch.code.base, launch.code.base + code_bytes}, launch.seat, now);
    gpc_wakes_[i].wake_at(now);
  }
  stats_[launch.seat].reset();
  block_scheduler_->submit(launch.seat, launch.source->launch(), launch.occupancy, now, launch.order);
}

bool Gpu::writes_arrived(LaunchSeat seat) const {
  std::uint64_t writes = 0;
  for (const auto& sm : sms_) {
    if (sm->has_replaced_lines()) {
      return false;
    }
    writes += sm->writes_for_memory(seat);
  }
  return memory_->writes_completed(seat) == writes;
}

// A launch ends when what its blocks wrote has arrived in L2 and been acknowledged, which can be long after the last
// block left; measured (tests/hardware/launch_gap). What L2 still writes to DRAM delays only the next launch.
void Gpu::release(LaunchSeat seat, Cycle now) {
  const auto stored = std::ranges::count_if(sms_, [seat](const auto& sm) { return sm->has_stored(seat); });
  memory_->end_launch(seat, static_cast<std::uint32_t>(stored));
  block_scheduler_->release(seat, core_clock().edge_at_or_after(memory_->writes_acknowledged_at(seat)), now);
}

std::uint64_t Gpu::instructions_executed(LaunchSeat seat) const {
  std::uint64_t instructions = 0;
  for (const auto& sm : sms_) {
    instructions += sm->instructions_executed(seat);
  }
  return instructions;
}

// Barriers in shared memory are only inferred. If the inference is wrong, warps would wait forever; the trace shows
// that they did not, so they are released and counted.
std::uint64_t Gpu::give_up_waits(LaunchSeat seat, Cycle now) {
  std::uint64_t waits = 0;
  for (std::size_t i = 0; i < sms_.size(); ++i) {
    if (const std::uint32_t here = sms_[i]->give_up_waits(seat, now); here != 0) {
      waits += here;
      sm_wakes_[i].wake_at(now);
    }
  }
  return waits;
}

void Gpu::end_grid_waits(LaunchSeat seat, Cycle at) {
  for (std::size_t i = 0; i < sms_.size(); ++i) {
    sms_[i]->end_grid_waits(seat, at);
    sm_wakes_[i].wake_at(at);
  }
}

void Gpu::end_launch_wait(LaunchSeat seat, std::uint64_t block, std::uint32_t warp, Cycle at) {
  for (std::size_t i = 0; i < sms_.size(); ++i) {
    if (const Cycle due = sms_[i]->end_launch_wait(seat, block, warp, at); due != kNever) {
      sm_wakes_[i].wake_at(due);
      return;
    }
  }
}

bool Gpu::awaits_launches(LaunchSeat seat) const {
  return std::ranges::any_of(sms_, [seat](const auto& sm) { return sm->awaits_launches(seat); });
}

void Gpu::use_cluster_links(bool used) {
  for (std::size_t sm = 0; sm < cluster_out_.size(); ++sm) {
    cluster_out_[sm]->set_used(used);
    cluster_in_[sm]->set_used(used);
  }
}

void Gpu::start_copy(const EngineCopy& copy, TimeFs at) {
  if (memory_->copies() != nullptr) {
    memory_->copies()->start(copy, l2_clock().edge_at_or_after(at));
  }
}

void Gpu::share_links(const LinkShares& shares, TimeFs at) {
  if (gate() != nullptr) {
    gate()->set_shares(shares, l2_clock().edge_at_or_after(at));
  }
}

void Gpu::stop_copies() {
  if (memory_->copies() != nullptr) {
    memory_->copies()->stop();
  }
}

bool Gpu::idle() const {
  return std::ranges::all_of(sms_, [](const auto& sm) { return sm->idle(); }) && memory_->idle();
}

void Gpu::close_accounts(Cycle now) {
  block_scheduler_->close_accounts(now);
  for (const auto& sm : sms_) {
    sm->close_accounts(now);
  }
}

// Stays in L2, unless L2 is emptied before each launch.
void Gpu::write_from_host(Address destination, std::uint64_t bytes) {
  if (setting_.writes_stay) {
    memory_->fill_from_host(destination, bytes);
  }
}

}  // namespace warpsim
