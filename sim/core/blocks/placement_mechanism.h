// A block placement that a description chooses (warpsim/block_placement.h), as the block scheduler asks it.
//
// State: the mechanism and its counters, the space of the SMs as the mechanism sees it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/blocks/sm_resources.h"
#include "core/gpu/topology.h"
#include "mechanisms/mechanism_choice.h"
#include "stats/launch_stats.h"

namespace warpsim {

class PlacementMechanism {
 public:
  using Choice = MechanismChoice<mechanism::BlockPlacement>;

  // Null if the description chooses none. The counters are a group `placement` below `parent`.
  static std::unique_ptr<PlacementMechanism> make(const Choice& choice, const Topology& topology,
                                                  LaunchStatsNode& parent);
  PlacementMechanism(const Choice& choice, const Topology& topology, LaunchStatsNode& parent);

  void begin_grid(LaunchSeat seat);
  // SM of the next of `left` blocks, BlockPlacement::kNoSm if none has room. Throws ConfigError if the mechanism names
  // an SM without room.
  std::uint32_t next(const std::vector<SmResources>& sms, const BlockDemand& demand, std::uint64_t left);

 private:
  std::string name_;
  std::vector<std::uint32_t> gpc_of_sm_;
  std::vector<std::uint32_t> tpc_of_sm_;
  std::vector<mechanism::SmSpace> space_;  // by SM
  MechanismCounters counters_;
  std::unique_ptr<mechanism::BlockPlacement> mechanism_;
};

}  // namespace warpsim
