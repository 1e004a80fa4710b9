// The exchangeable mechanisms of L1 that act on loads: the prefetcher and the insertion (warpsim/prefetcher.h,
// warpsim/l1_insertion.h).
//
// State: the two mechanisms, their counters, the line for which they were asked last: a line may be tried in several
// cycles until there is space, but the mechanisms see it once. Invariant: present only if the description chooses at
// least one of the two.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "base/types.h"
#include "core/load_store/memory_instruction.h"
#include "mechanisms/mechanism_choice.h"
#include "mechanisms/prefetch_stats.h"
#include "memory/access/coalescer.h"
#include "memory/caches/l1_cache.h"
#include "stats/launch_stats.h"

namespace warpsim {

class L1Mechanisms {
 public:
  // Null if the configuration chooses none. Counters are added to `parent`.
  static std::unique_ptr<L1Mechanisms> make(const L1Config& config, LaunchStatsNode& parent);
  L1Mechanisms(const L1Config& config, LaunchStatsNode& parent);

  // An instruction enters the stage, or its next lines do.
  void begin_lines() { asked_for_ = kNone; }
  // The load's lookup of this number, each of another line: how the line enters if it misses.
  mechanism::Insertion look_up(const MemoryInstruction& instruction, const LineAccess& line, std::uint32_t number,
                               bool hit, Cycle now);
  // The line was accepted. Its prefetches begin: send(line, sectors, tag) for each request, while has_space().
  template <typename HasSpace, typename Send>
  void prefetch(L1Cache& l1, Address line, LaunchSeat seat, HasSpace&& has_space, Send&& send) {
    if (!prefetcher_) {
      return;
    }
    L1PrefetchStats& stats = prefetcher_->stats[seat];
    count_use(l1, line, stats);
    stats.dropped += wanted_.beyond();
    for (const mechanism::PrefetchList::Line& wanted : wanted_) {
      if (wanted.line / kPrefetchPageBytes != line / kPrefetchPageBytes) {
        ++stats.out_of_range;
        continue;
      }
      l1.lines().for_each(wanted.line, wanted.sectors, [&](Address part, std::uint8_t wanted_sectors) {
        const L1Cache::Prefetch result = l1.prefetch(part, wanted_sectors, has_space(), seat);
        count(result, stats);
        if (result.result == L1Cache::Prefetch::Result::kRequested) {
          send(part, result.request_sectors, result.tag);
        }
      });
    }
    wanted_.clear();
  }

 private:
  static constexpr std::uint32_t kNone = 0xffffffffU;

  struct PrefetcherPart {
    PrefetcherPart(const L1Config& config, LaunchStatsNode& parent);
    LaunchStats<L1PrefetchStats> stats;
    MechanismCounters counters;
    std::string name;
    std::unique_ptr<mechanism::Prefetcher> mechanism;
  };
  struct InsertionPart {
    InsertionPart(const L1Config& config, LaunchStatsNode& parent);
    MechanismCounters counters;
    std::unique_ptr<mechanism::L1Insertion> mechanism;
  };

  static void count_use(L1Cache& l1, Address line, L1PrefetchStats& stats);
  static void count(const L1Cache::Prefetch& prefetch, L1PrefetchStats& stats);

  std::optional<PrefetcherPart> prefetcher_;
  std::optional<InsertionPart> insertion_;
  mechanism::PrefetchList wanted_;
  mechanism::Insertion answer_ = mechanism::Insertion::kKeep;
  std::uint32_t asked_for_ = kNone;
};

}  // namespace warpsim
