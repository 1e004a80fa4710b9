#include "memory/translation/gpu_translations.h"

#include <algorithm>

#include "base/check.h"

namespace warpsim {

GpuTranslations::GpuTranslations(const TranslationConfig& config, const std::vector<Links>& groups,
                                 LaunchStatsNode& parent)
    : config_(config),
      groups_(groups),
      array_(config.gpu.sets, config.gpu.ways, config.kib(config.gpu.entry_pages), config.starts_full),
      rate_(config.gpu.lookups_per_cycle),
      directory_(1, config.directory_entries, config.kib(config.directory_entry_pages), config.starts_full),
      units_free_at_(config.walks, 0),
      stats_(parent, "translation") {}

void GpuTranslations::connect(WakeHandle self) {
  for (const Links& group : groups_) {
    group.asks->connect_receiver(self);
    group.answers->connect_sender(self);
  }
}

void GpuTranslations::clear() {
  SIM_CHECK(idle(), "translations are dropped while groups wait for them");
  array_.clear();
  directory_.clear();
}

// When a walk to the region ends, if it can begin at `at`.
Cycle GpuTranslations::walk(std::uint64_t region, const TranslationAsk& ask, Cycle at) {
  GpuTranslationStats& stats = stats_[ask.seat];
  ++stats.walks;
  Cycle latency = config_.walk_latency_cycles;
  if (const std::uint64_t directory = directory_.region_of(ask.line); !directory_.look_up(directory)) {
    ++stats.directory_misses;
    latency += config_.directory_miss_cycles;
    directory_.insert(directory);
  }
  Cycle& free_at = *std::ranges::min_element(units_free_at_);
  free_at = std::max(at, free_at) + latency;
  walks_.push_back({region, free_at});
  return free_at;
}

// When the translation is there.
Cycle GpuTranslations::look_up(const TranslationAsk& ask, Cycle now) {
  GpuTranslationStats& stats = stats_[ask.seat];
  ++stats.gpu_lookups;
  const Cycle found = now + rate_.backlog(now);
  rate_.use(now, 1);
  const std::uint64_t region = array_.region_of(ask.line);
  std::erase_if(walks_, [now](const Walk& other) { return other.until <= now; });
  for (const Walk& other : walks_) {
    if (other.until > found && other.region == region) {
      return other.until;
    }
  }
  if (array_.look_up(region)) {
    ++stats.gpu_hits;
    return found;
  }
  array_.insert(region);
  return walk(region, ask, found);
}

// Returns when the next one is due.
Cycle GpuTranslations::send_answers(Cycle now) {
  Cycle next = kNever;
  for (const Due& due : due_) {
    if (due.at > now) {
      next = std::min(next, due.at);
      continue;
    }
    Link<TranslationAnswer>& link = *groups_[due.group].answers;
    SIM_CHECK(link.can_send(now), "more translations are waited for than there is room for");
    link.send(due.answer, now);
  }
  std::erase_if(due_, [now](const Due& due) { return due.at <= now; });
  return next;
}

Cycle GpuTranslations::tick(Cycle now) {
  Cycle next = kNever;
  for (std::uint32_t group = 0; group < groups_.size(); ++group) {
    Link<TranslationAsk>& asks = *groups_[group].asks;
    for (; asks.has_message(now); asks.pop(now)) {
      due_.push_back({look_up(asks.front(), now), group, {asks.front().miss}});
    }
    next = std::min(next, asks.next_arrival());
  }
  return std::min(next, send_answers(now));
}

bool GpuTranslations::idle() const {
  const auto is_quiet = [](const Links& group) { return group.asks->empty() && group.answers->empty(); };
  return due_.empty() && std::ranges::all_of(groups_, is_quiet);
}

std::string GpuTranslations::describe_stall() const {
  return due_.empty() ? "" : std::to_string(due_.size()) + " answers of the GPU's translation cache are due; ";
}

}  // namespace warpsim
