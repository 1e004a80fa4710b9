// The instruction and constant cache that the SMs of one GPC share (Nsight: GCC, the "L1.5"), with a port of its own
// to the crossbar.
//
// Modelled: tags, one lookup per cycle, hit latency, merging of misses, fills from L2; a launch loads its kernel's
// parameters (constant bank 0), so that they hit from the first access on, and prefetches the first lines of its code
// before its first block starts, one launch after another; a miss also fetches neighbours.
// Not modelled: bandwidth differences between the GPC's SMs; requests are taken round robin.
// Evidence: constant chase beyond 2 KiB; first accesses of a launch to banks 0 and 3 (tests/hardware/constant_cold) and
// to its code (tests/hardware/code_cold).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/types.h"
#include "config/config_section.h"
#include "engine/link.h"
#include "memory/caches/presence_cache.h"
#include "memory/mem_message.h"
#include "stats/launch_stats.h"

namespace warpsim {

struct GpcRequest {
  Address line = 0;  // 128-byte aligned
  MemClient client = MemClient::kInstruction;
  LaunchSeat seat = 0;  // of the launch that requests
};
struct GpcResponse {
  Address line = 0;
  MemClient client = MemClient::kInstruction;
};

// A kernel's code in the code window.
struct CodeRange {
  Address begin = 0;
  Address end = 0;
};

struct GpcCacheConfig {
  std::uint32_t kib = 1;
  std::uint32_t ways = 1;
  std::uint32_t instruction_hit_latency_cycles = 1;   // lookup to response, without the links
  std::uint32_t instruction_fill_latency_cycles = 1;  // from L2's response to the cache's response
  std::uint32_t constant_hit_latency_cycles = 1;      // lookup to response
  std::uint32_t link_latency_cycles = 1;              // SM to GPC cache, and the same back
  std::uint32_t nearer_cycles = 0;                    // by which responses of the crossbar arrive earlier than at an SM
  std::uint32_t instruction_fill_bytes = kLineBytes;  // aligned; fetched as a whole after a miss
  std::uint32_t constant_interval_cycles = 1;         // between lookups of constants
  std::uint32_t constant_fill_bytes = kLineBytes;     // the same for constants
  std::uint32_t launch_constant_bytes = 0;            // first bytes of constant bank 0, present when a launch starts
  std::uint32_t launch_code_bytes = 0;                // first bytes of the kernel's code, fetched for a launch
  std::uint32_t launch_code_delay_cycles = 0;         // from the launch to the first of these requests
  bool perfect = false;                               // every lookup hits
};
void describe(ConfigSection& section, GpcCacheConfig& config);

struct GpcCacheStats : StatGroup {
  using StatGroup::StatGroup;
  Counter instruction_requests{*this, "instruction_requests", Unit::kRequests, "instruction lines requested by SMs"};
  Counter instruction_misses{*this, "instruction_misses", Unit::kRequests, "instruction lines not found"};
  Counter launch_code_lines{*this, "launch_code_lines", Unit::kRequests,
                            "instruction lines fetched at the start of a launch"};
  Counter constant_requests{*this, "constant_requests", Unit::kRequests, "constant lines requested by SMs"};
  Counter constant_misses{*this, "constant_misses", Unit::kRequests, "constant lines not found"};
  Histogram constant_miss_latency{*this, "constant_miss_latency", Unit::kCycles,
                                  "cycles from a constant miss to its fill"};
};

class GpcCache final : public Component {
 public:
  struct SmLinks {
    Link<GpcRequest>* requests;
    Link<GpcResponse>* responses;
  };
  // `port`: this cache's number at the crossbar. Links must outlive the cache.
  GpcCache(const GpcCacheConfig& config, std::uint16_t port, std::vector<SmLinks> sms, Link<MemRequest>& to_memory,
           Link<MemResponse>& from_memory, LaunchStatsNode& parent, std::uint32_t index);

  Cycle tick(Cycle now) override;
  bool idle() const override;
  std::string describe_stall() const override;
  // Stores the launch's parameters and prepares to fetch the start of its code, after the code of launches that began
  // before it. The component must be woken.
  void begin_launch(const CodeRange& code, LaunchSeat seat, Cycle now);

 private:
  struct Reply {
    Cycle due;
    std::uint32_t sm;
    GpcResponse response;
  };
  struct Miss {
    GpcRequest request;
    Cycle since;
    bool sent;
    std::uint32_t tag;
    std::uint32_t sectors_here;          // bit i: sector i has arrived
    std::vector<std::uint32_t> waiting;  // SMs
  };
  // Lines to be fetched from `from` on, one per cycle.
  struct LaunchCode {
    CodeRange lines;
    Cycle from;
    LaunchSeat seat;
  };
  bool fetches_launch_code() const;
  void take_fills(Cycle now);
  void look_up(Cycle now);
  void send_misses(Cycle now);
  void send_replies(Cycle now);
  void insert_reply(const Reply& reply);
  void handle(std::uint32_t sm, const GpcRequest& request, Cycle now);
  bool awaited(Address line) const;
  void fetch(const GpcRequest& request, Cycle now);
  void fetch_neighbours(const GpcRequest& request, Cycle now);
  void fetch_launch_code(Cycle now);

  GpcCacheConfig config_;
  std::uint16_t port_;
  std::vector<SmLinks> sms_;
  Link<MemRequest>* to_memory_;
  Link<MemResponse>* from_memory_;
  LaunchStats<GpcCacheStats> stats_;
  PresenceCache tags_;
  std::vector<Miss> misses_;
  std::vector<Reply> replies_;           // in order of `due`
  std::vector<LaunchCode> launch_code_;  // in the order in which the launches began; none is empty
  Cycle lookup_free_ = 0;
  std::uint32_t next_sm_ = 0;
  std::uint32_t next_tag_ = 0;
};

}  // namespace warpsim
