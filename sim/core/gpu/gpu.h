// One GPU: its components, the links between them, and the launches that are resident on it. Time belongs to the system
// that the GPU is built in (core/machine/machine.h runs launches).
//
// Modelled: what the components model; caches at the start of a launch (begin()); the place of programs in memory.
// Not modelled: constant banks that launches of one program share; L2 lines that a program replaces when it is written.
// State: components, links, resident launches.
// Invariant: components affect each other by links only; several launches share them without seeing each other's state.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/async/cluster_network.h"
#include "core/blocks/block_scheduler.h"
#include "core/gpu/gpu_config.h"
#include "core/launch/launch.h"
#include "core/sm/sm.h"
#include "engine/system.h"
#include "memory/caches/gpc_cache.h"
#include "memory/code_window.h"
#include "memory/memory_system.h"
#include "memory/remote/engine_copy.h"
#include "memory/remote/link_shares.h"
#include "stats/launch_stats.h"

namespace warpsim {

class Gpu {
 public:
  // Numbers of the GPU's clock domains in its system. A system needs those of all GPUs before the first GPU.
  struct Clocks {
    std::uint32_t core = 0;
    std::uint32_t l2 = 0;
    std::uint32_t dram = 0;
  };
  static Clocks add_clocks(System& system, const GpuConfig& config);

  struct Setting {
    std::string name_prefix = {};        // of the components, where there are several GPUs
    bool skip = true;                    // false: tick everything at every cycle (reference semantics)
    bool writes_stay = true;             // what the host writes stays in L2
    std::uint32_t number = 0;            // of the GPU in its machine
    bool has_others = false;             // there are other GPUs in it
    const MemoryHomes* homes = nullptr;  // of memory that is not its own; null: all is
  };
  // The system outlives the GPU.
  Gpu(System& system, const Clocks& clocks, const GpuConfig& config, const Setting& setting);
  ~Gpu();
  Gpu(const Gpu&) = delete;
  Gpu& operator=(const Gpu&) = delete;

  const GpuConfig& config() const { return config_; }
  const ClockDomain& core_clock() const { return system_.domain(clocks_.core); }
  const ClockDomain& dram_clock() const { return system_.domain(clocks_.dram); }
  std::uint32_t number() const { return setting_.number; }  // in its machine
  std::uint32_t sm_count() const { return topology_.sm_count(); }

  // Statistics of the launch in a seat, and after its end, until the seat is taken again.
  StatGroup& stats(LaunchSeat seat) { return stats_[seat]; }

  // --- launches, between runs of the system ---

  // Throws ConfigError if the kernel cannot run on this GPU.
  Occupancy require_possible(const KernelLaunch& wanted) const;
  // Takes a seat for a launch. Throws as require_possible() does.
  Launch& admit(KernelSource& kernel);
  // Starts an admitted launch at core cycle `now`.
  void begin(Launch& launch, Cycle now);
  // Its blocks have finished, at this core cycle; kNever: not yet.
  Cycle finished_at(LaunchSeat seat) const { return block_scheduler_->finished_at(seat); }
  // All of its blocks let dependent launches begin, or have begun themselves, at this cycle; kNever: not yet.
  Cycle triggered_at(LaunchSeat seat) const { return block_scheduler_->triggered_at(seat); }
  Cycle begun_at(LaunchSeat seat) const { return block_scheduler_->begun_at(seat); }
  // The kernels before the launch are over at `at`, which is later than all that its SMs have executed.
  void end_grid_waits(LaunchSeat seat, Cycle at);
  // The same for the grids that a warp of one of its blocks waits for, launched by the block.
  void end_launch_wait(LaunchSeat seat, std::uint64_t block, std::uint32_t warp, Cycle at);
  // Whether warps of the launch wait for grids that their blocks have launched.
  bool awaits_launches(LaunchSeat seat) const;
  // Whether memory has acknowledged everything that its blocks wrote. They have finished.
  bool writes_arrived(LaunchSeat seat) const;
  // Ends the launch when its acknowledgements have arrived, not before `now`. The system stops at the end.
  void release(LaunchSeat seat, Cycle now);
  bool has_ended(LaunchSeat seat) const { return block_scheduler_->grid_done(seat); }
  Cycle ended_at(LaunchSeat seat) const { return block_scheduler_->ended_at(seat); }
  // Gives the seat of a launch that has ended back.
  void leave(LaunchSeat seat) { launches_.remove(seat); }
  bool has_launches() const { return !launches_.empty(); }

  std::uint64_t instructions_executed(LaunchSeat seat) const;
  std::uint64_t blocks_done(LaunchSeat seat) const { return block_scheduler_->blocks_done(seat); }
  std::uint64_t blocks(LaunchSeat seat) const { return block_scheduler_->blocks(seat); }
  // Releases the launch's warps at barriers in shared memory that nothing can complete any more; returns their number.
  std::uint64_t give_up_waits(LaunchSeat seat, Cycle now);

  // Launches with clusters use the links of the cluster network, which are short. Unused links do not count as ways
  // between SMs.
  void use_cluster_links(bool used);
  // Nothing moves in SMs and memory.
  bool idle() const;
  // Attributes all time up to `now` to the current states: for statistics taken in the middle of a launch.
  void close_accounts(Cycle now);

  // --- other memories ---

  // The gate to them; null: there is none. Its clock is that of L2.
  RemoteGate* gate() { return memory_->gate(); }
  const ClockDomain& l2_clock() const { return system_.domain(clocks_.l2); }
  // Page faults of requests to managed memory (MemorySystem).
  bool has_faults() const { return memory_->has_faults(); }
  bool waits_for_pages() const { return memory_->waits_for_pages(); }
  std::vector<PageFault> take_faults() { return memory_->take_faults(); }
  // At this instant, which is later than all that was executed, requests whose pages are here go on.
  void end_faults(TimeFs at) { memory_->try_faults_again(l2_clock().edge_at_or_after(at)); }

  // --- the host ---

  // Between runs of the system: a copy between it and the GPU's memory begins to request at `at`, which is later than
  // all that was executed, unless it has begun. Without homes of memory it has no effect.
  void start_copy(const EngineCopy& copy, TimeFs at);
  // Copies leave this of the links to accesses, from `at` on, as above.
  void share_links(const LinkShares& shares, TimeFs at);
  // Nothing more is requested.
  void stop_copies();
  // Lines that the host writes stay in L2, if the setting says so.
  void write_from_host(Address destination, std::uint64_t bytes);
  // Between runs of the system: the part of L2 for persisting lines; none of its lines persists any more.
  void set_aside(std::uint32_t sixteenths) { memory_->set_aside(sixteenths); }
  void end_persistence() { memory_->end_persistence(); }
  // Empties L2. Nothing is in flight.
  void evict_l2() { memory_->invalidate(); }

  // --- timelines ---

  // Records one SM, as `shown` says, and DRAM channels in the timeline.
  void show_sm(std::uint32_t sm, const ShownSm& shown) { sms_[sm]->show(shown); }
  bool shows_warps(std::uint32_t sm) const { return sms_[sm]->shows_warps(); }
  void show_channels(Timeline& timeline, const std::vector<std::uint32_t>& channels) {
    memory_->show(timeline, channels);
  }

 private:
  void build_gpc_caches();
  void build_sms();
  void build_cluster_network();
  // Requests of copies and of other GPUs have a seat.
  bool has_guest_seat() const { return setting_.homes != nullptr; }
  // Requests of other GPUs.
  bool has_guests() const { return setting_.has_others && has_guest_seat(); }
  Address place_of(const std::shared_ptr<const StaticProgram>& program, std::uint64_t bytes);

  System& system_;
  GpuConfig config_;
  Clocks clocks_;
  Setting setting_;
  Topology topology_;
  LaunchStats<StatGroup> stats_{"gpu"};
  LaunchTable launches_;
  std::unique_ptr<BlockScheduler> block_scheduler_;
  std::unique_ptr<MemorySystem> memory_;
  std::vector<std::unique_ptr<Link<GpcRequest>>> gpc_requests_;
  std::vector<std::unique_ptr<Link<GpcResponse>>> gpc_responses_;
  std::vector<std::unique_ptr<Link<ClusterMessage>>> cluster_out_;
  std::vector<std::unique_ptr<Link<ClusterMessage>>> cluster_in_;
  std::vector<std::unique_ptr<Sm>> sms_;
  std::vector<WakeHandle> sm_wakes_;
  std::unique_ptr<ClusterNetwork> cluster_network_;
  std::vector<std::unique_ptr<GpcCache>> gpc_caches_;
  std::vector<WakeHandle> gpc_wakes_;
  // Programs keep their place in memory from launch to launch. The references prevent that an address is reused.
  std::vector<std::pair<std::shared_ptr<const StaticProgram>, Address>> programs_;
  Address next_code_ = kCodeWindow;
  std::uint64_t launches_begun_ = 0;
};

}  // namespace warpsim
