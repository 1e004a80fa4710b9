#include "core/sm/warpgroup_engine.h"

#include <algorithm>

#include "base/check.h"

namespace warpsim {

WarpgroupEngine::WarpgroupEngine(const WarpgroupConfig& config, std::uint32_t block_slots, SmEvents& events,
                                 LaunchStatsNode& parent)
    : config_(config), events_(&events), stats_(parent, "warpgroup_mma"), block_slots_(block_slots) {}

void WarpgroupEngine::start_block(std::uint32_t block_slot, std::uint32_t warps, LaunchSeat seat) {
  if (groups_.empty()) {
    groups_.resize(std::size_t{block_slots_} * kGroupsPerBlock);
    turns_.reserve(groups_.size());
    waiting_.reserve(groups_.size() * kWarps);
  }
  for (std::uint32_t i = 0; i < kGroupsPerBlock; ++i) {
    const std::uint32_t number = block_slot * kGroupsPerBlock + i;
    give_up_turn(number);
    groups_[number] = Warpgroup{};
    groups_[number].seat = seat;
    groups_[number].warps = std::clamp(warps, i * kWarps + 1, (i + 1) * kWarps) - i * kWarps;
  }
}

// --- may it issue? ---

WarpgroupEngine::Answer WarpgroupEngine::ask(const Warp& warp, const IssueInfo& info, Cycle now) {
  const std::uint32_t number = number_of(warp);
  Warpgroup& group = groups_[number];
  Member& member = group.members[warp.warp_in_block % kWarps];
  Answer answer;
  switch (info.warpgroup) {
    case WarpgroupRole::kOperation:
      answer = ask_operation(number, warp, now);
      break;
    case WarpgroupRole::kWaitArrivals:
      answer = ask_arrival(group, member);
      break;
    case WarpgroupRole::kWaitGroups:
      answer = ask_groups(group, member, info, now);
      break;
    default:
      break;
  }
  if (answer.at == kNever) {
    waiting_.push_back({number, warp.sub_core, warp.slot});
  }
  return answer;
}

WarpgroupEngine::Answer WarpgroupEngine::ask_arrival(const Warpgroup& group, const Member& member) const {
  return {group.arrivals < member.arrival ? kNever : group.open_at, StallReason::kGmma};
}

WarpgroupEngine::Answer WarpgroupEngine::ask_operation(std::uint32_t number, const Warp& warp, Cycle now) {
  const Warpgroup& group = groups_[number];
  const std::uint32_t rank = warp.warp_in_block % kWarps;
  const Member& member = group.members[rank];
  // One warp requests for the warpgroup, the others wait for it.
  const StallReason reason = rank == 0        ? StallReason::kMioThrottle
                             : member.arrived ? StallReason::kGmma
                                              : StallReason::kBarrier;
  if (const Answer arrival = ask_arrival(group, member); arrival.at > now) {
    return arrival;
  }
  if (member.operations < group.queued) {
    return {now, reason};  // it already has its entry
  }
  if (keeps_turn_ != kNobody && keeps_turn_ != number) {
    return {kNever, reason};
  }
  if (keeps_turn_ == kNobody) {
    if (std::ranges::find(turns_, number) == turns_.end()) {
      turns_.push_back(number);
    }
    if (turns_.front() != number) {
      return {kNever, reason};
    }
  }
  return {place_free_at_[next_place_], reason};
}

WarpgroupEngine::Answer WarpgroupEngine::ask_groups(Warpgroup& group, Member& member, const IssueInfo& info,
                                                    Cycle now) {
  if (member.operations == group.started && group.done_at <= now) {
    return {now, StallReason::kGmma};  // nothing is outstanding
  }
  if (member.asked_at == kNever) {
    member.asked_at = now;
  }
  const Cycle least = member.asked_at + config_.wait_cycles;
  if (info.immediate < 0) {  // unknown: all of them
    return {member.operations == group.started ? std::max(least, group.done_at) : kNever, StallReason::kGmma};
  }
  const auto left = static_cast<std::uint64_t>(info.immediate);
  if (member.groups <= left) {
    return {least, StallReason::kGmma};
  }
  const std::uint64_t awaited = member.groups - left;  // number of groups that must be done
  if (group.closed < awaited) {
    return {kNever, StallReason::kGmma};
  }
  SIM_CHECK(group.closed - awaited < kGroupsKnown, "a warp waits for a group that is no longer tracked");
  return {std::max(least, group.group_done[(awaited - 1) % kGroupsKnown]), StallReason::kGmma};
}

// --- it issues ---

void WarpgroupEngine::issue(const Warp& warp, const IssueInfo& info, Cycle now) {
  const std::uint32_t number = number_of(warp);
  Warpgroup& group = groups_[number];
  Member& member = group.members[warp.warp_in_block % kWarps];
  if (info.warpgroup == WarpgroupRole::kArrive) {
    arrive(number, member, now);
  } else if (info.warpgroup == WarpgroupRole::kOperation) {
    join(number, member, info, now);
  }
  member.asked_at = kNever;
}

void WarpgroupEngine::arrive(std::uint32_t number, Member& member, Cycle now) {
  Warpgroup& group = groups_[number];
  if (keeps_turn_ == number) {
    keeps_turn_ = kNobody;  // a group that is not closed
  }
  member.arrival = group.arrivals + 1;
  member.arrived = true;
  if (++group.arrived == group.warps) {
    group.arrived = 0;
    ++group.arrivals;
    group.open_at = now + config_.arrive_cycles;
    wake_all(now + 1);
  }
}

void WarpgroupEngine::join(std::uint32_t number, Member& member, const IssueInfo& info, Cycle now) {
  Warpgroup& group = groups_[number];
  const std::uint32_t operation = member.operations % WarpgroupConfig::kMaxQueue;
  if (member.operations == group.queued) {
    ++group.queued;
    group.joined[operation] = 0;
    group.place[operation] = static_cast<std::uint8_t>(next_place_);
    place_free_at_[next_place_] = kNever;
    next_place_ = (next_place_ + 1) % config_.queue_entries;
    give_up_turn(number);
    const bool stays = info.warpgroup_shared_bound && !info.closes_group;
    keeps_turn_ = stays ? number : kNobody;
    wake_all(now + 1);
  }
  ++member.operations;
  member.groups += info.closes_group ? 1 : 0;
  member.arrived = false;
  if (++group.joined[operation] == group.warps) {
    start(group, info, now);
  }
}

// The last warp has issued the operation.
void WarpgroupEngine::start(Warpgroup& group, const IssueInfo& info, Cycle now) {
  const Cycle begin = std::max(now, busy_until_);
  busy_until_ = begin + info.initiation_cycles;
  place_free_at_[group.place[group.started % WarpgroupConfig::kMaxQueue]] = begin + info.warpgroup_release_cycles;
  ++group.started;
  group.done_at = std::max(group.done_at, begin + info.latency_cycles);
  if (info.closes_group) {
    group.group_done[group.closed % kGroupsKnown] = group.done_at;
    ++group.closed;
  }
  WarpgroupStats& stats = stats_[group.seat];
  ++stats.operations;
  stats.busy_cycles += info.initiation_cycles;
  stats.shared_wavefronts += info.warpgroup_wavefronts;
  wake_all(now + 1);
}

void WarpgroupEngine::give_up_turn(std::uint32_t number) {
  std::erase(turns_, number);
  if (keeps_turn_ == number) {
    keeps_turn_ = kNobody;
  }
}

// All waiting warps ask again: they are few, and often progress was made.
void WarpgroupEngine::wake_all(Cycle at) {
  for (const Waiter& waiter : waiting_) {
    events_->add(at, {SmEvent::Kind::kWarpReady, waiter.sub_core, waiter.slot, 0, 0});
  }
  waiting_.clear();
}

}  // namespace warpsim
