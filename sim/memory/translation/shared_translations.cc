#include "memory/translation/shared_translations.h"

#include <algorithm>

#include "base/check.h"

namespace warpsim {
namespace {

// On both links between the crossbar and this component.
constexpr Cycle kLinkCycles = 2;

TranslationArray make_array(const TranslationConfig& config, const TranslationLevelConfig& level) {
  return {level.sets, level.ways, config.kib(level.entry_pages), config.starts_full};
}

}  // namespace

SharedTranslations::GroupState::GroupState(const TranslationConfig& config, const Group& the_links)
    : links(the_links),
      gpu_latency(the_links.partition == config.gpu_partition ? config.gpu_near_latency_cycles
                                                              : config.gpu_far_latency_cycles),
      array(make_array(config, config.group)),
      rate(config.group.lookups_per_cycle),
      misses(config.group_misses) {}

SharedTranslations::SharedTranslations(const TranslationConfig& config, const std::vector<Group>& groups,
                                       LaunchStatsNode& parent)
    : config_(config),
      gpu_(make_array(config, config.gpu)),
      gpu_rate_(config.gpu.lookups_per_cycle),
      directory_(1, config.directory_entries, config.kib(config.directory_entry_pages), config.starts_full),
      units_free_at_(config.walks, 0),
      stats_(parent, "translation") {
  for (const Group& group : groups) {
    groups_.emplace_back(config, group);
  }
}

void SharedTranslations::connect(WakeHandle self) {
  for (GroupState& group : groups_) {
    group.links.misses->connect_receiver(self);
    group.links.translated->connect_sender(self);
  }
}

void SharedTranslations::clear() {
  SIM_CHECK(idle(), "translations are dropped while requests wait for them");
  for (GroupState& group : groups_) {
    group.array.clear();
  }
  gpu_.clear();
  directory_.clear();
}

// When a walk to the region ends, if it can begin at `at`.
Cycle SharedTranslations::walk(std::uint64_t region, const MemRequest& request, Cycle at) {
  TranslationStats& stats = stats_[request.seat];
  ++stats.walks;
  Cycle latency = config_.walk_latency_cycles;
  if (const std::uint64_t directory = directory_.region_of(request.line); !directory_.look_up(directory)) {
    ++stats.directory_misses;
    latency += config_.directory_miss_cycles;
    directory_.insert(directory);
  }
  Cycle& free_at = *std::ranges::min_element(units_free_at_);
  free_at = std::max(at, free_at) + latency;
  walks_.push_back({region, free_at});
  return free_at;
}

// When the group has its answer.
Cycle SharedTranslations::ask_gpu(const GroupState& group, const MemRequest& request, Cycle now) {
  TranslationStats& stats = stats_[request.seat];
  ++stats.gpu_lookups;
  const Cycle found = now + gpu_rate_.backlog(now) + group.gpu_latency;
  gpu_rate_.use(now, 1);
  const std::uint64_t region = gpu_.region_of(request.line);
  std::erase_if(walks_, [now](const Walk& other) { return other.until <= now; });
  for (const Walk& other : walks_) {
    if (other.until > found && other.region == region) {
      return other.until;
    }
  }
  if (gpu_.look_up(region)) {
    ++stats.gpu_hits;
    return found;
  }
  gpu_.insert(region);
  return walk(region, request, found);
}

// Of the oldest request. False: the group waits for as many translations as it can.
bool SharedTranslations::look_up(GroupState& group, Cycle now) {
  const MemRequest& request = group.links.misses->front();
  const Cycle hit_at = now + config_.group_latency_cycles - kLinkCycles;
  const std::uint64_t region = group.array.region_of(request.line);
  const auto end = group.misses.begin() + group.waiting;
  const auto miss = std::find_if(group.misses.begin(), end, [region](const Miss& m) { return m.region == region; });
  TranslationStats& stats = stats_[request.seat];
  Cycle due = hit_at;
  if (miss != end) {
    ++stats.group_waits;
    due = miss->due;
    miss->requests.push_back(request);
  } else if (group.array.look_up(region)) {
    ++stats.group_hits;
    group.hits.push({request, due});
  } else if (group.waiting == group.misses.size()) {
    return false;
  } else {
    due = ask_gpu(group, request, hit_at);
    miss->region = region;
    miss->due = due;
    miss->requests.push_back(request);
    ++group.waiting;
  }
  ++stats.group_lookups;
  stats.wait.add(due - group.links.misses->next_arrival());
  group.rate.use(now, 1);
  return true;
}

void SharedTranslations::answer(GroupState& group, const MemRequest& request, Cycle now) {
  SIM_CHECK(group.links.translated->can_send(now), "more requests wait for translations than there is room for");
  group.links.translated->send(request, now);
}

void SharedTranslations::send_answers(GroupState& group, Cycle now) {
  for (; !group.hits.empty() && group.hits.front().due <= now; group.hits.pop()) {
    answer(group, group.hits.front().request, now);
  }
  for (std::uint32_t i = 0; i < group.waiting;) {
    Miss& miss = group.misses[i];
    if (miss.due > now) {
      ++i;
      continue;
    }
    group.array.insert(miss.region);
    for (const MemRequest& request : miss.requests) {
      answer(group, request, now);
    }
    miss.requests.clear();
    std::swap(miss, group.misses[--group.waiting]);
  }
}

Cycle SharedTranslations::work_on(GroupState& group, Cycle now) {
  send_answers(group, now);
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
  for (std::uint32_t i = 0; i < group.waiting; ++i) {
    next = std::min(next, group.misses[i].due);
  }
  return next;
}

Cycle SharedTranslations::tick(Cycle now) {
  Cycle next = kNever;
  for (GroupState& group : groups_) {
    next = std::min(next, work_on(group, now));
  }
  return next;
}

bool SharedTranslations::idle() const {
  return std::ranges::all_of(groups_, [](const GroupState& group) {
    return group.waiting == 0 && group.hits.empty() && group.links.misses->empty() && group.links.translated->empty();
  });
}

std::string SharedTranslations::describe_stall() const {
  std::uint32_t waiting = 0;
  for (const GroupState& group : groups_) {
    waiting += group.waiting;
  }
  return waiting == 0 ? "" : std::to_string(waiting) + " translations are waited for; ";
}

}  // namespace warpsim
