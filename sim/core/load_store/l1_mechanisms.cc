#include "core/load_store/l1_mechanisms.h"

#include <bit>

#include "mechanisms/prefetch_answer.h"

namespace warpsim {

L1Mechanisms::PrefetcherPart::PrefetcherPart(const L1Config& config, LaunchStatsNode& parent)
    : stats(parent, "l1_prefetcher"),
      counters(stats, "mechanism"),
      name(config.prefetcher.name()),
      mechanism(config.prefetcher.make({mechanism::CacheLevel::kL1}, counters)) {}

L1Mechanisms::InsertionPart::InsertionPart(const L1Config& config, LaunchStatsNode& parent)
    : counters(parent, "l1_insertion"), mechanism(config.insertion.make({config.sets}, counters)) {}

std::unique_ptr<L1Mechanisms> L1Mechanisms::make(const L1Config& config, LaunchStatsNode& parent) {
  const bool any = config.prefetcher.chosen() || config.insertion.chosen();
  return any ? std::make_unique<L1Mechanisms>(config, parent) : nullptr;
}

L1Mechanisms::L1Mechanisms(const L1Config& config, LaunchStatsNode& parent) {
  if (config.prefetcher.chosen()) {
    prefetcher_.emplace(config, parent);
  }
  if (config.insertion.chosen()) {
    insertion_.emplace(config, parent);
  }
}

mechanism::Insertion L1Mechanisms::look_up(const MemoryInstruction& instruction, const LineAccess& line,
                                           std::uint32_t number, bool hit, Cycle now) {
  if (asked_for_ == number) {
    return answer_;
  }
  const bool first = asked_for_ == kNone;
  asked_for_ = number;
  const mechanism::LineLookup lookup{.line = line_of(line.line),
                                     .sectors = line.sector_mask,
                                     .hit = hit,
                                     .now = now,
                                     .pc = instruction.info->pc,
                                     .warp = instruction.warp_number(),
                                     .first = first};
  if (prefetcher_) {
    prefetcher_->counters.select(instruction.seat);
    wanted_.clear();
    prefetcher_->mechanism->access(lookup, wanted_);
    require_lines(wanted_, prefetcher_->name);
  }
  if (insertion_) {
    insertion_->counters.select(instruction.seat);
    answer_ = insertion_->mechanism->access(lookup);
  }
  return answer_;
}

void L1Mechanisms::count_use(L1Cache& l1, Address line, L1PrefetchStats& stats) {
  const L1Cache::Prefetched found = l1.use_prefetched(line);
  stats.useful += found == L1Cache::Prefetched::kPresent ? 1 : 0;
  stats.late += found == L1Cache::Prefetched::kOnItsWay ? 1 : 0;
}

void L1Mechanisms::count(const L1Cache::Prefetch& prefetch, L1PrefetchStats& stats) {
  switch (prefetch.result) {
    case L1Cache::Prefetch::Result::kRequested:
      ++stats.requests;
      stats.sectors += static_cast<std::uint32_t>(std::popcount(prefetch.request_sectors));
      break;
    case L1Cache::Prefetch::Result::kPresent:
      ++stats.present;
      break;
    case L1Cache::Prefetch::Result::kNoSpace:
      ++stats.dropped;
      break;
  }
}

}  // namespace warpsim
