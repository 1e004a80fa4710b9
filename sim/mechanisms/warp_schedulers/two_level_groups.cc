#include "mechanisms/warp_schedulers/two_level_groups.h"

#include <algorithm>
#include <bit>

namespace warpsim::mechanism {

namespace {

// Bits from `slot` on; none if `slot` is the maximum.
WarpMask slots_from(std::uint32_t slot) {
  return slot < kMaxWarpSlots ? ~WarpMask{0} << slot : 0;
}

}  // namespace

void TwoLevelGroups::Settings::describe(Keys& keys) {
  keys.integer("group_size", group_size, 1, kMaxWarpSlots, "warp slots of a group");
}

TwoLevelGroups::TwoLevelGroups(const Settings& settings, const WarpSchedulerSite& site, Counters& counters)
    : group_size_(settings.group_size),
      groups_((std::max(site.warp_slots, 1U) + group_size_ - 1) / group_size_),
      group_changes_(counters.add("group_changes", CounterUnit::kEvents,
                                  "changes to another group because no warp of the group before was ready")) {
  for (std::uint32_t group = 0; group < groups_; ++group) {
    last_[group] = std::min((group + 1) * group_size_, kMaxWarpSlots) - 1;  // the turn begins at the first slot
  }
}

WarpMask TwoLevelGroups::members(std::uint32_t group) const {
  return slots_from(group * group_size_) & ~slots_from((group + 1) * group_size_);
}

void TwoLevelGroups::warp_arrived(std::uint32_t /*slot*/, std::uint64_t /*block*/, Cycle /*now*/) {}

void TwoLevelGroups::warp_left(std::uint32_t /*slot*/) {}

std::uint32_t TwoLevelGroups::pick(WarpMask candidates, Cycle /*now*/) const {
  std::uint32_t group = current_;
  while ((candidates & members(group)) == 0) {
    group = group + 1 < groups_ ? group + 1 : 0;
  }
  const WarpMask in_group = candidates & members(group);
  const WarpMask after_last = in_group & slots_from(last_[group] + 1);
  return static_cast<std::uint32_t>(std::countr_zero(after_last != 0 ? after_last : in_group));
}

void TwoLevelGroups::issued(const IssuedInstruction& instruction) {
  const std::uint32_t group = instruction.slot / group_size_;
  last_[group] = instruction.slot;
  if (group != current_ && (instruction.ready & members(current_)) == 0) {
    current_ = group;
    ++group_changes_;
  }
}

}  // namespace warpsim::mechanism
