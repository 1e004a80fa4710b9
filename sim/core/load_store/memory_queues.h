// The queues of memory instructions: one in each sub-core, whose instructions read their registers in order, and two in
// the SM, in order of arrival: one for accesses to global and local memory, one for all others.
//
// Modelled: queue entries and the throttling that they cause; the cycles in which a sub-core reads registers; one
// instruction of all sub-cores enters the SM's queues per cycle, sub-cores in turn, and an access to memory only every
// few cycles where the SM is built so. Not modelled: bank conflicts of these register reads. Evidence: Huerta et al.,
// MICRO 2025 (memory queues, one access every two cycles on Ampere); tests/hardware/queue_depth.
// State: the entries, when registers and the entrance are free, whose turn it is. Uses the SM's events only.
// Invariant: each instruction posts one kSourcesRead when it leaves its sub-core's queue, except commits of
// asynchronous copies, for which the copy engine does.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/ring_buffer.h"
#include "base/types.h"
#include "core/load_store/address_windows.h"
#include "core/load_store/load_store_config.h"
#include "core/load_store/memory_instruction.h"
#include "core/sm/sm_event.h"

namespace warpsim {

struct QueuedAccess {
  MemoryInstruction instruction;
  AddressWindows windows;
  MemorySpace space = MemorySpace::kNone;  // that contains the addresses
  Cycle ready = 0;                         // for the SM's queues
  Cycle sources_read = 0;                  // earliest

  // Whether it goes through the stage that looks lines up.
  bool has_lines() const;
};

class MemoryQueues {
 public:
  // The events must outlive the queues.
  MemoryQueues(const LoadStoreConfig& config, std::uint32_t sub_cores, SmEvents& events);

  bool full(std::uint32_t sub_core) const { return queues_[sub_core].entries.full(); }
  // `windows` of the warp; the instruction's queue must not be full.
  void enqueue(const MemoryInstruction& instruction, const AddressWindows& windows, Cycle now);

  // One sub-core's next instruction has read its registers and enters a queue of the SM. Returns bit i if it was that
  // of sub-core i, 0 if there is none or no space.
  std::uint32_t read_registers(Cycle now);
  // The SM's queues.
  RingBuffer<QueuedAccess>& with_lines() { return with_lines_; }
  const RingBuffer<QueuedAccess>& with_lines() const { return with_lines_; }
  RingBuffer<QueuedAccess>& others() { return others_; }
  const RingBuffer<QueuedAccess>& others() const { return others_; }

  // When read_registers() has work, if the SM's queues have space; kNever: not before an instruction leaves or comes.
  Cycle next_ready() const {
    Cycle next = kNever;
    if (has_space()) {
      for (const Queue& queue : queues_) {
        if (!queue.entries.empty()) {
          next = std::min(next, queue.entries.front().ready);
        }
      }
    }
    return std::max(next, entrance_free_at_);
  }
  // Instructions in all queues.
  std::uint64_t size() const;

 private:
  // One sub-core's instructions in order.
  struct Queue {
    explicit Queue(std::uint32_t capacity) : entries(capacity) {}
    RingBuffer<QueuedAccess> entries;
    Cycle registers_free_at = 0;
  };

  bool has_space() const { return with_lines_.size() + others_.size() < stage_queue_entries_; }

  std::uint32_t stage_queue_entries_;
  std::uint32_t register_read_cycles_;
  std::uint32_t address_latency_cycles_;
  std::uint32_t source_read_cycles_;
  std::uint32_t access_interval_cycles_;
  std::uint32_t next_queue_ = 0;
  Cycle entrance_free_at_ = 0;  // of the SM's queues
  std::vector<Queue> queues_;
  RingBuffer<QueuedAccess> with_lines_;
  RingBuffer<QueuedAccess> others_;
  SmEvents* events_;
};

}  // namespace warpsim
