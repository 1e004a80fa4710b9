#include "mechanisms/warp_schedulers/cache_conscious.h"

#include <algorithm>
#include <bit>

namespace warpsim::mechanism {

void CacheConscious::Settings::describe(Keys& keys) {
  keys.integer("victim_tags", victim_tags, 1, 4096, "replaced lines of a warp that are remembered");
  keys.integer("base_score", base_score, 1, 100000, "score of a warp that has lost nothing");
  keys.integer("throttle", throttle, 0, 1000, "how much a loss of locality raises the score; 0: no warp is withheld");
}

CacheConscious::CacheConscious(const Settings& settings, const WarpSchedulerSite& /*site*/, Counters& counters)
    : victim_tags_(settings.victim_tags),
      base_score_(settings.base_score),
      throttle_(settings.throttle),
      tags_(std::size_t{kMaxWarpSlots} * settings.victim_tags),
      lost_hits_(counters.add("lost_hits", CounterUnit::kEvents,
                              "misses of lines that the warp had brought and that were replaced")) {}

void CacheConscious::warp_arrived(std::uint32_t slot, std::uint64_t /*block*/, Cycle now) {
  warps_[slot] = {++arrivals_, base_score_, now, 0};
  resident_ |= WarpMask{1} << slot;
}

void CacheConscious::warp_left(std::uint32_t slot) {
  resident_ &= ~(WarpMask{1} << slot);
}

std::uint32_t CacheConscious::pick(WarpMask candidates, Cycle /*now*/) const {
  if ((candidates >> last_ & 1U) != 0) {
    return last_;
  }
  auto oldest = static_cast<std::uint32_t>(std::countr_zero(candidates));
  for (WarpMask mask = candidates & (candidates - 1); mask != 0; mask &= mask - 1) {
    const auto slot = static_cast<std::uint32_t>(std::countr_zero(mask));
    oldest = warps_[slot].arrival < warps_[oldest].arrival ? slot : oldest;
  }
  return oldest;
}

void CacheConscious::issued(const IssuedInstruction& instruction) {
  last_ = instruction.slot;
  ++issued_;
}

// --- scores ---

std::uint64_t CacheConscious::cutoff() const {
  return static_cast<std::uint64_t>(std::popcount(resident_)) * base_score_;
}

std::uint64_t CacheConscious::score(const Warp& warp, Cycle now) const {
  const Cycle passed = now - warp.scored;
  return warp.score > base_score_ + passed ? warp.score - passed : base_score_;
}

void CacheConscious::lost(const L1Loss& loss) {
  Warp& warp = warps_[loss.slot];
  Address* const tags = tags_of(loss.slot);
  warp.tags = std::min(warp.tags + 1, victim_tags_);
  std::copy_backward(tags, tags + warp.tags - 1, tags + warp.tags);
  tags[0] = loss.line;
}

// Whether the line was among the tags, from which it is removed.
bool CacheConscious::take_tag(std::uint32_t slot, Address line) {
  Address* const begin = tags_of(slot);
  Address* const end = begin + warps_[slot].tags;
  Address* const found = std::find(begin, end, line);
  if (found == end) {
    return false;
  }
  std::copy(found + 1, end, found);
  --warps_[slot].tags;
  return true;
}

void CacheConscious::looked_up(const L1Lookup& lookup) {
  if (lookup.hit || !take_tag(lookup.slot, lookup.line)) {
    return;
  }
  ++lost_hits_;
  ++losses_;
  Warp& warp = warps_[lookup.slot];
  const std::uint64_t raised = losses_ * throttle_ * cutoff() / std::max<std::uint64_t>(issued_, 1);
  warp.score = std::max(score(warp, lookup.now), raised);
  warp.scored = lookup.now;
  settled_at_ = std::max(settled_at_, lookup.now + warp.score - base_score_);
}

WarpMask CacheConscious::withheld(WarpMask loads, Cycle now) const {
  if (settled_at_ <= now) {
    return 0;
  }
  std::array<std::uint32_t, kMaxWarpSlots> order;
  std::array<std::uint64_t, kMaxWarpSlots> scores;
  std::uint32_t count = 0;
  for (WarpMask mask = resident_; mask != 0; mask &= mask - 1) {
    const auto slot = static_cast<std::uint32_t>(std::countr_zero(mask));
    scores[slot] = score(warps_[slot], now);
    order[count++] = slot;
  }
  std::sort(order.begin(), order.begin() + count, [&](std::uint32_t a, std::uint32_t b) {
    return scores[a] != scores[b] ? scores[a] > scores[b] : warps_[a].arrival < warps_[b].arrival;
  });
  std::uint64_t sum = 0;
  WarpMask may_load = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    sum += scores[order[i]];
    if (i != 0 && sum > cutoff()) {
      break;
    }
    may_load |= WarpMask{1} << order[i];
  }
  return loads & ~may_load;
}

}  // namespace warpsim::mechanism
