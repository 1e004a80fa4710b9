// Counters of the SM's memory pipeline, and the columns of the hot spot table that it fills. Names of the Nsight
// metrics that the counters feed are in stats/metric_catalog.cc.
#pragma once

#include "core/load_store/memory_instruction.h"
#include "isa/static_instruction.h"
#include "memory/access/bank_passes.h"
#include "memory/access/coalescing_rule.h"
#include "memory/access/texel_lines.h"
#include "memory/mem_message.h"
#include "stats/hot_spot_table.h"
#include "stats/launch_stats.h"
#include "stats/stat_group.h"

namespace warpsim {

struct LoadStoreStats : StatGroup {
  using StatGroup::StatGroup;
  Counter global_load_requests{*this, "global_load_requests", Unit::kRequests, "global load instructions"};
  Counter global_load_sectors{*this, "global_load_sectors", Unit::kSectors, "sectors touched by global loads"};
  Counter global_load_sector_hits{*this, "global_load_sector_hits", Unit::kSectors,
                                  "of these, found in L1 or already outstanding"};
  Counter global_load_sector_misses{*this, "global_load_sector_misses", Unit::kSectors,
                                    "of these, requested from the next level"};
  Counter async_copy_requests{*this, "async_copy_requests", Unit::kRequests,
                              "asynchronous copies to shared memory, contained in the global loads"};
  Counter global_store_requests{*this, "global_store_requests", Unit::kRequests, "global store instructions"};
  Counter global_store_sectors{*this, "global_store_sectors", Unit::kSectors, "sectors touched by global stores"};
  Counter joined_store_lines{*this, "joined_store_lines", Unit::kRequests,
                             "lines of global and local stores that joined a waiting one of an earlier store"};
  Counter global_reduction_requests{*this, "global_reduction_requests", Unit::kRequests, "global reductions"};
  Counter global_reduction_sectors{*this, "global_reduction_sectors", Unit::kSectors, "sectors touched by them"};
  Counter global_atomic_requests{*this, "global_atomic_requests", Unit::kRequests, "global atomics"};
  Counter global_atomic_sectors{*this, "global_atomic_sectors", Unit::kSectors, "sectors touched by them"};
  Counter texel_requests{*this, "texel_requests", Unit::kRequests,
                         "requests of textures and surfaces, each of four or eight lanes"};
  Counter texel_sectors{*this, "texel_sectors", Unit::kSectors, "sectors that these touch, request by request"};
  Counter texel_sector_misses{*this, "texel_sector_misses", Unit::kSectors, "of these, requested from the next level"};
  Counter local_load_requests{*this, "local_load_requests", Unit::kRequests, "local load instructions"};
  Counter local_load_sectors{*this, "local_load_sectors", Unit::kSectors, "sectors touched by local loads"};
  Counter local_store_requests{*this, "local_store_requests", Unit::kRequests, "local store instructions"};
  Counter local_store_sectors{*this, "local_store_sectors", Unit::kSectors, "sectors touched by local stores"};
  Counter transactions_32{*this, "transactions_32", Unit::kRequests,
                          "transactions of 32 bytes that global and local loads and stores coalesce to"};
  Counter transactions_64{*this, "transactions_64", Unit::kRequests, "transactions of 64 bytes"};
  Counter transactions_128{*this, "transactions_128", Unit::kRequests, "transactions of 128 bytes"};
  Counter bytes_requested{*this, "bytes_requested", Unit::kBytes,
                          "bytes that the lanes of global and local loads and stores access"};
  Counter bytes_moved{*this, "bytes_moved", Unit::kBytes, "bytes of their transactions"};
  Counter shared_load_requests{*this, "shared_load_requests", Unit::kRequests, "shared loads (LDS, LDSM)"};
  Counter shared_store_requests{*this, "shared_store_requests", Unit::kRequests, "shared stores (STS, STSM)"};
  Counter shared_atomic_requests{*this, "shared_atomic_requests", Unit::kRequests, "shared atomics and reductions"};
  Counter remote_load_requests{*this, "remote_load_requests", Unit::kRequests,
                               "loads and atomics in the shared memory of another block"};
  Counter remote_store_requests{*this, "remote_store_requests", Unit::kRequests,
                                "stores and reductions in the shared memory of another block"};
  Counter shared_load_conflicts{*this, "shared_load_conflicts", Unit::kWavefronts,
                                "passes of shared loads beyond the minimum for their width"};
  Counter shared_store_conflicts{*this, "shared_store_conflicts", Unit::kWavefronts,
                                 "passes of shared stores beyond the minimum for their width"};
  Counter shared_atomic_conflicts{*this, "shared_atomic_conflicts", Unit::kWavefronts,
                                  "passes of shared atomics beyond the first"};
  Counter global_conflicts{*this, "global_conflicts", Unit::kWavefronts,
                           "passes of global and local accesses beyond the minimum for their width"};
  Counter shared_wavefronts{*this, "shared_wavefronts", Unit::kWavefronts, "passes of shared memory accesses"};
  Counter wavefronts{*this, "wavefronts", Unit::kWavefronts, "passes through the data banks, all accesses"};
  Counter stage_busy_cycles{*this, "stage_busy_cycles", Unit::kCycles, "cycles in which the SM's stage was taken"};
  Histogram queueing{*this, "queueing", Unit::kCycles, "issue to the SM's stage"};
  Histogram latency_l1{*this, "load_latency_l1", Unit::kCycles, "global and local loads that hit L1, issue to result"};
  Histogram latency_l2_near{*this, "load_latency_l2_near", Unit::kCycles,
                            "loads whose last sector came from the near half of L2"};
  Histogram latency_l2_far{*this, "load_latency_l2_far", Unit::kCycles,
                           "loads whose last sector came from the far half of L2"};
  Histogram latency_dram{*this, "load_latency_dram", Unit::kCycles, "loads whose last sector came from DRAM"};
  Histogram latency_peer{*this, "load_latency_peer", Unit::kCycles,
                         "loads whose last sector came from the memory of another GPU"};
  Histogram latency_host{*this, "load_latency_host", Unit::kCycles,
                         "loads whose last sector came from the host's memory"};
  Histogram latency_shared{*this, "load_latency_shared", Unit::kCycles, "shared loads, issue to result"};
  Histogram latency_texture{*this, "texture_latency", Unit::kCycles,
                            "fetches of textures and loads of surfaces whose addresses are known, issue to result"};
  Histogram latency_atomic{*this, "atomic_latency", Unit::kCycles, "global atomics, issue to result"};

  // Where instructions are also counted, one by one; null: nowhere.
  void set_hot_spots(HotSpotTable* hot_spots) { hot_spots_ = hot_spots; }

  // One instruction to global or local memory.
  void count_access(const MemoryInstruction& instruction, bool local, std::uint32_t sectors);
  // The transactions of a load or store to global or local memory.
  void count_transactions(const Transactions& transactions, std::uint32_t requested_bytes);
  // Sectors of a line that a load of global memory looked up.
  void count_lookup(const MemoryInstruction& instruction, std::uint32_t hits, std::uint32_t misses) {
    global_load_sector_misses += misses;
    global_load_sector_hits += hits;
    note_hits(instruction, hits);
  }
  // One texture or surface instruction whose addresses are known.
  void count_texels(const MemoryInstruction& instruction, const TexelDemand& demand);
  // Sectors that a texture instruction looked up.
  void count_texel_lookups(const MemoryInstruction& instruction, std::uint32_t hits, std::uint32_t misses) {
    texel_sector_misses += misses;
    note_hits(instruction, hits);
  }
  // One instruction to the block's shared memory.
  void count_shared(const MemoryInstruction& instruction, const BankPasses& passes);
  // The result of a load or atomic in shared memory, `latency` after issue.
  void record_shared_latency(const MemoryInstruction& instruction, Cycle latency);
  // A load or atomic whose last part came from `served_by`; kNone: from L1.
  void record_latency(const MemoryInstruction& instruction, ServedBy served_by, Cycle latency);

 private:
  // In the table of hot spots, if there is one.
  void note_request(const MemoryInstruction& instruction, std::uint32_t sectors);
  void note_hits(const MemoryInstruction& instruction, std::uint32_t hits) {
    if (hot_spots_ != nullptr) {
      (*hot_spots_)[instruction.instruction].add(HotSpotColumn::kHitSectors, hits);
    }
  }
  void count_by_kind(OpKind kind, bool local, std::uint32_t sectors);
  Histogram& latencies(OpKind kind, ServedBy served_by);

  HotSpotTable* hot_spots_ = nullptr;
};

}  // namespace warpsim
