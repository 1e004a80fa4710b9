// The units that walk page tables, and the cache of upper levels beside them: a part of the GPU's translation cache.
//
// Modelled: a number of units, for which walks wait in order; asks for a region that is walked to wait for the same
// walk, which is assumed. A walk takes a fixed time, longer if it misses in the directory cache; or, with page tables
// in memory, it reads one entry after another, from the highest level that the directory cache lacks, through a port of
// the crossbar, like any requester: it meets queues, hits in L2 or comes from DRAM, and takes their bandwidth. Where
// the entries are: page_tables.h. Reads of the units go in the order in which they are due. Not modelled: a cache of
// entries in the units, levels that the directory cache has in part, changes of page tables. State: the directory
// cache, walks that wait or are in a unit. Evidence: tests/hardware/translation: walks.cu reach and first, rates (16
// walks, fixed times); the time of a unit between two reads is assumed. Invariant: answers are taken in the cycle in
// which they arrive, and entries of page tables need no translation, so a walk always ends.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/component.h"
#include "engine/link.h"
#include "memory/grow_queue.h"
#include "memory/mem_message.h"
#include "memory/translation/gpu_translation_stats.h"
#include "memory/translation/page_tables.h"
#include "memory/translation/translation_array.h"
#include "memory/translation/translation_config.h"
#include "memory/translation/translation_message.h"

namespace warpsim {

class PageWalks {
 public:
  // Of the crossbar; null: walks take a fixed time.
  struct Port {
    Link<MemRequest>* requests = nullptr;
    Link<MemResponse>* responses = nullptr;
  };
  // The counters outlive this.
  PageWalks(const TranslationConfig& config, const Port& port, LaunchStats<GpuTranslationStats>& stats);
  void connect(WakeHandle self);
  // Between runs of the engine: the directory cache is as at the start.
  void clear() { directory_.clear(); }

  // When the walk to the region ends that is in progress at `at`, or waits for a unit; kNever: when a call of
  // advance() says so. Nothing: there is none. `now` is not later than `at`.
  std::optional<Cycle> end_of(std::uint64_t region, Cycle at, Cycle now);
  // A walk to the region that can begin at `at`, no earlier than those before. Returns its end in the same way.
  Cycle begin(std::uint64_t region, const TranslationAsk& ask, Cycle at);
  // Walks on; adds the regions of walks that end to `ended`. Returns when the next step is due.
  Cycle advance(Cycle now, std::vector<std::uint64_t>& ended);

  // With page tables in memory.
  std::size_t walks_with_reads() const { return port_.requests == nullptr ? 0 : walks_.size(); }

 private:
  struct Walk {
    std::uint64_t region = 0;
    Cycle until = kNever;  // its end, if it takes a fixed time; the others are for walks with reads
    std::uint32_t number = 0;
    Address line = 0;
    LaunchSeat seat = 0;
    Cycle due = 0;  // its next step; kNever: while it waits for an answer, or for the port
    Cycle began = 0;
    std::uint32_t reads = 0;  // to come, so that the last one has number 1
    bool in_unit = false;
    bool fills_directory = false;
    bool ended = false;
  };

  bool reads_tables() const { return port_.requests != nullptr; }
  bool finds_directory(Address line, LaunchSeat seat);
  Cycle fixed_end(const TranslationAsk& ask, Cycle at);
  void take_answers(Cycle now);
  void step(Walk& walk, Cycle now);
  void send_reads(Cycle now);
  Walk& walk_of(std::uint32_t number);

  TranslationConfig config_;
  PageTables tables_;
  Port port_;
  LaunchStats<GpuTranslationStats>* stats_;
  TranslationArray directory_;
  std::vector<Cycle> units_free_at_;  // of walks that take a fixed time
  std::uint32_t units_used_ = 0;      // of the others
  std::vector<Walk> walks_;           // in the order in which they began
  std::uint32_t next_number_ = 0;
  GrowQueue<std::uint32_t> reads_;  // numbers of walks that wait for the port
};

}  // namespace warpsim
