// Warpgroup matrix operations of one SM (HGMMA, IGMMA, QGMMA, BGMMA): asynchronous, in groups, by four warps together.
//
// Modelled: the arrival of a warpgroup's warps before its first operation; a queue whose entries are freed when
// operations have started; operations in the order in which their last warp issued them, one after another at the rate
// of products, shared operands or registers; groups of operations and the waits for them. Warpgroups alternate, but
// operations that shared memory limits stay together until their group is closed.
// Not modelled: delays of other accesses by operand reads from shared memory, and of mma by busy tensor cores.
// Evidence: tests/hardware/wgmma.
// Invariant: a reply that is not a time is followed by an event for the requesting warp.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/types.h"
#include "core/sm/sm_event.h"
#include "core/sub_core/issue_info.h"
#include "core/sub_core/stall_reason.h"
#include "stats/launch_stats.h"
#include "stats/stat_group.h"

namespace warpsim {

struct WarpgroupStats : StatGroup {
  using StatGroup::StatGroup;
  Counter operations{*this, "operations", Unit::kInstructions, "warpgroup operations started, one for four warps"};
  Counter busy_cycles{*this, "busy_cycles", Unit::kCycles, "time that started operations take the machine"};
  Counter shared_wavefronts{*this, "shared_wavefronts", Unit::kWavefronts, "passes for operands in shared memory"};
};

class WarpgroupEngine {
 public:
  static constexpr std::uint32_t kWarps = 4;  // of a warpgroup
  static constexpr std::uint32_t kGroupsPerBlock = 8;

  WarpgroupEngine(const WarpgroupConfig& config, std::uint32_t block_slots, SmEvents& events, LaunchStatsNode& parent);

  // A block with warpgroup operations begins in this slot; `seat` of its launch.
  void start_block(std::uint32_t block_slot, std::uint32_t warps, LaunchSeat seat);

  struct Warp {
    std::uint32_t block_slot;
    std::uint32_t warp_in_block;
    std::uint8_t sub_core;
    std::uint8_t slot;  // in the sub-core
  };
  // When the instruction may issue: now or before, at a known cycle, or kNever: after an event of kind kWarpReady.
  struct Answer {
    Cycle at = 0;
    StallReason reason = StallReason::kGmma;
  };
  Answer ask(const Warp& warp, const IssueInfo& info, Cycle now);
  // It issues; ask() has just agreed.
  void issue(const Warp& warp, const IssueInfo& info, Cycle now);

 private:
  static constexpr std::uint32_t kGroupsKnown = 64;  // closed groups whose end is kept
  static constexpr std::uint32_t kNobody = 0xffffffffU;

  struct Member {
    std::uint64_t operations = 0;  // issued
    std::uint64_t groups = 0;      // closed
    std::uint64_t arrival = 0;     // the warpgroup's arrival that its operations wait for
    Cycle asked_at = kNever;       // when the current wait began
    bool arrived = false;          // no operation since then
  };
  struct Warpgroup {
    LaunchSeat seat = 0;
    std::uint32_t warps = kWarps;
    std::uint32_t arrived = 0;
    std::uint64_t arrivals = 0;  // completed
    Cycle open_at = 0;           // completion of the latest
    std::uint64_t queued = 0;    // operations with an entry
    std::uint64_t started = 0;
    std::uint64_t closed = 0;  // groups whose last operation has started
    Cycle done_at = 0;         // of the latest operation
    std::array<Member, kWarps> members{};
    std::array<std::uint8_t, WarpgroupConfig::kMaxQueue> joined{};  // warps, by number of operation
    std::array<std::uint8_t, WarpgroupConfig::kMaxQueue> place{};
    std::array<Cycle, kGroupsKnown> group_done{};
  };
  struct Waiter {
    std::uint32_t group;
    std::uint8_t sub_core;
    std::uint8_t slot;
  };

  static std::uint32_t number_of(const Warp& warp) {
    return warp.block_slot * kGroupsPerBlock + warp.warp_in_block / kWarps;
  }
  Answer ask_operation(std::uint32_t number, const Warp& warp, Cycle now);
  Answer ask_groups(Warpgroup& group, Member& member, const IssueInfo& info, Cycle now);
  Answer ask_arrival(const Warpgroup& group, const Member& member) const;
  void arrive(std::uint32_t number, Member& member, Cycle now);
  void join(std::uint32_t number, Member& member, const IssueInfo& info, Cycle now);
  void start(Warpgroup& group, const IssueInfo& info, Cycle now);
  void give_up_turn(std::uint32_t number);
  void wake_all(Cycle at);

  WarpgroupConfig config_;
  SmEvents* events_;
  LaunchStats<WarpgroupStats> stats_;
  std::uint32_t block_slots_;
  std::vector<Warpgroup> groups_;     // empty until the first block with warpgroup operations
  std::vector<Waiter> waiting_;       // for an event
  std::vector<std::uint32_t> turns_;  // warpgroups that request an entry, in order
  std::uint32_t keeps_turn_ = kNobody;
  std::array<Cycle, WarpgroupConfig::kMaxQueue> place_free_at_{};
  std::uint32_t next_place_ = 0;
  Cycle busy_until_ = 0;
};

}  // namespace warpsim
