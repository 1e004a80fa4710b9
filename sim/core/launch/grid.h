// A kernel launch that is resident on the GPU, as its SMs see it.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/blocks/occupancy.h"
#include "core/launch/instruction_source.h"
#include "core/sub_core/instruction_fetch.h"
#include "core/sub_core/issue_info.h"
#include "stats/hot_spot_parts.h"
#include "stats/launch_stats.h"

namespace warpsim {

struct Grid {
  LaunchSeat seat = 0;  // of its statistics
  KernelSource* source = nullptr;
  IssueTable table;
  InstructionFetch::Code code;
  Occupancy occupancy;
  std::unique_ptr<HotSpotParts> hot_spots;  // by SM; null: not recorded
};

// Grids by number; an entry stays valid while blocks of it are resident.
class GridTable {
 public:
  void put(std::uint32_t id, std::unique_ptr<Grid> grid) {
    if (grids_.size() <= id) {
      grids_.resize(id + 1);
    }
    grids_[id] = std::move(grid);
  }
  void remove(std::uint32_t id) { grids_[id].reset(); }
  Grid& operator[](std::uint32_t id) { return *grids_[id]; }

 private:
  std::vector<std::unique_ptr<Grid>> grids_;
};

}  // namespace warpsim
