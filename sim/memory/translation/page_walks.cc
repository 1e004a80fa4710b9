#include "memory/translation/page_walks.h"

#include <algorithm>

#include "base/check.h"

namespace warpsim {

PageWalks::PageWalks(const TranslationConfig& config, const Port& port, LaunchStats<GpuTranslationStats>& stats)
    : config_(config),
      tables_(config),
      port_(port),
      stats_(&stats),
      directory_(1, config.directory_entries, config.kib(config.directory_entry_pages), config.starts_full),
      units_free_at_(config.walks, 0) {}

void PageWalks::connect(WakeHandle self) {
  if (reads_tables()) {
    port_.requests->connect_sender(self);
    port_.responses->connect_receiver(self);
  }
}

bool PageWalks::finds_directory(Address line, LaunchSeat seat) {
  const bool found = directory_.look_up(directory_.region_of(line));
  if (!found) {
    ++(*stats_)[seat].directory_misses;
  }
  return found;
}

std::optional<Cycle> PageWalks::end_of(std::uint64_t region, Cycle at, Cycle now) {
  std::erase_if(walks_, [now](const Walk& walk) { return walk.until <= now; });
  for (const Walk& walk : walks_) {
    if (walk.until > at && walk.region == region) {
      return walk.until;
    }
  }
  return std::nullopt;
}

Cycle PageWalks::fixed_end(const TranslationAsk& ask, Cycle at) {
  Cycle latency = config_.walk_latency_cycles;
  if (!finds_directory(ask.line, ask.seat)) {
    latency += config_.directory_miss_cycles;
    directory_.insert(directory_.region_of(ask.line));
  }
  Cycle& free_at = *std::ranges::min_element(units_free_at_);
  free_at = std::max(at, free_at) + latency;
  return free_at;
}

Cycle PageWalks::begin(std::uint64_t region, const TranslationAsk& ask, Cycle at) {
  ++(*stats_)[ask.seat].walks;
  Walk walk;
  walk.region = region;
  if (reads_tables()) {
    walk.number = next_number_++;
    walk.line = ask.line;
    walk.seat = ask.seat;
    walk.due = at;
  } else {
    walk.until = fixed_end(ask, at);
  }
  walks_.push_back(walk);
  return walk.until;
}

PageWalks::Walk& PageWalks::walk_of(std::uint32_t number) {
  const auto found = std::ranges::find(walks_, number, &Walk::number);
  SIM_CHECK(found != walks_.end(), "an entry of page tables arrives for no walk");
  return *found;
}

void PageWalks::take_answers(Cycle now) {
  for (; port_.responses->has_message(now); port_.responses->pop(now)) {
    const MemResponse& response = port_.responses->front();
    Walk& walk = walk_of(response.tag);
    (*stats_)[walk.seat].walk_dram_reads += response.served_by == ServedBy::kDram ? 1 : 0;
    walk.due = now + config_.tables.step_cycles;
    --walk.reads;
    if (walk.reads <= 1 && walk.fills_directory) {
      directory_.insert(directory_.region_of(walk.line));
      walk.fills_directory = false;
    }
  }
}

// The walk's next step, if it is due: its end, its start in a unit, a read.
void PageWalks::step(Walk& walk, Cycle now) {
  GpuTranslationStats& stats = (*stats_)[walk.seat];
  if (walk.due > now) {
    return;
  }
  if (walk.in_unit && walk.reads == 0) {
    stats.walk_latency.add(now - walk.began);
    walk.ended = true;
    --units_used_;
    return;
  }
  if (!walk.in_unit) {
    if (units_used_ == config_.walks) {
      return;  // the end of a walk makes room
    }
    ++units_used_;
    stats.walk_wait.add(now - walk.due);
    walk.in_unit = true;
    walk.began = now;
    walk.fills_directory = !finds_directory(walk.line, walk.seat);
    walk.reads = 1 + (walk.fills_directory ? config_.tables.directory_levels : 0);
  }
  walk.due = kNever;
  reads_.push(walk.number);
}

void PageWalks::send_reads(Cycle now) {
  for (; !reads_.empty() && port_.requests->can_send(now); reads_.pop()) {
    const Walk& walk = walk_of(reads_.front());
    const Address entry = tables_.entry(walk.reads - 1, walk.line);
    MemRequest request;
    request.line = line_of(entry);
    request.sector_mask = static_cast<std::uint8_t>(1U << sector_in_line(entry));
    request.tag = walk.number;
    request.client = MemClient::kTranslation;
    request.seat = walk.seat;
    port_.requests->send(request, now);
    ++(*stats_)[walk.seat].walk_reads;
  }
}

Cycle PageWalks::advance(Cycle now, std::vector<std::uint64_t>& ended) {
  if (!reads_tables()) {
    return kNever;
  }
  take_answers(now);
  // Walks in units began before those that wait: a unit that is freed is used at once.
  for (Walk& walk : walks_) {
    step(walk, now);
    if (walk.ended) {
      ended.push_back(walk.region);
    }
  }
  std::erase_if(walks_, [](const Walk& walk) { return walk.ended; });
  send_reads(now);
  Cycle next = port_.responses->next_arrival();
  for (const Walk& walk : walks_) {
    if (walk.due > now) {
      next = std::min(next, walk.due);
    }
  }
  return next;
}

}  // namespace warpsim
