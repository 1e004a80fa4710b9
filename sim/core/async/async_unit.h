// The SM's units for asynchronous work: barriers in shared memory, the copy engine, and the port to the network between
// the SMs of a cluster, with the cluster barrier.
//
// Modelled: see mbarrier_unit.h, tma_engine.h, cluster_network.h; here the division of work, and the cluster barrier
// (UCGABAR): each block reports when all its warps have arrived, all continue when all blocks have.
// Invariant: messages leave in the order of their creation.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/async/cluster_message.h"
#include "core/async/mbarrier_unit.h"
#include "core/async/tma_engine.h"
#include "core/blocks/block_scheduler.h"
#include "engine/link.h"
#include "memory/grow_queue.h"

namespace warpsim {

struct ClusterConfig {
  std::uint32_t link_latency_cycles = 1;              // SM to network, and network to SM
  std::uint32_t remote_latency_cycles = 1;            // an operation on another block's barrier, without the links
  std::uint32_t load_latency_cycles = 1;              // a load from another block's shared memory
  std::uint32_t store_pass_cycles = 1;                // of the SM's stage, for each pass of a store there
  std::uint32_t barrier_arrival_interval_cycles = 1;  // UCGABAR: between arrivals that an SM takes
  std::uint32_t barrier_latency_cycles = 1;           // from the notification that all have arrived to the next issue
};
void describe(ConfigSection& section, ClusterConfig& config);

struct AsyncConfig {
  MbarrierConfig mbarrier;
  TmaConfig tma;
  ClusterConfig cluster;
};
void describe(ConfigSection& section, AsyncConfig& config);

class AsyncUnit {
 public:
  struct Links {
    Link<MemRequest>* to_memory;
    Link<ClusterMessage>* to_cluster;
    Link<ClusterMessage>* from_cluster;
  };
  AsyncUnit(const AsyncConfig& config, std::uint32_t block_slots, std::uint16_t sm, const Links& links,
            SmEvents& events, LaunchStatsNode& parent);

  void start_block(const BlockAssignment& assignment, std::uint32_t warps, Cycle now);
  void end_block(std::uint32_t slot, Cycle now);

  // An instruction with known operations, in the SM's memory stage. Returns whether the unit posts its result.
  bool start(const MemoryInstruction& instruction, Cycle now);

  const ClusterConfig& cluster_config() const { return config_.cluster; }
  std::uint32_t mbarrier_latency_cycles() const { return config_.mbarrier.latency_cycles; }

  // The cluster's barrier.
  void cluster_arrive(std::uint32_t slot, std::uint32_t warp_number, Cycle now);
  // The warp gets a kBarrierDone event.
  void cluster_wait(std::uint32_t slot, std::uint32_t warp_number, Cycle now);
  void warp_exited(std::uint32_t slot, Cycle now);

  void tick(Cycle now, bool port_taken) {
    if (!is_quiet()) {
      work(now, port_taken);
    }
  }
  void response(const MemResponse& response, Cycle now) { tma_.response(response, now); }
  void copy_delivered(std::uint32_t number, Cycle now);
  // A group of copies that a warp made itself has arrived.
  void copied_by_warp(std::uint32_t slot, const AsyncOperation& operation, Cycle now) {
    bytes_written(slot, operation, now);
  }
  // An arrival at a barrier that waited for copies of its warp.
  void copies_arrived(std::uint32_t slot, const AsyncOperation& operation, Cycle now) {
    if (operation.kind == AsyncOperation::Kind::kArrive) {
      mbarriers_.arrive(slot, operation, now);
    } else {
      bytes_written(slot, operation, now);
    }
  }
  void take_messages(Cycle now);
  Cycle next_work(Cycle now) const {
    return is_quiet() ? kNever : std::min({outbox_work(now), tma_.next_work(now), delayed_.next()});
  }
  bool idle() const { return is_quiet(); }
  // A launch takes the seat.
  void begin_launch(LaunchSeat seat) { tma_.writes_for_memory().begin_launch(seat); }
  std::uint64_t writes_for_memory(LaunchSeat seat) const { return tma_.writes_for_memory().of(seat); }
  std::uint32_t give_up_waits(LaunchSeat seat, Cycle now) { return mbarriers_.give_up(seat, now); }

 private:
  struct Block {
    std::uint64_t cluster = 0;
    std::uint32_t size = 1;
    std::uint32_t rank = 0;
    std::uint32_t live_warps = 0;
    std::uint32_t arrived = 0;  // at the cluster's barrier, in its current phase
    std::uint32_t phase = 0;    // phases completed
    Cycle latest_arrival = 0;
    std::vector<std::uint32_t> waiting;  // warp numbers
  };

  bool is_quiet() const { return outbox_.empty() && tma_.idle() && delayed_.empty(); }
  Cycle outbox_work(Cycle now) const { return outbox_.empty() || outbox_refused_ ? kNever : now + 1; }
  void work(Cycle now, bool port_taken);
  void take_message(const ClusterMessage& message, Cycle now);
  void apply(const MemoryInstruction& instruction, const AsyncOperation& operation, Cycle now);
  void bytes_written(std::uint32_t slot, const AsyncOperation& operation, Cycle now);
  void report_arrival_if_complete(std::uint32_t slot, Cycle now);
  void release(std::uint32_t slot, Cycle now);
  void let_go(std::uint32_t warp_number, Cycle told);
  void send(const Block& block, ClusterMessage message);
  void send_pending(Cycle now);

  AsyncConfig config_;
  std::uint16_t sm_;
  Links links_;
  SmEvents* events_;
  MbarrierUnit mbarriers_;
  TmaEngine tma_;
  std::vector<Block> blocks_;
  std::vector<std::uint32_t> arrived_in_;  // by warp number: the phase of the cluster's barrier that it arrived in
  GrowQueue<ClusterMessage> outbox_;
  TimingWheel<ClusterMessage> delayed_;  // other blocks' operations on barriers of this SM, until they take effect
  Cycle barrier_free_at_ = 0;            // when the cluster's barrier can process the next arrival
  bool outbox_refused_ = false;
};

}  // namespace warpsim
