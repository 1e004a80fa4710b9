// The memory system outside of the SMs: the crossbar with what is on its side (network, translations, the gate to
// memory that is not the GPU's, copies), and columns of L2 slices and DRAM channels behind it (memory_column.h).
// Requesters are connected only by ports with one request and one response link each.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "engine/engine.h"
#include "engine/link.h"
#include "memory/access/access_window.h"
#include "memory/crossbar/translation_stage.h"
#include "memory/mem_message.h"
#include "memory/memory_config.h"
#include "memory/remote/link_config.h"
#include "memory/remote/memory_homes.h"
#include "stats/launch_stats.h"
#include "stats/timeline.h"

namespace warpsim {

class CopyRequests;
class PageFaults;
class RemoteGate;

class MemorySystem {
 public:
  // Location of a requester: its GPC decides its share of crossbar bandwidth and its near L2 partition.
  using Port = TranslationStage::Place;
  // Other memories that the GPU's requests can go to.
  struct Remote {
    LinksConfig links = {};
    // Null: all memory is the GPU's own; there is no gate, and copies beside launches make no requests.
    const MemoryHomes* homes = nullptr;
    std::uint32_t gpu = 0;    // its number
    bool has_guests = false;  // there are other GPUs, whose requests have ports
  };
  // What executes it: one engine, or one for the crossbar and its side and one for each column. Results are the same.
  struct Engines {
    // NOLINTNEXTLINE(google-explicit-constructor): one engine is the simplest form
    Engines(Engine& all) : crossbar(all) {}
    Engines(Engine& of_crossbar, std::vector<Engine*> of_columns)
        : crossbar(of_crossbar), columns(std::move(of_columns)) {}
    Engine& crossbar;
    std::vector<Engine*> columns = {};
  };
  // The engines of columns that it needs: one for each if their links to the crossbar are not shorter than all others
  // of SMs, so that they shorten no window, otherwise none. `shortest_fs`: of the links of SMs that are not its own.
  static std::uint32_t column_engines(const MemoryConfig& config, const std::vector<Port>& ports,
                                      const ClockDomain& core, const ClockDomain& l2, std::uint64_t shortest_fs);

  // `core_domain`: clock of the requesters; `l2_domain`: of crossbar and L2; `dram_domain`: of the DRAM channels.
  MemorySystem(const Engines& engines, std::uint32_t core_domain, std::uint32_t l2_domain, std::uint32_t dram_domain,
               const MemoryConfig& config, const std::vector<Port>& ports, LaunchStatsNode& stats,
               const Remote& remote);
  MemorySystem(const Engines& engines, std::uint32_t core_domain, std::uint32_t l2_domain, std::uint32_t dram_domain,
               const MemoryConfig& config, const std::vector<Port>& ports, LaunchStatsNode& stats)
      : MemorySystem(engines, core_domain, l2_domain, dram_domain, config, ports, stats, Remote{}) {}
  ~MemorySystem();

  Link<MemRequest>& requests(std::uint32_t port);
  Link<MemResponse>& responses(std::uint32_t port);
  // Null if there is none.
  RemoteGate* gate();

  // Of the engines that copy; null if there is none.
  CopyRequests* copies();

  // Of requests to managed memory. Those that may go on now try again at this cycle of the L2 clock.
  PageFaults& faults();
  const PageFaults& faults() const;
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
