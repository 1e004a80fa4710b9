// The memory system outside of the SMs: crossbar, L2 slices in two partitions, DRAM channels. Requesters are connected
// only by ports with one request and one response link each.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/engine.h"
#include "engine/link.h"
#include "memory/mem_message.h"
#include "memory/memory_config.h"
#include "stats/stat_group.h"
#include "stats/timeline.h"

namespace warpsim {

class MemorySystem {
 public:
  // Location of a requester: its GPC decides its share of crossbar bandwidth and its near L2 partition.
  struct Port {
    std::uint32_t gpc = 0;
    std::uint32_t partition = 0;
  };
  // `core_domain`: clock of the requesters; `l2_domain`: of crossbar and L2; `dram_domain`: of the DRAM channels.
  MemorySystem(Engine& engine, std::uint32_t core_domain, std::uint32_t l2_domain, std::uint32_t dram_domain,
               const MemoryConfig& config, const std::vector<Port>& ports, StatGroup& stats);
  ~MemorySystem();

  Link<MemRequest>& requests(std::uint32_t port);
  Link<MemResponse>& responses(std::uint32_t port);

  // Between launches, with nothing in flight: writes back and invalidates all of L2.
  void invalidate();
  // A copy from the host leaves its lines in L2 (as far as they fit).
  void fill_from_host(Address destination, std::uint64_t bytes);
  bool idle() const;
  // Nothing moves between requesters and L2; write-backs to DRAM may continue.
  bool settled() const;
  // Records commands of these DRAM channels, each in a part of its own. Throws ConfigError if there is no such channel.
  void show(Timeline& timeline, const std::vector<std::uint32_t>& channels);
  // When the acknowledgement of the last write or reduction that L2 has accepted reaches its sender.
  TimeFs writes_acknowledged_at() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace warpsim
