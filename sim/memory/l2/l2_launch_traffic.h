// Requests that L2 gets for a launch besides those of its accesses: reads of the system, and the barriers with which
// the launch's writes end, one request and one sector at every slice.
//
// Modelled: their numbers, which Nsight Compute counts with the launch's own. Not modelled: their time, which is part
// of the measured overhead of a launch, and what they fetch from DRAM. Evidence: the empty kernels of the calibration
// launches (tests/hardware/h200/extra.csv), whose counts do not depend on the grid, and lts__t_requests_op_membar.
#pragma once

#include <cstdint>

#include "config/config_section.h"
#include "stats/launch_stats.h"
#include "stats/stat_group.h"

namespace warpsim {

struct L2LaunchTrafficConfig {
  std::uint32_t read_sectors = 0;
  std::uint32_t barriers = 0;                // of any launch, from the GPCs
  std::uint32_t fabric_barriers = 0;         // that arrive through the fabric
  std::uint32_t other_barriers = 0;          // from elsewhere
  std::uint32_t barriers_per_sm = 0;         // in addition, for each SM that has stored
  std::uint32_t fabric_barriers_per_sm = 0;  // the same
};
void describe(ConfigSection& section, L2LaunchTrafficConfig& config);

struct L2LaunchTrafficStats : StatGroup {
  using StatGroup::StatGroup;
  Counter read_sectors{*this, "read_sectors", Unit::kSectors, "sectors that the system reads for the launch"};
  Counter barriers{*this, "barriers", Unit::kRequests, "barriers from GPCs"};
  Counter fabric_barriers{*this, "fabric_barriers", Unit::kRequests, "barriers from the other partition"};
  Counter other_barriers{*this, "other_barriers", Unit::kRequests, "barriers from elsewhere"};
};

class L2LaunchTraffic {
 public:
  L2LaunchTraffic(const L2LaunchTrafficConfig& config, LaunchStatsNode& parent)
      : config_(config), stats_(parent, "l2_launch_traffic") {}
  // `storing_sms`: SMs that have stored anything for it.
  void launch_ends(LaunchSeat seat, std::uint32_t storing_sms);

 private:
  L2LaunchTrafficConfig config_;
  LaunchStats<L2LaunchTrafficStats> stats_;
};

}  // namespace warpsim
