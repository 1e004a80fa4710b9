// The memory system outside of the SMs: a crossbar for each L2 partition, with what is on their side (network,
// translations, the gate to memory that is not the GPU's, copies), and columns of L2 slices and DRAM channels behind
// them (memory_column.h).
// Requesters are connected only by ports with one request and one response link each.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/link.h"
#include "memory/access/access_window.h"
#include "memory/crossbar/port_place.h"
#include "memory/mem_message.h"
#include "memory/memory_config.h"
#include "memory/memory_engines.h"
#include "memory/remote/link_config.h"
#include "memory/remote/memory_homes.h"
#include "memory/remote/page_faults.h"
#include "stats/launch_stats.h"
#include "stats/timeline.h"

namespace warpsim {

class CopyRequests;
class RemoteGate;

class MemorySystem {
 public:
  // Location of a requester.
  using Port = PortPlace;
  // Other memories that the GPU's requests can go to.
  struct Remote {
    LinksConfig links = {};
    // Null: all memory is the GPU's own; there is no gate, and copies beside launches make no requests.
    const MemoryHomes* homes = nullptr;
    std::uint32_t gpu = 0;    // its number
    bool has_guests = false;  // there are other GPUs, whose requests have ports
  };
  // `core_domain`: clock of the requesters; `l2_domain`: of crossbar and L2; `dram_domain`: of the DRAM channels.
  MemorySystem(const MemoryEngines& engines, std::uint32_t core_domain, std::uint32_t l2_domain,
               std::uint32_t dram_domain, const MemoryConfig& config, const std::vector<Port>& ports,
               LaunchStatsNode& stats, const Remote& remote);
  MemorySystem(const MemoryEngines& engines, std::uint32_t core_domain, std::uint32_t l2_domain,
               std::uint32_t dram_domain, const MemoryConfig& config, const std::vector<Port>& ports,
               LaunchStatsNode& stats)
      : MemorySystem(engines, core_domain, l2_domain, dram_domain, config, ports, stats, Remote{}) {}
  ~MemorySystem();

  Link<MemRequest>& requests(std::uint32_t port);
  Link<MemResponse>& responses(std::uint32_t port);
  // Null if there is none.
  RemoteGate* gate();

  // Of the engines that copy; null if there is none.
  CopyRequests* copies();

  // Page faults of requests to managed memory, between runs of the engine: whether there are new ones, whether any
  // request waits for its page, and the new ones in the order of their times.
  bool has_faults() const;
  bool waits_for_pages() const;
  std::vector<PageFault> take_faults();
  // Requests that may go on now try again at this cycle of the L2 clock.
  void try_faults_again(Cycle at);

  // Between launches, with nothing in flight: writes back and invalidates all of L2 and all translations.
  void invalidate();
  // A copy from the host leaves its lines in L2 (as far as they fit).
  void fill_from_host(Address destination, std::uint64_t bytes);
  bool idle() const;
  // Nothing moves between requesters and L2; write-backs to DRAM may continue.
  bool settled() const;
  // Records commands of these DRAM channels, each in a part of its own. Throws ConfigError if there is no such channel.
  void show(Timeline& timeline, const std::vector<std::uint32_t>& channels);
  // A launch takes the seat: its writes are counted from zero. Before its first request, between runs of the engine.
  void begin_launch(LaunchSeat seat, const AccessWindow& window = {});
  // All its writes are complete. `storing_sms`: SMs that have stored anything for it.
  void end_launch(LaunchSeat seat, std::uint32_t storing_sms);

  // Between runs of the engine: the part of L2 for persisting lines; none of its lines persists any more.
  void set_aside(std::uint32_t sixteenths);
  void end_persistence();
  // How many of the launch's writes and reductions have been accepted by the slices at their home (l2_write_account.h),
  // or have arrived in another memory.
  // All have arrived when it equals the number that requesters have sent.
  std::uint64_t writes_completed(LaunchSeat seat) const;
  // When the acknowledgement of the launch's last write, reduction or atomic that L2 has accepted reaches its sender.
  TimeFs writes_acknowledged_at(LaunchSeat seat) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace warpsim
