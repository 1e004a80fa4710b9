// A kernel launch that is resident on a GPU: everything that belongs to it alone. Its blocks, warps and requests name
// it by its seat, and its statistics are those of the seat.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "core/blocks/grid_order.h"
#include "core/blocks/occupancy.h"
#include "core/launch/instruction_source.h"
#include "core/sub_core/instruction_fetch.h"
#include "core/sub_core/issue_info.h"
#include "stats/hot_spot_parts.h"
#include "stats/launch_stats.h"

namespace warpsim {

struct Launch {
  LaunchSeat seat = 0;
  std::uint64_t number = 0;  // of the launches of its GPU, from 1
  KernelSource* source = nullptr;
  IssueTable table;
  InstructionFetch::Code code;
  Occupancy occupancy;
  GridOrder order;
  std::unique_ptr<HotSpotParts> hot_spots;  // by SM; null: not recorded
};

// The resident launches of a GPU by seat.
class LaunchTable {
 public:
  // Without launches, for requests of other GPUs.
  void reserve(LaunchSeat seat) { reserved_ = seat; }
  // The lowest other seat without a launch.
  LaunchSeat free_seat() const {
    std::size_t seat = 0;
    while (seat == reserved_ || (seat < launches_.size() && launches_[seat] != nullptr)) {
      ++seat;
    }
    return static_cast<LaunchSeat>(seat);
  }
  Launch& put(std::unique_ptr<Launch> launch) {
    const LaunchSeat seat = launch->seat;
    if (launches_.size() <= seat) {
      launches_.resize(seat + std::size_t{1});
    }
    launches_[seat] = std::move(launch);
    return *launches_[seat];
  }
  void remove(LaunchSeat seat) { launches_[seat].reset(); }
  bool empty() const {
    return std::ranges::all_of(launches_, [](const auto& launch) { return launch == nullptr; });
  }
  Launch& operator[](LaunchSeat seat) { return *launches_[seat]; }

 private:
  std::vector<std::unique_ptr<Launch>> launches_;
  std::size_t reserved_ = kMaxLaunchSeats;  // none
};

}  // namespace warpsim
