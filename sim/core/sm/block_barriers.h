// Barriers of resident thread blocks (BAR.SYNC, BAR.RED, BAR.ARV).
//
// Modelled: named barriers with their own thread counts, arrivals processed one after another at the SM's rate, release
// of all waiting warps at once, exited warps that no longer count; the pass through shared memory that a barrier counts
// (tests/hardware/shared_wavefronts), but not its time. A barrier that defers blocking stops a warp only at the first
// instruction that is not fixed-latency arithmetic; the sub-core implements that.
// Evidence: BAR.SYNC latency over 1 to 32 warps, and issue after a barrier (tests/hardware/barrier_shadow), measured;
// values in the H200 config.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/types.h"
#include "config/config_section.h"
#include "core/sm/sm_event.h"
#include "stats/launch_stats.h"
#include "stats/stat_group.h"

namespace warpsim {

struct BlockBarrierConfig {
  std::uint32_t threads_per_cycle = 32;  // rate at which the SM processes arrivals
  std::uint32_t latency_cycles = 1;      // from the last arrival to the release
  bool deferred_blocking = false;        // DEFER_BLOCKING lets fixed-latency math after the barrier issue
};
void describe(ConfigSection& section, BlockBarrierConfig& config);

struct BlockBarrierStats : StatGroup {
  using StatGroup::StatGroup;
  Counter arrivals{*this, "arrivals", Unit::kWarps, "warps that arrived at a barrier"};
  Counter releases{*this, "releases", Unit::kEvents, "barriers completed"};
  Counter ordering_passes{*this, "ordering_passes", Unit::kWavefronts,
                          "barriers completed after accesses to shared memory, each ordered by a pass through it"};
};

class BlockBarriers {
 public:
  static constexpr std::uint32_t kBarriersPerBlock = 16;

  BlockBarriers(const BlockBarrierConfig& config, std::uint32_t block_slots, SmEvents& events, LaunchStatsNode& parent);

  struct WarpId {
    std::uint8_t sub_core;
    std::uint8_t warp;  // slot in the sub-core
  };
  // `seat` of its launch.
  void start_block(std::uint32_t block_slot, std::uint32_t warps, LaunchSeat seat);
  // `expected_warps` 0: all warps of the block that have not exited. A waiting warp gets a kBarrierDone event.
  void arrive(std::uint32_t block_slot, std::uint32_t barrier, std::uint32_t expected_warps, WarpId warp, bool waits,
              Cycle now);
  void warp_exited(std::uint32_t block_slot, Cycle now);
  bool deferred_blocking() const { return config_.deferred_blocking; }

  // --- blocks that leave the SM and come back ---

  // The barrier at which the warp waits; kBarriersPerBlock: none.
  std::uint32_t barrier_of(std::uint32_t block_slot, WarpId warp) const;
  // What is left of a block without its waiting warps, which arrive again when they come back.
  struct Suspended {
    struct Arrivals {
      std::uint32_t arrived = 0;
      std::uint32_t expected = 0;
    };
    std::array<Arrivals, kBarriersPerBlock> barriers;
    bool shared_accessed = false;
  };
  Suspended suspend_block(std::uint32_t block_slot);
  void resume_block(std::uint32_t block_slot, std::uint32_t warps, LaunchSeat seat, const Suspended& state);
  void wait_again(std::uint32_t block_slot, std::uint32_t barrier, WarpId warp, Cycle now);

  // A warp of the block accesses shared memory.
  void note_shared_access(std::uint32_t block_slot) { blocks_[block_slot].shared_accessed = true; }

 private:
  struct Barrier {
    std::uint32_t arrived = 0;
    std::uint32_t expected = 0;  // 0: all live warps
    Cycle latest_arrival = 0;
    std::vector<WarpId> waiting;
  };
  struct Block {
    std::uint32_t live_warps = 0;
    LaunchSeat seat = 0;
    bool shared_accessed = false;  // since the last barrier
    std::array<Barrier, kBarriersPerBlock> barriers;
  };
  void release_if_complete(Block& block, Barrier& barrier);

  BlockBarrierConfig config_;
  SmEvents* events_;
  LaunchStats<BlockBarrierStats> stats_;
  std::vector<Block> blocks_;
  Cycle unit_free_at_ = 0;  // in arrivals of threads: cycles times threads_per_cycle
};

}  // namespace warpsim
