// The path of accesses to global and local memory and to texels: the stage in which one instruction's lanes are
// coalesced and its lines looked up in L1, line by line.
//
// Modelled: tag lookups and misses per cycle; L1 hits, misses and merging (l1_cache.h); stores and reductions written
// through; atomics at L2; asynchronous copies global to shared; local memory spread over lanes; textures and surfaces,
// whose atomics are stores here. Not modelled: the order in which hardware searches lines of atomics. Evidence:
// measured latencies and throughputs named in the H200 config. State: the instruction in the stage with its lines, the
// stage's time, the caches. Uses the return path, the port to memory, the passes, events and counters. Invariant: a
// line is looked up only when everything that it may need (MSHR, space in the port) is free.
#pragma once

#include <cstdint>
#include <memory>

#include "base/types.h"
#include "core/load_store/data_caches.h"
#include "core/load_store/data_passes.h"
#include "core/load_store/l1_mechanisms.h"
#include "core/load_store/load_store_config.h"
#include "core/load_store/load_store_stats.h"
#include "core/load_store/memory_instruction.h"
#include "core/load_store/memory_port.h"
#include "core/load_store/memory_queues.h"
#include "core/load_store/return_path.h"
#include "core/sm/sm_event.h"
#include "memory/access/atomic_packets.h"
#include "memory/access/coalescer.h"
#include "memory/mem_message.h"

namespace warpsim {

class GlobalMemoryPath {
 public:
  struct Units {
    DataPasses& passes;
    MemoryPort& port;
    ReturnPath& returns;
    TexturePath& textures;
    SmEvents& events;
  };
  // The caches' counters are added to `parent`. Units and counters must outlive the path.
  GlobalMemoryPath(const LoadStoreConfig& config, const DataCaches::Config& caches, const Units& units,
                   LaunchStats<LoadStoreStats>& stats, LaunchStatsNode& parent);

  // An instruction is in the stage.
  bool busy() const { return busy_; }
  // From when on the stage can start an instruction, or continue with one.
  Cycle free_at() const { return free_at_; }
  // The stage must be free. The first lines are looked up at once.
  void start(const QueuedAccess& queued, Cycle now);
  // Continues with the instruction in the stage.
  void work(Cycle now) {
    if (!busy_) {
      return;
    }
    if (free_at_ <= now) {
      work_on_lines(now);
    } else {
      blocked_ = false;  // space that has become free since then was not tried
    }
  }
  // When the instruction in the stage continues; kNever: there is none, or it waits for the crossbar or a fill.
  Cycle next_work() const { return busy_ && !blocked_ ? free_at_ : kNever; }

  // A response of a load or atomic.
  void data_arrived(const MemResponse& response, Cycle now);

  void configure_l1(std::uint64_t bytes) { caches_.configure_l1(bytes); }
  // Who hears of lookups and replaced lines of L1; must outlive the path, which must be idle.
  void listen(L1Listener& listener) {
    listener_ = &listener;
    caches_.l1().listen(listener);
  }
  // Replaced lines of local memory that must be written back.
  GrowQueue<L1Cache::Writeback>& replaced_lines() { return caches_.l1().writebacks(); }
  bool has_replaced_lines() const { return !caches_.l1().writebacks().empty(); }

 private:
  LoadStoreStats& stats() { return (*stats_)[instruction_.seat]; }
  void coalesce_lanes(const QueuedAccess& queued);
  void find_texels(Cycle now);
  bool has_more_lines();
  void find_lines();
  void work_on_lines(Cycle now);
  bool process_next(bool& used_miss_port, Cycle now);
  bool process_line(const LineAccess& line, bool& used_miss_port, Cycle now);
  // Of the instruction's lookup of that line of the cache.
  std::uint32_t lookup_number(const LineAccess& line) const {
    return next_line_ * kSectorsPerLine + sector_in_line(line.line);
  }
  bool load_line(const LineAccess& line, bool& used_miss_port, Cycle now);
  void prefetch_after(const LineAccess& line);
  void atomic_line(const LineAccess& line);
  bool store_line(const LineAccess& line, bool& used_miss_port, Cycle now);
  std::uint32_t line_cycles() const;
  BankPasses line_passes() const;
  void finish_lines(Cycle now);
  void finish_texels(Cycle now);
  void begin_return(const BankPasses& used, Cycle now);
  // The instruction that was sent waits for no part.
  void complete_return(Cycle first_data);
  MemRequest make_request(const LineAccess& line, MemOp op, std::uint32_t tag) const;

  static constexpr std::uint32_t kNone = 0xffffffffU;

  bool busy_ = false;
  bool blocked_ = false;  // no line could be processed in the last cycle
  Cycle free_at_ = 0;
  std::uint32_t store_cycles_ = 1;  // for which the latest lines of a store occupy the stage
  CoalescingRule coalescing_;
  std::uint32_t tags_per_cycle_;
  std::uint32_t address_latency_cycles_;
  std::uint32_t store_release_cycles_;
  DataPasses* passes_;
  MemoryPort* port_;
  ReturnPath* returns_;
  TexturePath* textures_;
  SmEvents* events_;
  LaunchStats<LoadStoreStats>* stats_;
  // The instruction in the stage.
  MemoryInstruction instruction_;
  MemorySpace space_ = MemorySpace::kNone;
  LaneArray local_lanes_;  // of an access to local memory, if its lanes differ
  LoadRoute route_ = LoadRoute::kL1;
  std::uint32_t next_line_ = 0;
  // The lines of the cache within those of the access, and the sectors of the next line that have been looked up; null:
  // they are the same.
  const LineParts* line_parts_ = nullptr;
  std::uint8_t processed_sectors_ = 0;
  std::uint32_t return_number_ = kNone;  // in the return path
  Cycle started_ = 0;
  AtomicPackets packets_;  // of an atomic in access_
  // Of a texture instruction.
  struct Texels {
    TexturePath::Result result;
    std::uint32_t next = 0;     // its first address behind access_
    std::uint32_t sectors = 0;  // of its requests
    std::uint32_t misses = 0;   // of these
  };
  Texels texels_;
  CoalescedAccess access_;
  DataCaches caches_;
  std::unique_ptr<L1Mechanisms> mechanisms_;  // null: the description chooses none
  L1Listener* listener_ = nullptr;
};

}  // namespace warpsim
