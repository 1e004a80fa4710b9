// The SM's memory pipeline: a queue per sub-core, whose instructions read their registers in order; then, for the whole
// SM, two queues in order of arrival: one for accesses to global and local memory, which go through the stage that
// looks lines up in L1, and one for shared memory and lane exchanges (SHFL); both share the passes through the 32 banks
// (data_passes.h).
//
// Modelled: queue entries and the throttling that they cause; the cycles in which a sub-core reads registers; the path
// of LDC to the indexed constant cache; passes for bank conflicts and wide accesses; tag lookups and misses per cycle;
// L1 hits, misses and merging (l1_cache.h); stores and reductions written through; atomics at L2; asynchronous copies
// global to shared; LDSM; local memory spread over lanes; generic addresses resolved by window. Not modelled:
// addresses of texture accesses and tensor copies, which traces do not hold: they take fixed, configured times.
// Evidence: Huerta et al., MICRO 2025 (memory queues); measured latencies and throughputs named in the H200 config.
// Invariant: each accepted instruction is answered by exactly one kSourcesRead and one kResultWritten event.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/ring_buffer.h"
#include "base/slot_pool.h"
#include "base/types.h"
#include "core/async/async_unit.h"
#include "core/launch/instruction_source.h"
#include "core/load_store/address_windows.h"
#include "core/load_store/data_passes.h"
#include "core/load_store/load_store_config.h"
#include "core/load_store/load_store_stats.h"
#include "core/load_store/memory_instruction.h"
#include "core/load_store/pending_writes.h"
#include "core/sm/constant_caches.h"
#include "core/sm/sm_event.h"
#include "core/sub_core/issue_info.h"
#include "core/sub_core/warp_scheduler.h"
#include "engine/link.h"
#include "memory/atomic_packets.h"
#include "memory/coalescer.h"
#include "memory/l1_cache.h"
#include "memory/mem_message.h"
#include "memory/read_only_cache.h"
#include "stats/hot_spot_table.h"

namespace warpsim {

class LoadStoreUnit {
 public:
  struct Caches {
    L1Config l1;
    ReadOnlyCacheConfig read_only;
  };
  LoadStoreUnit(const LoadStoreConfig& config, const Caches& caches, std::uint32_t sub_cores, std::uint16_t port,
                SmEvents& events, ConstantCaches& constants, AsyncUnit& async, Link<MemRequest>& to_memory,
                StatGroup& parent);

  bool queue_full(std::uint32_t sub_core) const { return queues_[sub_core].entries.size() >= config_.queue_entries; }
  // `windows` of the warp; the instruction's queue must not be full.
  void enqueue(const MemoryInstruction& instruction, const AddressWindows& windows, Cycle now);
  void response(const MemResponse& response, Cycle now);

  // Whether tick() has something to do at `now`.
  bool is_due(Cycle now) const { return wake_ <= now || changed_ || output_refused_; }
  // One cycle of work. Bit i of the result is set when an entry of sub-core i's queue became free.
  std::uint32_t tick(Cycle now);
  // The next cycle with work, as of the end of cycle `now`; kNever if it waits for a response or the crossbar.
  Cycle next_work(Cycle now) const;
  // The same, computed only when something has changed.
  Cycle wake(Cycle now) {
    if (changed_) {
      wake_ = next_work(now);
      changed_ = false;
    }
    return wake_;
  }
  // Whether the latest tick, at `now`, sent a request.
  bool sent_at(Cycle now) const { return sent_at_ == now; }
  bool idle() const;
  // Requests not answered yet (loads, atomics, and writes that require an acknowledgement).
  std::uint32_t outstanding() const { return outstanding_; }
  // Writes of each warp that memory has not acknowledged, those in the queues included: its fence waits for them. Kept
  // only while acknowledgements are required.
  PendingWrites& writes() { return writes_; }
  void set_acknowledged_writes(bool wanted) { acknowledge_writes_ = wanted; }

  // Where instructions are also counted, one by one; null: nowhere.
  void set_hot_spots(HotSpotTable* hot_spots) { hot_spots_ = hot_spots; }

  void configure_l1(std::uint64_t bytes) { l1_.configure(bytes); }
  LoadStoreStats& stats() { return stats_; }

 private:
  struct Queued {
    MemoryInstruction instruction;
    AddressWindows windows;
    MemorySpace space = MemorySpace::kNone;  // that contains the addresses
    Cycle ready = 0;                         // for the SM's stages
    Cycle sources_read = 0;                  // earliest
  };
  // One sub-core's instructions in order.
  struct Queue {
    explicit Queue(std::uint32_t capacity) : entries(capacity) {}
    RingBuffer<Queued> entries;
    Cycle registers_free_at = 0;
  };
  // A load or atomic that waits for sectors.
  struct Waiting {
    MemoryInstruction instruction;
    std::uint32_t parts = 0;            // loads: lines missing; atomics: sectors
    std::uint32_t return_passes = 0;    // when all parts have arrived
    std::uint32_t hand_out_cycles = 0;  // minimum from the first sector's arrival to the last register
    Cycle first_part = kNever;          // when the first sector arrived
    bool all_lines_sent = false;
    ServedBy served_by = ServedBy::kNone;
  };
  // The access to global or local memory whose lines are looked up.
  struct Stage {
    bool busy = false;
    bool blocked = false;  // no line could be processed in the last cycle
    MemoryInstruction instruction;
    MemorySpace space = MemorySpace::kNone;
    LoadRoute route = LoadRoute::kL1;
    std::uint32_t next_line = 0;
    std::uint32_t waiting = kNone;  // entry in waiting_
    Cycle started = 0;
  };
  static constexpr std::uint32_t kNone = 0xffffffffU;
  static constexpr std::uint32_t kReadOnlyTag = 0x40000000U;  // set in the tags of the read-only cache's requests

  static bool has_lines(const Queued& queued);
  std::uint64_t instructions_queued() const;
  std::uint32_t read_registers(Cycle now);
  void start_waiting(Cycle now);
  void start_other(const Queued& queued, Cycle now);
  void start_banked(const MemoryInstruction& instruction, Cycle now);
  void start_fixed(const MemoryInstruction& instruction, std::uint32_t latency, Cycle now);
  void start_asynchronous(const MemoryInstruction& instruction, Cycle now);
  void start_remote(const MemoryInstruction& instruction, Cycle now);
  void start_lines(const Queued& queued, Cycle now);
  void work_on_lines(Cycle now);
  bool process_line(const LineAccess& line, bool& used_miss_port);
  bool output_takes(const LineAccess& line) const;
  bool load_line(const LineAccess& line, bool& used_miss_port);
  void atomic_line(const LineAccess& line);
  void store_line(const LineAccess& line);
  std::uint32_t line_cycles() const;
  BankPasses line_passes() const;
  void finish_lines(Cycle now);
  static bool copies_through_l1(const IssueInfo& info);
  std::uint32_t copy_latency(const IssueInfo& info) const;
  void note_started(const MemoryInstruction& instruction);
  void parts_arrived(std::uint32_t index, std::uint32_t parts, ServedBy served_by, Cycle now);
  void note_result(const MemoryInstruction& instruction, ServedBy served_by, Cycle done);
  void post_sources_read(const MemoryInstruction& instruction, Cycle at);
  void post_result(const MemoryInstruction& instruction, Cycle at);
  L1Cache& cache_of(LoadRoute route) { return route == LoadRoute::kReadOnlyCache ? *read_only_ : l1_; }
  MemRequest writeback_request() const;
  MemRequest make_request(const LineAccess& line, MemOp op, std::uint32_t tag) const;
  void push_output(const MemRequest& request);
  void send_output(Cycle now);
  std::uint32_t extra_registers_latency(const IssueInfo& info) const;

  LoadStoreConfig config_;
  Cycle wake_ = kNever;
  bool changed_ = false;         // wake_ must be computed again
  bool output_refused_ = false;  // by the crossbar's link, which then wakes the SM
  std::uint16_t port_;
  SmEvents* events_;
  ConstantCaches* constants_;
  AsyncUnit* async_;
  Link<MemRequest>* to_memory_;
  LoadStoreStats stats_;
  L1Cache l1_;
  std::optional<L1Cache> read_only_;
  std::vector<Queue> queues_;
  std::uint32_t next_queue_ = 0;
  RingBuffer<Queued> waiting_lines_;  // in order of arrival: accesses for the stage,
  RingBuffer<Queued> waiting_other_;  // and all others
  bool lines_go_first_ = false;       // when both could start
  SharedBanks banks_;
  DataPasses passes_;
  Cycle other_free_at_ = 0;
  Stage stage_;
  Cycle stage_free_at_ = 0;
  CoalescedAccess access_;
  AtomicPackets packets_;  // of an atomic in access_
  SlotPool<Waiting> waiting_;
  RingBuffer<MemRequest> output_;
  std::uint32_t output_atomic_sectors_ = 0;  // of atomics and reductions in it
  Cycle sent_at_ = kNever;
  std::uint32_t outstanding_ = 0;
  PendingWrites writes_{kMaxSubCores * kMaxWarpsPerSubCore};
  bool acknowledge_writes_ = false;
  HotSpotTable* hot_spots_ = nullptr;
  Gauge queued_{stats_, "queued", [this] { return instructions_queued(); }};
};

}  // namespace warpsim
