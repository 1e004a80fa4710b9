// Block placement: which SM gets the next thread block.
//
// Modelled (policy gpc_batches): blocks are placed in rounds. In a round every SM with space at the lowest fill level
// gets one block. Blocks of a round are numbered GPC by GPC, starting after the GPC served last, even across grids;
// within a GPC TPC by TPC. If fewer blocks are left than a round could place, TPCs get one block each in turn over the
// GPCs before the second SMs of TPCs do. Singleton TPCs have a higher rate of their own: first at the start of a grid,
// then each time some GPCs have been served, as long as the remaining blocks can bring every SM to the same level. A
// cluster is placed on one GPC, one cluster per GPC and round. Not modelled: why the singletons' rate varies directly
// after the GPU was idle (the first kernel of a process), and which half of them is first. Evidence: the SM of every
// block of 70 kernels recorded on an H200; tests/unit/core/blocks/block_placement_test.cc compares the first wave of
// each. Policy round_robin is the simple reference: SM after SM. A mechanism (warpsim/block_placement.h) chooses for
// grids without clusters.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "config/config_section.h"
#include "core/blocks/placement_mechanism.h"
#include "core/blocks/sm_resources.h"
#include "core/gpu/topology.h"

namespace warpsim {

enum class BlockPlacementPolicy : std::uint8_t { kGpcBatches, kRoundRobin, kMechanism };

struct BlockPlacementConfig {
  BlockPlacementPolicy policy = BlockPlacementPolicy::kGpcBatches;
  std::uint32_t singleton_first_interval_gpcs = 0;  // GPCs served between first and second turn of the singletons
  std::uint32_t singleton_interval_gpcs = 0;        // between later turns
  MechanismChoice<mechanism::BlockPlacement> mechanism = {};  // of policy kMechanism
};
void describe(ConfigSection& section, BlockPlacementConfig& config);

class BlockPlacement {
 public:
  static constexpr std::uint32_t kNoSm = 0xffffffffU;

  // The counters of a mechanism are a group below `parent`. The topology outlives the placement.
  BlockPlacement(const BlockPlacementConfig& config, const Topology& topology, LaunchStatsNode& parent);

  // Starts a new grid, of a launch; the previous one has been placed completely. cluster_blocks is 1 without clusters.
  void begin_grid(std::uint32_t cluster_blocks, LaunchSeat seat);
  // SM of the next of `left` blocks, kNoSm if none has room. The caller places the block there before it asks again.
  std::uint32_t next(const std::vector<SmResources>& sms, const BlockDemand& demand, std::uint64_t left);
  // A block that had left the SM is about to be placed there: places that were planned are chosen again. False: the
  // rest of a cluster needs the SM first.
  bool make_way(std::uint32_t sm);
  // Whether an empty GPU has room for one cluster, given how many blocks fit on an SM.
  bool cluster_fits(std::uint32_t cluster_blocks, std::uint32_t blocks_per_sm) const;

 private:
  // Blocks of one GPC in one pass, in order.
  struct Batch {
    std::uint32_t gpc = 0;
    std::vector<std::uint32_t> sms;
  };
  // State of an SM while a pass is planned.
  struct Fill {
    std::uint32_t level = 0;  // blocks resident or planned
    std::uint32_t room = 0;   // more that fit
  };

  void forget_batch();
  void forget_passes();
  std::uint32_t next_round_robin(const std::vector<SmResources>& sms, const BlockDemand& demand);
  void observe(const std::vector<SmResources>& sms, const BlockDemand& demand);
  void fill_batch(std::uint64_t left);
  bool serve_singletons(std::uint64_t unplanned, bool last_resort);
  void plan_pass(std::uint64_t unplanned);
  void plan_cluster_pass(std::uint64_t unplanned);
  void queue_passes_batches(const std::vector<std::uint8_t>& chosen);
  std::uint32_t lowest_level(std::uint32_t first_group, std::uint32_t last_group) const;
  std::vector<std::uint8_t> choose(std::uint32_t first_group, std::uint32_t last_group, std::uint32_t level,
                                   std::uint64_t count) const;
  std::vector<std::uint32_t> cluster_sms(std::uint32_t gpc) const;

  BlockPlacementConfig config_;
  const Topology& topology_;
  std::uint32_t cluster_blocks_ = 1;
  // What an SM had room for after so many of its changes. Most SMs do not change between two batches.
  struct Seen {
    std::uint64_t changes = kNotSeen;
    Fill fill;
  };
  static constexpr std::uint64_t kNotSeen = ~std::uint64_t{0};
  std::vector<Seen> seen_;  // by SM
  BlockDemand seen_demand_;
  std::vector<Fill> fill_;            // by SM, valid while a batch is chosen
  std::vector<std::uint32_t> batch_;  // SMs of the next blocks
  std::size_t batch_next_ = 0;
  std::vector<Batch> pass_;  // rest of the current pass
  std::size_t pass_next_ = 0;
  std::uint64_t planned_ = 0;   // blocks in pass_ from pass_next_ on
  std::uint32_t next_gpc_ = 0;  // kept across grids
  std::uint32_t gpcs_since_singletons_ = 0;
  std::uint32_t singleton_turns_ = 0;
  std::uint32_t next_sm_ = 0;                      // round robin
  std::unique_ptr<PlacementMechanism> mechanism_;  // null: a policy of this class
};

}  // namespace warpsim
