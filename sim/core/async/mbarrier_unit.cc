#include "core/async/mbarrier_unit.h"

#include <algorithm>

namespace warpsim {

void describe(ConfigSection& section, MbarrierConfig& config) {
  section.integer("latency_cycles", config.latency_cycles, 1, 1000,
                  "operation on a barrier in shared memory that need not wait, issue to result");
  section.integer("wake_latency_cycles", config.wake_latency_cycles, 1, 1000,
                  "from the arrival that completes a phase to the results of the waiting operations");
  section.integer("copied_wake_latency_cycles", config.copied_wake_latency_cycles, 1, 1000,
                  "from the written bytes that complete a phase to the results of the waiting operations");
}

MbarrierUnit::MbarrierUnit(const MbarrierConfig& config, std::uint32_t block_slots, SmEvents& events,
                           LaunchStatsNode& parent)
    : config_(config), events_(&events), stats_(parent, "mbarrier"), blocks_(block_slots) {}

MbarrierUnit::Barrier* MbarrierUnit::find(std::uint32_t slot, std::uint32_t offset) {
  std::vector<Barrier>& barriers = blocks_[slot].barriers;
  const auto found = std::ranges::find(barriers, offset, &Barrier::offset);
  return found == barriers.end() ? nullptr : &*found;
}

void MbarrierUnit::initialise(std::uint32_t slot, const AsyncOperation& operation) {
  Barrier* barrier = find(slot, operation.barrier);
  if (barrier == nullptr) {
    barrier = &blocks_[slot].barriers.emplace_back();
  }
  barrier->offset = operation.barrier;
  barrier->expected = barrier->pending = operation.arrivals;
  barrier->bytes = 0;
  barrier->phase = operation.parity;
}

void MbarrierUnit::arrive(std::uint32_t slot, const AsyncOperation& operation, Cycle now) {
  if (Barrier* const barrier = find(slot, operation.barrier)) {
    stats_[blocks_[slot].seat].arrivals += static_cast<std::uint32_t>(operation.arrivals);
    barrier->bytes += operation.bytes;
    barrier->expected -= operation.kind == AsyncOperation::Kind::kDrop ? operation.arrivals : 0;
    barrier->pending -= operation.arrivals;
    end_phase_if_complete(*barrier, blocks_[slot].seat, now + config_.wake_latency_cycles);
  }
}

void MbarrierUnit::complete(std::uint32_t slot, std::uint32_t offset, std::int32_t bytes, Cycle now) {
  if (Barrier* const barrier = find(slot, offset)) {
    stats_[blocks_[slot].seat].transaction_bytes += static_cast<std::uint32_t>(bytes);
    barrier->bytes -= bytes;
    end_phase_if_complete(*barrier, blocks_[slot].seat, now + config_.copied_wake_latency_cycles);
  }
}

void MbarrierUnit::end_phase_if_complete(Barrier& barrier, LaunchSeat seat, Cycle woken) {
  if (barrier.pending > 0 || barrier.bytes != 0) {
    return;
  }
  ++stats_[seat].phases;
  const bool ended = barrier.phase;
  barrier.phase = !barrier.phase;
  barrier.pending += barrier.expected;
  std::erase_if(barrier.waiting, [&](const Entry& entry) {
    if (entry.parity != ended) {
      return false;
    }
    phase_ended(entry.waiter, woken);
    return true;
  });
}

void MbarrierUnit::wait(const MemoryInstruction& instruction, Cycle now) {
  ++stats_[instruction.seat].waits;
  std::uint32_t waiter = 0;
  std::uint32_t parts = 0;
  for (const AsyncOperation* operation = instruction.operations;; ++operation) {
    Barrier* const barrier = find(instruction.block_slot, operation->barrier);
    if (barrier != nullptr && barrier->phase == operation->parity) {
      waiter = parts == 0 ? waiters_.take({instruction, 0}) : waiter;
      ++parts;
      barrier->waiting.push_back({waiter, operation->parity});
    }
    if (operation->last) {
      break;
    }
  }
  if (parts != 0) {
    waiters_[waiter].parts = parts;
    ++waiting_;
    return;
  }
  ++stats_[instruction.seat].waits_at_once;
  events_->add(std::max(instruction.issued + config_.latency_cycles, now + 1),
               {SmEvent::Kind::kResultWritten, instruction.sub_core, instruction.warp, 0, instruction.instruction});
}

bool MbarrierUnit::phase_ended(std::uint32_t index, Cycle woken) {
  Waiter& waiter = waiters_[index];
  if (--waiter.parts != 0) {
    return false;
  }
  --waiting_;
  waiters_.give_back(index);
  const MemoryInstruction& instruction = waiter.instruction;
  events_->add(woken,
               {SmEvent::Kind::kResultWritten, instruction.sub_core, instruction.warp, 0, instruction.instruction});
  return true;
}

std::uint32_t MbarrierUnit::give_up(LaunchSeat seat, Cycle now) {
  std::uint32_t count = 0;
  for (Block& block : blocks_) {
    if (block.seat != seat) {
      continue;
    }
    for (Barrier& barrier : block.barriers) {
      for (const Entry& entry : barrier.waiting) {
        count += phase_ended(entry.waiter, now + config_.wake_latency_cycles) ? 1 : 0;
      }
      barrier.waiting.clear();
    }
  }
  stats_[seat].waits_given_up += count;
  return count;
}

}  // namespace warpsim
