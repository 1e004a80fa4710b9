#include "memory/translation/group_translations.h"

#include <algorithm>

#include "base/check.h"

namespace warpsim {
namespace {

// On both links between the crossbar and this component.
constexpr Cycle kLinkCycles = 2;

Cycle gpu_latency(const TranslationConfig& config, bool near) {
  return near ? config.gpu_near_latency_cycles : config.gpu_far_latency_cycles;
}

}  // namespace

Cycle GroupTranslations::ask_latency(const TranslationConfig& config, bool near) {
  return config.group_latency_cycles - kLinkCycles + gpu_latency(config, near) / 2;
}

Cycle GroupTranslations::answer_latency(const TranslationConfig& config, bool near) {
  return gpu_latency(config, near) - gpu_latency(config, near) / 2;
}

GroupTranslations::Group::Group(const TranslationConfig& config, const Links& the_links)
    : links(the_links),
      array(config.group.sets, config.group.ways, config.kib(config.group.entry_pages), config.starts_full),
      rate(config.group.lookups_per_cycle),
      misses(config.group_misses) {}

GroupTranslations::GroupTranslations(const TranslationConfig& config, const std::vector<Links>& groups,
                                     LaunchStatsNode& parent, std::uint32_t number)
    : config_(config), stats_(parent, "translation", number) {
  for (const Links& links : groups) {
    groups_.emplace_back(config, links);
  }
}

void GroupTranslations::connect(WakeHandle self) {
  for (Group& group : groups_) {
    group.links.misses->connect_receiver(self);
    group.links.translated->connect_sender(self);
    group.links.asks->connect_sender(self);
    group.links.answers->connect_receiver(self);
  }
}

void GroupTranslations::clear() {
  SIM_CHECK(idle(), "translations are dropped while requests wait for them");
  for (Group& group : groups_) {
    group.array.clear();
  }
}

// Of the oldest request. False: the group waits for as many translations as it can.
bool GroupTranslations::look_up(Group& group, Cycle now) {
  const MemRequest& request = group.links.misses->front();
  const Cycle since = group.links.misses->next_arrival();
  const std::uint64_t region = group.array.region_of(request.line);
  const auto waits_for = [region](const Miss& m) { return !m.requests.empty() && m.region == region; };
  const auto miss = group.waiting == 0 ? group.misses.end() : std::ranges::find_if(group.misses, waits_for);
  GroupTranslationStats& stats = stats_[request.seat];
  if (miss != group.misses.end()) {
    ++stats.group_waits;
    miss->requests.push_back({request, since});
  } else if (group.array.look_up(region)) {
    const Cycle due = now + config_.group_latency_cycles - kLinkCycles;
    ++stats.group_hits;
    stats.wait.add(due - since);
    group.hits.push({request, due});
  } else if (group.waiting == group.misses.size()) {
    return false;
  } else {
    const auto free = std::ranges::find_if(group.misses, [](const Miss& m) { return m.requests.empty(); });
    SIM_CHECK(group.links.asks->can_send(now), "a group asks for more translations than its link has room for");
    group.links.asks->send({request.line, request.seat, static_cast<std::uint16_t>(free - group.misses.begin())}, now);
    free->region = region;
    free->requests.push_back({request, since});
    ++group.waiting;
  }
  ++stats.group_lookups;
  group.rate.use(now, 1);
  return true;
}

void GroupTranslations::translate(Group& group, const MemRequest& request, Cycle now) {
  SIM_CHECK(group.links.translated->can_send(now), "more requests wait for translations than there is room for");
  group.links.translated->send(request, now);
}

void GroupTranslations::send_hits(Group& group, Cycle now) {
  for (; !group.hits.empty() && group.hits.front().due <= now; group.hits.pop()) {
    translate(group, group.hits.front().request, now);
  }
}

void GroupTranslations::take_answers(Group& group, Cycle now) {
  Link<TranslationAnswer>& answers = *group.links.answers;
  for (; answers.has_message(now); answers.pop(now)) {
    Miss& miss = group.misses[answers.front().miss];
    group.array.insert(miss.region);
    for (const Waiting& waiting : miss.requests) {
      stats_[waiting.request.seat].wait.add(now - waiting.since);
      translate(group, waiting.request, now);
    }
    miss.requests.clear();
    --group.waiting;
  }
}

Cycle GroupTranslations::work_on(Group& group, Cycle now) {
  send_hits(group, now);
  take_answers(group, now);
  Link<MemRequest>& in = *group.links.misses;
  Cycle next = kNever;
  while (in.has_message(now)) {
    if (!group.rate.ready(now)) {
      next = group.rate.ready_at();
      break;
    }
    if (!look_up(group, now)) {
      break;  // the next answer makes room
    }
    in.pop(now);
  }
  if (in.next_arrival() > now) {
    next = in.next_arrival();
  }
  if (!group.hits.empty()) {
    next = std::min(next, group.hits.front().due);
  }
  return std::min(next, group.links.answers->next_arrival());
}

Cycle GroupTranslations::tick(Cycle now) {
  Cycle next = kNever;
  for (Group& group : groups_) {
    next = std::min(next, work_on(group, now));
  }
  return next;
}

bool GroupTranslations::idle() const {
  return std::ranges::all_of(groups_, [](const Group& group) {
    return group.waiting == 0 && group.hits.empty() && group.links.misses->empty() && group.links.translated->empty();
  });
}

std::string GroupTranslations::describe_stall() const {
  std::uint32_t waiting = 0;
  for (const Group& group : groups_) {
    waiting += group.waiting;
  }
  return waiting == 0 ? "" : std::to_string(waiting) + " translations are waited for; ";
}

}  // namespace warpsim
