#include "core/async/async_unit.h"

#include <algorithm>

namespace warpsim {
namespace {

using Kind = AsyncOperation::Kind;

}  // namespace

void describe(ConfigSection& section, ClusterConfig& config) {
  section.integer("link_latency_cycles", config.link_latency_cycles, 1, 1000,
                  "from an SM to the network between SMs, and from there to another SM");
  section.integer("remote_latency_cycles", config.remote_latency_cycles, 1, 1000,
                  "operation on a barrier in the shared memory of another block, beyond the links");
  section.integer("load_latency_cycles", config.load_latency_cycles, 1, 10000,
                  "load from the shared memory of another block, issue to use");
  section.integer("store_pass_cycles", config.store_pass_cycles, 1, 1000,
                  "time that each pass of a store to another block's shared memory occupies the SM's stage");
  section.integer("barrier_arrival_interval_cycles", config.barrier_arrival_interval_cycles, 1, 64,
                  "cluster barrier: between two arrivals at an SM");
  section.integer("barrier_latency_cycles", config.barrier_latency_cycles, 1, 1000,
                  "cluster barrier: from the notification that all blocks have arrived to the next issue");
}

void describe(ConfigSection& section, AsyncConfig& config) {
  section.nested("mbarrier", config.mbarrier, "barriers in shared memory with transaction counts");
  section.nested("tma", config.tma, "copy engine");
  section.nested("cluster", config.cluster, "network between the SMs of a cluster");
}

AsyncUnit::AsyncUnit(const AsyncConfig& config, std::uint32_t block_slots, std::uint16_t sm, const Links& links,
                     SmEvents& events, LaunchStatsNode& parent)
    : config_(config),
      sm_(sm),
      links_(links),
      events_(&events),
      mbarriers_(config.mbarrier, block_slots, events, parent),
      tma_(config.tma, sm, events, *links.to_memory, parent),
      blocks_(block_slots),
      arrived_in_(std::size_t{kMaxSubCores} * kMaxWarpsPerSubCore) {}

// --- blocks ---

void AsyncUnit::start_block(const BlockAssignment& assignment, std::uint32_t warps, Cycle now) {
  mbarriers_.start_block(assignment.slot, assignment.seat);
  Block& block = blocks_[assignment.slot];
  block.cluster = assignment.cluster;
  block.size = assignment.cluster_size;
  block.rank = assignment.cluster_rank;
  block.live_warps = warps;
  block.arrived = 0;
  block.phase = 0;
  block.waiting.clear();
  if (block.size > 1) {
    send(block, {.kind = ClusterMessage::Kind::kJoin, .slot = static_cast<std::uint16_t>(assignment.slot)});
    send_pending(now);
  }
}

void AsyncUnit::end_block(std::uint32_t slot, Cycle now) {
  if (blocks_[slot].size > 1) {
    send(blocks_[slot], {.kind = ClusterMessage::Kind::kLeave});
    send_pending(now);
  }
}

void AsyncUnit::send(const Block& block, ClusterMessage message) {
  message.cluster = block.cluster;
  message.size = static_cast<std::uint8_t>(block.size);
  message.rank = static_cast<std::uint8_t>(block.rank);
  message.sm = sm_;
  outbox_.push(message);
}

void AsyncUnit::send_pending(Cycle now) {
  outbox_refused_ = false;
  while (!outbox_.empty()) {
    if (!links_.to_cluster->can_send(now)) {
      outbox_refused_ = true;  // the link wakes the SM
      return;
    }
    links_.to_cluster->send(outbox_.front(), now);
    outbox_.pop();
  }
}

// --- instructions ---

bool AsyncUnit::start(const MemoryInstruction& instruction, Cycle now) {
  const AsyncOperation* operation = instruction.operations;
  if (operation->kind == Kind::kWait) {
    mbarriers_.wait(instruction, now);
    return true;
  }
  while (true) {
    apply(instruction, *operation, now);
    if (operation->last) {
      return false;
    }
    ++operation;
  }
}

void AsyncUnit::apply(const MemoryInstruction& instruction, const AsyncOperation& operation, Cycle now) {
  const std::uint32_t slot = instruction.block_slot;
  switch (operation.kind) {
    case Kind::kInitialise:
      mbarriers_.initialise(slot, operation);
      break;
    case Kind::kArrive:
    case Kind::kDrop:
      if (operation.blocks == 0) {
        mbarriers_.arrive(slot, operation, now);
      } else {
        send(blocks_[slot], {.kind = ClusterMessage::Kind::kArrive,
                             .drops = operation.kind == Kind::kDrop,
                             .blocks = operation.blocks,
                             .barrier = operation.barrier,
                             .arrivals = operation.arrivals,
                             .bytes = operation.bytes});
        send_pending(now);
      }
      break;
    case Kind::kComplete:
      bytes_written(slot, operation, now);
      break;
    case Kind::kCopyIn:
    case Kind::kCopyOut:
    case Kind::kReduceOut:
      if (operation.bytes > 0) {
        tma_.enqueue(instruction, operation, now);
      }
      break;
    case Kind::kCommit:
      tma_.enqueue(instruction, operation, now);
      break;
    default:
      break;
  }
}

// In the own block at once, in others by message.
void AsyncUnit::bytes_written(std::uint32_t slot, const AsyncOperation& operation, Cycle now) {
  const Block& block = blocks_[slot];
  const std::uint16_t own = static_cast<std::uint16_t>(1U << block.rank);
  const std::uint16_t blocks = operation.blocks == 0 ? own : operation.blocks;
  const std::int32_t bytes = operation.bytes + operation.unread;
  if ((blocks & own) != 0) {
    mbarriers_.complete(slot, operation.barrier, bytes, now);
  }
  const auto others = static_cast<std::uint16_t>(blocks & ~own);
  if (others != 0 && block.size > 1) {
    const bool stored = operation.kind == Kind::kComplete;
    send(block, {.kind = stored ? ClusterMessage::Kind::kComplete : ClusterMessage::Kind::kCopied,
                 .blocks = others,
                 .barrier = operation.barrier,
                 .bytes = bytes});
    send_pending(now);
  }
}

void AsyncUnit::copy_delivered(std::uint32_t number, Cycle now) {
  const TmaEngine::Delivery delivery = tma_.take_delivery(number);
  bytes_written(delivery.block_slot, delivery.operation, now);
}

// --- the cluster's barrier ---

void AsyncUnit::cluster_arrive(std::uint32_t slot, std::uint32_t warp_number, Cycle now) {
  Block& block = blocks_[slot];
  arrived_in_[warp_number] = block.phase;
  block.latest_arrival = std::max(now, barrier_free_at_);
  barrier_free_at_ = block.latest_arrival + config_.cluster.barrier_arrival_interval_cycles;
  ++block.arrived;
  report_arrival_if_complete(slot, now);
}

void AsyncUnit::cluster_wait(std::uint32_t slot, std::uint32_t warp_number, Cycle now) {
  Block& block = blocks_[slot];
  if (block.phase != arrived_in_[warp_number]) {
    let_go(warp_number, now);
  } else {
    block.waiting.push_back(warp_number);
  }
}

void AsyncUnit::warp_exited(std::uint32_t slot, Cycle now) {
  Block& block = blocks_[slot];
  --block.live_warps;
  if (block.arrived != 0 && block.live_warps != 0) {
    report_arrival_if_complete(slot, now);
  }
}

void AsyncUnit::report_arrival_if_complete(std::uint32_t slot, Cycle now) {
  Block& block = blocks_[slot];
  if (block.arrived < block.live_warps) {
    return;
  }
  block.arrived = 0;
  if (block.size == 1) {
    release(slot, now);
    return;
  }
  send(block, {.kind = ClusterMessage::Kind::kArrived});
  send_pending(now);
}

void AsyncUnit::release(std::uint32_t slot, Cycle now) {
  Block& block = blocks_[slot];
  ++block.phase;
  for (const std::uint32_t warp_number : block.waiting) {
    let_go(warp_number, std::max(now, block.latest_arrival));
  }
  block.waiting.clear();
}

void AsyncUnit::let_go(std::uint32_t warp_number, Cycle told) {
  events_->add(told + config_.cluster.barrier_latency_cycles,
               {SmEvent::Kind::kBarrierDone, static_cast<std::uint8_t>(warp_number / kMaxWarpsPerSubCore),
                static_cast<std::uint8_t>(warp_number % kMaxWarpsPerSubCore), 0, 0});
}

// --- one cycle ---

void AsyncUnit::take_messages(Cycle now) {
  while (links_.from_cluster->has_message(now)) {
    const ClusterMessage message = links_.from_cluster->front();
    links_.from_cluster->pop(now);
    if (message.kind == ClusterMessage::Kind::kArrive || message.kind == ClusterMessage::Kind::kComplete) {
      delayed_.add(now + config_.cluster.remote_latency_cycles, message);
    } else {
      take_message(message, now);
    }
  }
}

void AsyncUnit::take_message(const ClusterMessage& message, Cycle now) {
  switch (message.kind) {
    case ClusterMessage::Kind::kRelease:
      release(message.slot, now);
      break;
    case ClusterMessage::Kind::kArrive:
      mbarriers_.arrive(message.slot,
                        {.kind = message.drops ? Kind::kDrop : Kind::kArrive,
                         .barrier = message.barrier,
                         .arrivals = message.arrivals,
                         .bytes = message.bytes},
                        now);
      break;
    case ClusterMessage::Kind::kCopied:
    case ClusterMessage::Kind::kComplete:
      mbarriers_.complete(message.slot, message.barrier, message.bytes, now);
      break;
    default:
      SIM_CHECK(false, "a message for the cluster network reached an SM");
  }
}

void AsyncUnit::work(Cycle now, bool port_taken) {
  if (delayed_.next() <= now) {
    delayed_.drain(now, [&](const ClusterMessage& message) { take_message(message, now); });
  }
  if (!outbox_.empty()) {
    send_pending(now);
  }
  if (!tma_.idle()) {
    tma_.tick(now, port_taken);
  }
}

}  // namespace warpsim
