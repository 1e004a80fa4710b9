#include "core/sm/block_barriers.h"

#include <algorithm>

namespace warpsim {

void describe(ConfigSection& section, BlockBarrierConfig& config) {
  section.integer("threads_per_cycle", config.threads_per_cycle, 1, 1024,
                  "thread arrivals that an SM's barrier unit processes per cycle");
  section.integer("latency_cycles", config.latency_cycles, 1, 1000, "from the last arrival to the next issue");
  section.boolean("deferred_blocking", config.deferred_blocking,
                  "fixed-latency arithmetic after BAR.*.DEFER_BLOCKING issues before the barrier is complete");
}

BlockBarriers::BlockBarriers(const BlockBarrierConfig& config, std::uint32_t block_slots, SmEvents& events,
                             LaunchStatsNode& parent)
    : config_(config), events_(&events), stats_(parent, "barriers"), blocks_(block_slots) {}

void BlockBarriers::start_block(std::uint32_t block_slot, std::uint32_t warps, LaunchSeat seat) {
  Block& block = blocks_[block_slot];
  block.live_warps = warps;
  block.seat = seat;
  block.shared_accessed = false;
  for (Barrier& barrier : block.barriers) {
    barrier.arrived = 0;
    barrier.waiting.clear();
  }
}

void BlockBarriers::arrive(std::uint32_t block_slot, std::uint32_t barrier_number, std::uint32_t expected_warps,
                           WarpId warp, bool waits, Cycle now) {
  Block& block = blocks_[block_slot];
  Barrier& barrier = block.barriers[barrier_number % kBarriersPerBlock];
  ++stats_[block.seat].arrivals;
  const Cycle rate = config_.threads_per_cycle;
  const Cycle begin = std::max(unit_free_at_, now * rate);
  unit_free_at_ = begin + kWarpSize;
  barrier.latest_arrival = begin / rate;
  barrier.expected = expected_warps;
  ++barrier.arrived;
  if (waits) {
    barrier.waiting.push_back(warp);
  }
  release_if_complete(block, barrier);
}

void BlockBarriers::release_if_complete(Block& block, Barrier& barrier) {
  const std::uint32_t expected = barrier.expected != 0 ? barrier.expected : block.live_warps;
  if (barrier.arrived == 0 || barrier.arrived < expected) {
    return;
  }
  ++stats_[block.seat].releases;
  if (block.shared_accessed) {
    ++stats_[block.seat].ordering_passes;
    block.shared_accessed = false;
  }
  for (const WarpId& warp : barrier.waiting) {
    events_->add(barrier.latest_arrival + config_.latency_cycles,
                 {SmEvent::Kind::kBarrierDone, warp.sub_core, warp.warp, 0, 0});
  }
  barrier.arrived = 0;
  barrier.waiting.clear();
}

void BlockBarriers::warp_exited(std::uint32_t block_slot, Cycle now) {
  Block& block = blocks_[block_slot];
  --block.live_warps;
  for (Barrier& barrier : block.barriers) {
    if (barrier.arrived != 0 && barrier.expected == 0) {
      barrier.latest_arrival = std::max(barrier.latest_arrival, now);
      release_if_complete(block, barrier);
    }
  }
}

// --- blocks that leave the SM and come back ---

std::uint32_t BlockBarriers::barrier_of(std::uint32_t block_slot, WarpId warp) const {
  const auto& barriers = blocks_[block_slot].barriers;
  const auto found = std::ranges::find_if(barriers, [&warp](const Barrier& barrier) {
    return std::ranges::any_of(barrier.waiting, [&warp](const WarpId& other) {
      return other.sub_core == warp.sub_core && other.warp == warp.warp;
    });
  });
  return static_cast<std::uint32_t>(found - barriers.begin());
}

BlockBarriers::Suspended BlockBarriers::suspend_block(std::uint32_t block_slot) {
  Block& block = blocks_[block_slot];
  Suspended state;
  state.shared_accessed = block.shared_accessed;
  for (std::uint32_t i = 0; i < kBarriersPerBlock; ++i) {
    Barrier& barrier = block.barriers[i];
    state.barriers[i] = {barrier.arrived - static_cast<std::uint32_t>(barrier.waiting.size()), barrier.expected};
    barrier.arrived = 0;
    barrier.waiting.clear();
  }
  return state;
}

void BlockBarriers::resume_block(std::uint32_t block_slot, std::uint32_t warps, LaunchSeat seat,
                                 const Suspended& state) {
  start_block(block_slot, warps, seat);
  Block& block = blocks_[block_slot];
  block.shared_accessed = state.shared_accessed;
  for (std::uint32_t i = 0; i < kBarriersPerBlock; ++i) {
    block.barriers[i].arrived = state.barriers[i].arrived;
    block.barriers[i].expected = state.barriers[i].expected;
  }
}

void BlockBarriers::wait_again(std::uint32_t block_slot, std::uint32_t barrier_number, WarpId warp, Cycle now) {
  Block& block = blocks_[block_slot];
  Barrier& barrier = block.barriers[barrier_number];
  barrier.latest_arrival = now;
  ++barrier.arrived;
  barrier.waiting.push_back(warp);
  release_if_complete(block, barrier);
}

}  // namespace warpsim
