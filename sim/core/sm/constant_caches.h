// The SM's constant caches: the immediate constant cache of each sub-core (Nsight: IMC), looked up at issue for
// c[bank][offset] operands, and the indexed constant cache (IDC), which serves LDC. Both miss to the GPC cache.
//
// Modelled: tags, merging of misses of one cache, LDC latency and its passes over the different words of the lanes, the
// wait of a warp whose operand misses. A sub-core's cache chooses the set by the number in the instruction, whatever a
// uniform register adds to it, and the tag by the sum.
// Not modelled: hits of LDC wait for earlier misses on hardware. An indexed access whose address the instruction source
// does not know reads the line of the number in the instruction.
// Evidence: constant chases over footprints; tests/hardware/constant_sets and constant_streams.
#pragma once

#include <cstdint>
#include <vector>

#include "base/types.h"
#include "config/config_section.h"
#include "core/load_store/memory_instruction.h"
#include "core/sm/sm_event.h"
#include "engine/link.h"
#include "memory/caches/gpc_cache.h"
#include "memory/caches/presence_cache.h"
#include "stats/launch_stats.h"
#include "stats/stat_group.h"

namespace warpsim {

struct ConstantCachesConfig {
  std::uint32_t immediate_bytes = 64;
  std::uint32_t immediate_ways = 1;
  std::uint32_t indexed_bytes = 64;
  std::uint32_t indexed_ways = 1;
  std::uint32_t load_latency_cycles = 1;   // LDC that hits: issue to use
  std::uint32_t load_replay_cycles = 1;    // LDC that missed: arrival of its line to use
  std::uint32_t word_interval_cycles = 1;  // between different words that the lanes of LDCs read
  bool perfect = false;                    // every lookup hits
};
void describe(ConfigSection& section, ConstantCachesConfig& config);

struct ConstantCachesStats : StatGroup {
  using StatGroup::StatGroup;
  Counter immediate_requests{*this, "immediate_requests", Unit::kRequests, "operand lookups at issue"};
  Counter immediate_misses{*this, "immediate_misses", Unit::kRequests, "operand lookups that missed"};
  Counter indexed_requests{*this, "indexed_requests", Unit::kRequests, "LDC lookups"};
  Counter indexed_hits{*this, "indexed_hits", Unit::kRequests, "LDC lookups that hit"};
  Counter indexed_misses{*this, "indexed_misses", Unit::kRequests,
                         "LDC lookups that missed, including lines already requested"};
  Histogram load_latency{*this, "load_latency", Unit::kCycles, "LDC from issue to result"};
};

class ConstantCaches {
 public:
  ConstantCaches(const ConstantCachesConfig& config, std::uint32_t sub_cores, SmEvents& events,
                 Link<GpcRequest>& to_gpc, LaunchStatsNode& parent);

  // Whether the operand at `address`, which tells the launch, is present. `stated`: the address without a register. If
  // it is not, its line is requested, and a kConstantLine event notifies the sub-core.
  bool operand_present(std::uint32_t sub_core, Address stated, Address address, Cycle now);
  // LDC of a warp, issued at `since`: posts kResultWritten(instruction) when its result is available.
  void load(const MemoryInstruction& instruction, Cycle since, Cycle now);
  // A 128-byte line from the GPC cache: the answer to the oldest request of it.
  void line_arrived(Address line, Cycle now);
  bool send_pending(Cycle now);
  // Forgets the constant banks of a launch.
  void invalidate(LaunchSeat seat);
  bool idle() const { return pending_.empty(); }

 private:
  struct Load {
    std::uint8_t sub_core;
    std::uint8_t warp;
    std::uint32_t instruction;
    Cycle since;
  };
  // A line that one cache waits for.
  struct Pending {
    std::uint32_t cache;        // sub-core, or kIndexed
    std::uint32_t line_number;  // of constant lines
    std::uint32_t set;
    std::vector<Load> loads;
    bool sent = false;
  };
  struct OperandLine {
    std::uint32_t set;
    std::uint32_t line_number;
    bool operator==(const OperandLine&) const = default;
  };
  static constexpr std::uint32_t kIndexed = 0xffffffffU;
  Pending* find_pending(std::uint32_t cache, std::uint32_t line_number, std::uint32_t set);
  std::uint32_t look_up(const MemoryInstruction& instruction);

  ConstantCachesConfig config_;
  SmEvents* events_;
  Link<GpcRequest>* to_gpc_;
  LaunchStats<ConstantCachesStats> stats_;
  std::vector<PresenceCache> immediate_;
  std::vector<OperandLine> latest_operand_line_;  // by sub-core: known to be present
  PresenceCache indexed_;
  Cycle load_port_free_ = 0;
  std::vector<Pending> pending_;
  // Of the load that is looked up.
  std::vector<Address> words_;
  std::vector<std::uint32_t> missing_lines_;
};

}  // namespace warpsim
