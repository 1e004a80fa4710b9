#include "memory/translation/gpu_translations.h"

#include <algorithm>

#include "base/check.h"

namespace warpsim {

GpuTranslations::GpuTranslations(const TranslationConfig& config, const std::vector<Links>& groups,
                                 const PageWalks::Port& walks, LaunchStatsNode& parent)
    : groups_(groups),
      array_(config.gpu.sets, config.gpu.ways, config.kib(config.gpu.entry_pages), config.starts_full),
      rate_(config.gpu.lookups_per_cycle),
      stats_(parent, "translation"),
      walks_(config, walks, stats_) {}

void GpuTranslations::connect(WakeHandle self) {
  for (const Links& group : groups_) {
    group.asks->connect_receiver(self);
    group.answers->connect_sender(self);
  }
  walks_.connect(self);
}

void GpuTranslations::clear() {
  SIM_CHECK(idle(), "translations are dropped while groups wait for them");
  array_.clear();
  walks_.clear();
}

// When the translation is there; kNever: when the walk to the region has ended.
Cycle GpuTranslations::find(const TranslationAsk& ask, std::uint64_t region, Cycle found, Cycle now) {
  if (const std::optional<Cycle> end = walks_.end_of(region, found, now)) {
    return *end;
  }
  if (array_.look_up(region)) {
    ++stats_[ask.seat].gpu_hits;
    return found;
  }
  array_.insert(region);
  return walks_.begin(region, ask, found);
}

void GpuTranslations::look_up(const TranslationAsk& ask, std::uint32_t group, Cycle now) {
  ++stats_[ask.seat].gpu_lookups;
  const Cycle found = now + rate_.backlog(now);
  rate_.use(now, 1);
  const std::uint64_t region = array_.region_of(ask.line);
  due_.push_back({find(ask, region, found, now), found, region, group, {ask.miss}});
}

// Returns when the next step of a walk is due.
Cycle GpuTranslations::walk_on(Cycle now) {
  ended_.clear();
  const Cycle next = walks_.advance(now, ended_);
  for (const std::uint64_t region : ended_) {
    for (Due& due : due_) {
      if (due.at == kNever && due.region == region) {
        due.at = std::max(now, due.found);
      }
    }
  }
  return next;
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
      look_up(asks.front(), group, now);
    }
    next = std::min(next, asks.next_arrival());
  }
  const Cycle step = walk_on(now);
  return std::min({next, step, send_answers(now)});
}

bool GpuTranslations::idle() const {
  const auto is_quiet = [](const Links& group) { return group.asks->empty() && group.answers->empty(); };
  return due_.empty() && std::ranges::all_of(groups_, is_quiet);
}

std::string GpuTranslations::describe_stall() const {
  if (due_.empty()) {
    return "";
  }
  const std::size_t walks = walks_.walks_with_reads();
  return std::to_string(due_.size()) + " answers of the GPU's translation cache are due; " +
         (walks == 0 ? "" : std::to_string(walks) + " walks read page tables or wait for it; ");
}

}  // namespace warpsim
