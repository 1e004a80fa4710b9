// The SM's memory pipeline: a queue and an address stage per sub-core, a queue of instructions whose registers have
// been read, then one stage shared by the SM that serves shared memory, L1 and the crossing network (SHFL), one pass
// through the 32 banks a cycle.
//
// Modelled: queue entries and the throttling that they cause; one instruction every few cycles from a sub-core, which
// LDC shares on its way to the indexed constant cache; passes
// for bank conflicts and wide accesses; tag lookups and misses a cycle; L1 hits, misses and merging (l1_cache.h);
// stores and reductions written through; atomics at L2; asynchronous copies global to shared; LDSM; local memory spread
// over lanes; generic addresses sorted into windows. Not modelled: texture and bulk copies by descriptor carry no
// addresses in traces: they take fixed, configured times. Evidence: Huerta et al., MICRO 2025 (memory queues); measured
// latencies and throughputs named in the H200 config. Invariant: each instruction taken in is answered by exactly one
// kSourcesRead and one kResultWritten event.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/ring_buffer.h"
#include "base/slot_pool.h"
#include "base/types.h"
#include "core/address_windows.h"
#include "core/async_unit.h"
#include "core/constant_caches.h"
#include "core/instruction_source.h"
#include "core/issue_info.h"
#include "core/load_store_config.h"
#include "core/load_store_stats.h"
#include "core/memory_instruction.h"
#include "core/pending_writes.h"
#include "core/sm_event.h"
#include "core/warp_scheduler.h"
#include "engine/link.h"
#include "memory/atomic_packets.h"
#include "memory/coalescer.h"
#include "memory/l1_cache.h"
#include "memory/mem_message.h"

namespace warpsim {

class LoadStoreUnit {
 public:
  LoadStoreUnit(const LoadStoreConfig& config, const L1Config& l1_config, std::uint32_t sub_cores, std::uint16_t port,
                SmEvents& events, ConstantCaches& constants, AsyncUnit& async, Link<MemRequest>& to_memory,
                StatGroup& parent);

  bool queue_full(std::uint32_t sub_core) const { return queues_[sub_core].unread() >= config_.queue_entries; }
  // `windows` of the warp; the instruction's queue must not be full.
  void enqueue(const MemoryInstruction& instruction, const AddressWindows& windows, Cycle now);
  void response(const MemResponse& response, Cycle now);

  // One cycle of work. Bit i of the result is set when a place in sub-core i's queue became free.
  std::uint32_t tick(Cycle now);
  // Whether the latest tick, at `now`, sent a request.
  bool sent_at(Cycle now) const { return sent_at_ == now; }
  // The next cycle with work; kNever if only a response or the crossbar can tell.
  Cycle next_work(Cycle now) const;
  bool idle() const;
  // Requests not answered yet (loads, atomics, and writes that want an acknowledgement).
  std::uint32_t outstanding() const { return outstanding_; }
  // Writes of each warp that memory has not acknowledged, those in the queues included: what its fence waits for. Kept
  // only while acknowledgements are wanted.
  PendingWrites& writes() { return writes_; }
  void set_acknowledged_writes(bool wanted) { acknowledge_writes_ = wanted; }

  L1Cache& l1() { return l1_; }
  LoadStoreStats& stats() { return stats_; }

 private:
  struct Queued {
    MemoryInstruction instruction;
    AddressWindows windows;
    Cycle ready = 0;  // leaves the address stage
  };
  // One sub-core's instructions in order: those whose registers have been read, which wait for the stage, and the
  // others.
  struct Queue {
    explicit Queue(std::uint32_t capacity) : entries(capacity) {}
    std::size_t unread() const { return entries.size() - read; }
    RingBuffer<Queued> entries;
    std::size_t read = 0;
    Cycle address_stage_free_at = 0;
    Cycle passes_end_at = 0;  // of an atomic in shared memory, which takes its passes slowly
  };
  // A load or atomic that waits for sectors.
  struct Waiting {
    MemoryInstruction instruction;
    std::uint32_t parts = 0;            // loads: lines missing; atomics: sectors
    std::uint32_t return_passes = 0;    // atomics: of the stage, when all is there
    std::uint32_t hand_out_cycles = 0;  // from the first sector's arrival to the last register, at least
    Cycle first_part = kNever;          // when the first sector arrived
    bool all_lines_sent = false;
    ServedBy served_by = ServedBy::kNone;
  };
  // The instruction in the SM's stage.
  struct Stage {
    bool busy = false;
    bool blocked = false;  // no line could be processed in the last cycle
    MemoryInstruction instruction;
    MemorySpace space = MemorySpace::kNone;
    std::uint32_t next_line = 0;
    std::uint32_t waiting = kNone;  // entry in waiting_
    Cycle started = 0;
  };
  static constexpr std::uint32_t kNone = 0xffffffffU;

  std::uint32_t read_registers(Cycle now);
  void take_from_queue(Cycle now);
  void start(const Queued& queued, Cycle now);
  void start_banked(Cycle now);
  void start_fixed(std::uint32_t latency, Cycle now);
  void start_asynchronous(Cycle now);
  void start_remote(Cycle now);
  void start_lines(Cycle now);
  void work_on_lines(Cycle now);
  bool process_line(const LineAccess& line, bool& used_miss_port);
  bool output_takes(const LineAccess& line) const;
  bool load_line(const LineAccess& line, bool& used_miss_port);
  void atomic_line(const LineAccess& line);
  void store_line(const LineAccess& line);
  std::uint32_t line_cycles() const;
  BankPasses line_passes() const;
  void finish_lines(Cycle now);
  void leave_stage();
  void parts_arrived(std::uint32_t index, std::uint32_t parts, ServedBy served_by, Cycle now);
  void post_sources_read(const MemoryInstruction& instruction, Cycle at);
  void post_result(const MemoryInstruction& instruction, Cycle at);
  MemRequest make_request(const LineAccess& line, MemOp op, std::uint32_t tag) const;
  void push_output(const MemRequest& request);
  void send_output(Cycle now);
  std::uint32_t extra_registers_latency() const;

  LoadStoreConfig config_;
  std::uint16_t port_;
  SmEvents* events_;
  ConstantCaches* constants_;
  AsyncUnit* async_;
  Link<MemRequest>* to_memory_;
  LoadStoreStats stats_;
  L1Cache l1_;
  std::vector<Queue> queues_;
  Stage stage_;
  Cycle stage_free_at_ = 0;
  std::uint32_t next_queue_ = 0;
  std::uint32_t next_in_stage_ = 0;
  std::uint32_t waiting_for_stage_ = 0;  // instructions whose registers have been read
  CoalescedAccess access_;
  AtomicPackets packets_;  // of an atomic in access_
  SlotPool<Waiting> waiting_;
  RingBuffer<MemRequest> output_;
  std::uint32_t output_atomic_sectors_ = 0;  // of atomics and reductions in it
  Cycle sent_at_ = kNever;
  bool output_refused_ = false;  // by the crossbar's link, which then wakes the SM
  std::uint32_t outstanding_ = 0;
  PendingWrites writes_{kMaxSubCores * kMaxWarpsPerSubCore};
  bool acknowledge_writes_ = false;
};

}  // namespace warpsim
