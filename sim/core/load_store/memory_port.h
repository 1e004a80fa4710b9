// The load/store unit's port to the crossbar: the queue of requests, and the account of those that are not answered.
//
// Modelled: a maximum of loads and lines of stores that wait and, separately, of sectors of atomics and reductions; one
// request per cycle; lines that L1 has replaced go first; stores wait for others of the same lines first
// (store_buffer.h).
// Not modelled: requests of other units of the SM, which use the same link.
// Evidence: tests/hardware/atomics for the sectors; the number of loads and stores is assumed.
// State: the queue, sectors not answered, writes of each warp not acknowledged. Uses the store buffer and the link.
// Invariant: a request is counted from push() to its last response.
#pragma once

#include <cstdint>

#include "base/ring_buffer.h"
#include "core/load_store/load_store_config.h"
#include "core/load_store/memory_instruction.h"
#include "core/load_store/pending_writes.h"
#include "core/load_store/store_buffer.h"
#include "core/load_store/write_counts.h"
#include "core/sm/sm_event.h"
#include "engine/link.h"
#include "memory/caches/l1_cache.h"
#include "memory/grow_queue.h"
#include "memory/mem_message.h"

namespace warpsim {

class MemoryPort {
 public:
  // `number`: of the crossbar's port. The link must outlive the port.
  MemoryPort(const LoadStoreConfig& config, std::uint16_t number, Link<MemRequest>& to_memory);

  // Whether there is space for a load's request; for an atomic's or reduction's of so many sectors.
  bool takes_request() const { return output_.size() < entries_; }
  bool takes_atomic(std::uint32_t sectors) const { return atomic_sectors_waiting_ + sectors <= atomic_sectors_; }
  const StoreBuffer& stores() const { return stores_; }
  // The port adds the source. `tag` of a store or reduction that is acknowledged: the warp's number.
  void push(MemRequest request);
  // A store's line: see StoreBuffer::add().
  void push_store(MemRequest request, std::uint32_t place, Cycle written_at, Cycle now);

  // Sends one request, if the link takes it: a write-back of a replaced line, or else the oldest request.
  void send(GrowQueue<L1Cache::Writeback>& replaced, Cycle now);
  bool has_requests() const { return !output_.empty(); }
  // When the next line of stores takes its place among the requests; kNever: there is none, or no space.
  Cycle next_store() const { return takes_request() ? stores_.next_send() : kNever; }
  // The link has refused the latest attempt; it wakes the SM.
  bool refused() const { return refused_; }
  bool sent_at(Cycle now) const { return sent_at_ == now; }

  void answered(const MemResponse& response);
  // Sectors not answered yet (loads and atomics).
  std::uint32_t outstanding() const { return outstanding_; }

  // An instruction enters the unit. Of a write that memory acknowledges the warp's fences wait.
  void expect_write(const MemoryInstruction& instruction) {
    if (instruction.info->acknowledged) {
      writes_.add(instruction.warp_number(), 1);
    }
  }
  // It has sent all of its requests.
  void write_started(const MemoryInstruction& instruction) {
    if (instruction.info->acknowledged) {
      writes_.remove(instruction.warp_number(), 1);
    }
  }
  // Writes of each warp that memory has not acknowledged, those in the queues included.
  PendingWrites& writes() { return writes_; }

  // Requests to write, of lines that L1 has replaced from when they are sent.
  WriteCounts& writes_for_memory() { return writes_for_memory_; }
  const WriteCounts& writes_for_memory() const { return writes_for_memory_; }

  bool idle() const { return outstanding_ == 0 && writes_.total() == 0 && output_.empty() && stores_.empty(); }

 private:
  MemRequest writeback_of(const L1Cache::Writeback& back) const;

  std::uint32_t entries_;
  std::uint32_t atomic_sectors_;
  std::uint16_t number_;
  bool refused_ = false;
  Link<MemRequest>* to_memory_;
  RingBuffer<MemRequest> output_;
  StoreBuffer stores_;
  std::uint32_t atomic_sectors_waiting_ = 0;
  std::uint32_t outstanding_ = 0;
  Cycle sent_at_ = kNever;
  WriteCounts writes_for_memory_;
  PendingWrites writes_{kMaxSubCores * kMaxWarpsPerSubCore};
};

}  // namespace warpsim
