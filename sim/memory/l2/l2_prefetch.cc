#include "memory/l2/l2_prefetch.h"

#include "mechanisms/prefetch_answer.h"

namespace warpsim {

L2Prefetch::L2Prefetch(const L2Config& config, const AddressMap& map, const Parts& parts, LaunchStatsNode& parent)
    : map_(&map),
      array_(&parts.array),
      misses_(&parts.misses),
      stats_(parent, "prefetcher"),
      counters_(stats_, "mechanism"),
      mechanism_(config.prefetcher.make({mechanism::CacheLevel::kL2}, counters_)),
      name_(config.prefetcher.name()),
      lines_(config.line_bytes) {}

void L2Prefetch::after_read(const SliceRequest& message, const L2Place& place, bool hit, Cycle now) {
  const LaunchSeat seat = message.mem.seat;
  counters_.select(seat);
  wanted_.clear();
  mechanism_->access(
      {.line = place.home.line_number * kLineBytes, .sectors = message.mem.sector_mask, .hit = hit, .now = now},
      wanted_);
  require_lines(wanted_, name_);
  stats_[seat].dropped += wanted_.beyond();
  for (const mechanism::PrefetchList::Line& wanted : wanted_) {
    if (wanted.line >= kPrefetchableBytes) {
      ++stats_[seat].out_of_range;
      continue;
    }
    L2Place where = place;
    where.home.line_number = wanted.line / kLineBytes;
    lines_.for_each(map_->line_of(where.home), wanted.sectors,
                    [&](Address line, std::uint8_t of_line) { request(where, line, of_line, seat, now); });
  }
}

void L2Prefetch::request(const L2Place& where, Address line, std::uint8_t sectors, LaunchSeat seat, Cycle now) {
  PrefetchStats& stats = stats_[seat];
  const auto absent = without(sectors, array_->look_up(where.home, line).valid);
  if (absent == 0 || misses_->fetches(line)) {
    ++stats.present;
  } else if (misses_->prefetch(line, absent, seat, now)) {
    ++stats.requests;
    stats.sectors += sector_count(absent);
  } else {
    ++stats.dropped;
  }
}

}  // namespace warpsim
