#include "memory/l2/l2_launch_traffic.h"

namespace warpsim {

void describe(ConfigSection& section, L2LaunchTrafficConfig& config) {
  constexpr std::uint32_t kMost = 1000000;
  section.integer("read_sectors", config.read_sectors, 0, kMost, "sectors that the system reads for any launch");
  section.integer("barriers", config.barriers, 0, kMost, "barriers of any launch from the GPCs");
  section.integer("fabric_barriers", config.fabric_barriers, 0, kMost, "the same through the fabric");
  section.integer("other_barriers", config.other_barriers, 0, kMost, "the same from elsewhere");
  section.integer("barriers_per_sm", config.barriers_per_sm, 0, kMost,
                  "barriers in addition for each SM that has stored, from the GPCs");
  section.integer("fabric_barriers_per_sm", config.fabric_barriers_per_sm, 0, kMost, "the same through the fabric");
}

void L2LaunchTraffic::launch_ends(LaunchSeat seat, std::uint32_t storing_sms) {
  L2LaunchTrafficStats& stats = stats_[seat];
  stats.read_sectors += config_.read_sectors;
  stats.barriers += config_.barriers + std::uint64_t{storing_sms} * config_.barriers_per_sm;
  stats.fabric_barriers += config_.fabric_barriers + std::uint64_t{storing_sms} * config_.fabric_barriers_per_sm;
  stats.other_barriers += config_.other_barriers;
}

}  // namespace warpsim
