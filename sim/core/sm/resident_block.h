// One thread block on an SM, as the SM starts its warps and waits for their ends.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/launch/instruction_source.h"
#include "core/sub_core/suspended_warp.h"
#include "stats/hot_spot_table.h"
#include "stats/launch_stats.h"

namespace warpsim {

struct ResidentBlock {
  LaunchSeat seat = 0;
  std::unique_ptr<BlockSource> source;
  std::uint32_t warps_left = 0;      // not exited
  std::uint32_t warps_to_start = 0;  // in total
  std::uint32_t next_warp = 0;       // not started
  std::uint32_t cluster_blocks = 1;
  std::uint32_t cluster_rank = 0;
  Cycle next_warp_at = 0;
  std::uint64_t linear_index = 0;        // in its grid
  std::uint64_t arrival = 0;             // number in the order of arrival
  HotSpotTable* hot_spots = nullptr;     // of its launch and this SM; null: not recorded
  Cycle shown_until = 0;                 // end of what a timeline shows
  std::vector<SuspendedWarp> to_resume;  // of a block that comes back: its warps
  bool resident = false;
};

}  // namespace warpsim
