// The path of memory instructions that look up no lines: shared memory, also that of another block of the cluster; lane
// exchanges, textures without addresses and tensor copies of fixed time; indexed constants and asynchronous operations,
// which it hands over to their units.
//
// Modelled: passes for bank conflicts and wide accesses; loops of locks for atomics on old GPUs; LDSM; the path of LDC
// to the indexed constant cache. Not modelled: addresses of texture accesses and tensor copies where a trace does
// not hold them: they take fixed, configured times. Evidence: measured latencies and throughputs named in the H200
// config.
// State: when the next instruction can start. Uses the passes, the units, events and counters.
// Invariant: each instruction that starts gets exactly one kResultWritten, here or from its unit.
#pragma once

#include <cstdint>

#include "base/types.h"
#include "core/async/async_unit.h"
#include "core/load_store/data_passes.h"
#include "core/load_store/load_store_config.h"
#include "core/load_store/load_store_stats.h"
#include "core/load_store/memory_instruction.h"
#include "core/load_store/memory_queues.h"
#include "core/sm/constant_caches.h"
#include "core/sm/sm_event.h"
#include "memory/access/shared_banks.h"

namespace warpsim {

class SharedMemoryPath {
 public:
  struct Units {
    DataPasses& passes;
    ConstantCaches& constants;
    AsyncUnit& async;
    TexturePath& textures;
    SmEvents& events;
  };
  // Units and counters must outlive the path.
  SharedMemoryPath(const LoadStoreConfig& config, const Units& units, LaunchStats<LoadStoreStats>& stats);

  // From when on an instruction can start.
  Cycle free_at() const { return free_at_; }
  void start(const QueuedAccess& queued, Cycle now);

 private:
  void start_fixed(const MemoryInstruction& instruction, std::uint32_t latency, Cycle now);
  void start_texture(const MemoryInstruction& instruction, Cycle now);
  void start_asynchronous(const MemoryInstruction& instruction, Cycle now);
  void start_banked(const MemoryInstruction& instruction, Cycle now);
  void start_remote(const MemoryInstruction& instruction, Cycle now);
  std::uint32_t extra_registers_latency(const IssueInfo& info) const;

  LoadStoreConfig config_;
  SharedBanks banks_;
  TexturePath* textures_;
  DataPasses* passes_;
  ConstantCaches* constants_;
  AsyncUnit* async_;
  SmEvents* events_;
  LaunchStats<LoadStoreStats>* stats_;
  Cycle free_at_ = 0;
};

}  // namespace warpsim
