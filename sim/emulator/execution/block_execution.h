// A thread block in execution: its warps, its memory, its barriers.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "emulator/execution/barriers.h"
#include "emulator/execution/launch_context.h"
#include "emulator/execution/warp.h"
#include "emulator/execution/warpgroup_arrivals.h"
#include "emulator/memory/block_memory.h"

namespace warpsim {

// Linear indices of the blocks of a cluster, in order of rank; clusters are numbered like blocks.
std::vector<std::uint64_t> blocks_of_cluster(const LaunchContext& launch, std::uint64_t cluster);
std::uint64_t cluster_of_block(const LaunchContext& launch, std::uint64_t linear_index);

// Threads of a cluster's blocks that have arrived at its barrier.
struct ClusterState {
  std::uint32_t arrived = 0;
  std::uint32_t threads = 0;  // that have not ended
  std::uint64_t phase = 1;
  std::vector<class BlockExecution*> blocks;
};

class BlockExecution final : public BlockBarrierPort {
 public:
  // `local_bytes` per thread.
  BlockExecution(const LaunchContext& launch, std::uint32_t local_bytes);
  BlockExecution(const BlockExecution&) = delete;
  BlockExecution& operator=(const BlockExecution&) = delete;

  // linear_index = x + grid.x * (y + grid.y * z). `cluster` outlives the block; null: a cluster of its own.
  void start(std::uint64_t linear_index, std::uint32_t sm, ClusterState* cluster = nullptr);
  // Sets another SM. Only before anything of the block has been executed.
  void move_to(std::uint32_t sm);
  bool finished() const;
  // Gives the warps turns in order, again and again, until they have executed about so many operations each, have
  // ended, wait, or only poll; with a race check one turn each. A turn ends as Warp::run() does. A warp that only polls
  // memory in a loop has no effect: it does not execute until a poll would find something else; in a concurrent launch
  // it polls once. Returns how many were executed; 0: all warps wait or poll. The watch of a launch that is not
  // concurrent counts them.
  std::uint64_t run(std::uint64_t most_per_warp, Cycle now);

  // From now on loops that wait for time make it pass; the latest time of its warps.
  void let_time_pass();
  Cycle latest() const;

  std::uint32_t warp_count() const { return static_cast<std::uint32_t>(warps_.size()); }
  Warp& warp(std::uint32_t index) { return *warps_[index]; }
  BlockMemory& memory() { return memory_; }
  const BlockMemory& memory() const { return memory_; }
  // Number of a barrier operation's barrier in the block, kClusterBarrier for the cluster's. Throws KernelFault.
  std::uint32_t number_of(const Operation& operation, LaneMask lanes, const WarpContext& context) override;
  std::uint64_t thread_operations() const;
  std::uint64_t warp_operations() const;
  // Threads that have arrived at a barrier of the block, and the total that it expects; the same for the cluster's.
  std::uint32_t arrived(std::uint32_t barrier) const { return barriers_.arrived(barrier); }
  std::uint32_t wanted(std::uint32_t barrier) const { return barriers_.wanted(barrier); }
  std::uint32_t cluster_arrived() const { return cluster_->arrived; }
  std::uint32_t cluster_wanted() const { return cluster_->threads; }

 private:
  std::uint64_t give_turn(Warp& warp, std::uint64_t most);
  std::uint64_t run_warp(Warp& warp, std::uint8_t& polls, std::uint64_t most);
  bool arrive(const Operation& operation, LaneMask lanes, WarpContext& context) override;
  void arrive_in_warpgroup(const WarpContext& context) override;
  bool passes_warpgroup(const WarpContext& context) const override { return warpgroups_.may_go_on(context.index); }
  void release_warpgroup(std::uint32_t warp);
  void exited(std::uint32_t warp, LaneMask lanes) override;
  void release(std::uint32_t barrier);
  bool arrive_in_cluster(const Operation& operation, LaneMask lanes, const WarpContext& context);
  void complete_cluster();

  const LaunchContext& launch_;
  BlockMemory memory_;
  HostState host_;
  ThreadBarriers barriers_;
  WarpgroupArrivals warpgroups_;
  std::vector<std::unique_ptr<Warp>> warps_;
  std::vector<std::uint8_t> polls_;  // by warp: it only polls
  ClusterState* cluster_ = nullptr;
  ClusterState own_cluster_;
  std::vector<std::uint64_t> arrival_phase_;  // of each thread, at the cluster's barrier
};

}  // namespace warpsim
