// The SM's memory pipeline. This class connects its parts, chooses which of the two paths starts an instruction, and
// says when the pipeline has work.
//
//   MemoryQueues       instructions until they start; state: the queues of the sub-cores and of the SM
//   SharedMemoryPath   those that look up no lines; state: when the next one can start
//   GlobalMemoryPath   accesses to global and local memory and to texels, line by line; state: the stage, the caches
//   (DataCaches)
//     -> MemoryPort       requests to the crossbar; state: those that wait or are not answered, writes of each warp
//     -> ReturnPath       loads, copies and atomics until their results are written; state: those that wait
//   TexturePath        the texture units, which both paths use; state: until when they are occupied
//   DataPasses         passes through the 32 banks, which both paths and the return path share
//
// An instruction moves from the queues to one of the paths; a response goes to the port, then to the global-memory
// path. The paths do not know the queues or each other.
//
// Not modelled: see the parts. Evidence: Huerta et al., MICRO 2025 (memory queues); measured latencies and throughputs
// named in the H200 config.
// Invariant: each accepted instruction is answered by exactly one kSourcesRead and one kResultWritten event.
#pragma once

#include <cstdint>

#include "base/types.h"
#include "core/async/async_unit.h"
#include "core/load_store/address_windows.h"
#include "core/load_store/data_caches.h"
#include "core/load_store/data_passes.h"
#include "core/load_store/global_memory_path.h"
#include "core/load_store/load_store_config.h"
#include "core/load_store/load_store_stats.h"
#include "core/load_store/memory_instruction.h"
#include "core/load_store/memory_port.h"
#include "core/load_store/memory_queues.h"
#include "core/load_store/pending_writes.h"
#include "core/load_store/return_path.h"
#include "core/load_store/shared_memory_path.h"
#include "core/sm/constant_caches.h"
#include "core/sm/sm_event.h"
#include "engine/link.h"
#include "memory/mem_message.h"
#include "stats/hot_spot_table.h"

namespace warpsim {

class LoadStoreUnit {
 public:
  LoadStoreUnit(const LoadStoreConfig& config, const DataCaches::Config& caches, std::uint32_t sub_cores,
                std::uint16_t port, SmEvents& events, ConstantCaches& constants, AsyncUnit& async,
                Link<MemRequest>& to_memory, LaunchStatsNode& parent);

  bool queue_full(std::uint32_t sub_core) const { return queues_.full(sub_core); }
  // `windows` of the warp; the instruction's queue must not be full.
  void enqueue(const MemoryInstruction& instruction, const AddressWindows& windows, Cycle now) {
    changed_ = true;
    port_.expect_write(instruction);
    queues_.enqueue(instruction, windows, now);
  }
  void response(const MemResponse& response, Cycle now);

  // Whether tick() has something to do at `now`.
  bool is_due(Cycle now) const { return wake_ <= now || changed_ || port_.refused(); }
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
  bool sent_at(Cycle now) const { return port_.sent_at(now); }
  bool idle() const;
  // A launch takes the seat.
  void begin_launch(LaunchSeat seat) { port_.writes_for_memory().begin_launch(seat); }
  // Requests to write that it has sent to memory or will send, but for replaced lines that wait.
  std::uint64_t writes_for_memory(LaunchSeat seat) const { return port_.writes_for_memory().of(seat); }
  bool has_stored(LaunchSeat seat) const { return port_.writes_for_memory().has_stored(seat); }
  bool has_replaced_lines() const { return global_.has_replaced_lines(); }
  // Sectors not answered yet (loads and atomics).
  std::uint32_t outstanding() const { return port_.outstanding(); }
  // Writes of each warp that memory has not acknowledged, those in the queues included: its fence waits for them. Kept
  // only of programs with fences.
  PendingWrites& writes() { return port_.writes(); }

  // Where a launch's instructions are also counted, one by one; null: nowhere.
  void set_hot_spots(LaunchSeat seat, HotSpotTable* hot_spots) { stats_[seat].set_hot_spots(hot_spots); }

  void configure_l1(std::uint64_t bytes) { global_.configure_l1(bytes); }
  // Who hears of lookups and replaced lines of L1; must outlive the unit, which must be idle.
  void listen_to_l1(L1Listener& listener) { global_.listen(listener); }

 private:
  void start_waiting(Cycle now);

  Cycle wake_ = kNever;
  bool changed_ = false;         // wake_ must be computed again
  bool lines_go_first_ = false;  // when both paths could start an instruction
  MemoryPort port_;              // is_due() reads it
  MemoryQueues queues_;
  TexturePath textures_;
  DataPasses passes_;
  LaunchStats<LoadStoreStats> stats_;
  ReturnPath returns_;
  SharedMemoryPath shared_;
  GlobalMemoryPath global_;
};

}  // namespace warpsim
