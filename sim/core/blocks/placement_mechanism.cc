#include "core/blocks/placement_mechanism.h"

#include <fmt/format.h>

#include "base/error.h"
#include "core/blocks/block_placement.h"

namespace warpsim {

std::unique_ptr<PlacementMechanism> PlacementMechanism::make(const Choice& choice, const Topology& topology,
                                                             LaunchStatsNode& parent) {
  return choice.chosen() ? std::make_unique<PlacementMechanism>(choice, topology, parent) : nullptr;
}

PlacementMechanism::PlacementMechanism(const Choice& choice, const Topology& topology, LaunchStatsNode& parent)
    : name_(choice.name()), space_(topology.sm_count()), counters_(parent, "placement") {
  for (std::uint32_t sm = 0; sm < topology.sm_count(); ++sm) {
    gpc_of_sm_.push_back(topology.group_of_sm(sm));
    tpc_of_sm_.push_back(topology.tpc_of_sm(sm));
  }
  mechanism_ =
      choice.make({topology.sm_count(), topology.group_count(), gpc_of_sm_.data(), tpc_of_sm_.data()}, counters_);
}

void PlacementMechanism::begin_grid(LaunchSeat seat) {
  counters_.select(seat);
  mechanism_->grid_begins();
}

std::uint32_t PlacementMechanism::next(const std::vector<SmResources>& sms, const BlockDemand& demand,
                                       std::uint64_t left) {
  bool any = false;
  for (std::size_t sm = 0; sm < sms.size(); ++sm) {
    space_[sm] = {sms[sm].resident_blocks(), sms[sm].room(demand)};
    any = any || space_[sm].room > 0;
  }
  if (!any) {
    return BlockPlacement::kNoSm;
  }
  const std::uint32_t sm = mechanism_->choose(space_.data(), left);
  if (sm >= space_.size() || space_[sm].room == 0) {
    throw ConfigError(
        fmt::format("block placement '{}' chose SM {}, expected one of {} that has room", name_, sm, space_.size()));
  }
  return sm;
}

}  // namespace warpsim
