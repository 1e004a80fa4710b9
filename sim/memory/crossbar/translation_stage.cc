#include "memory/crossbar/translation_stage.h"

#include <algorithm>

namespace warpsim {

Link<MemRequest>* TranslationStage::add_link(const ClockDomain& clock, std::uint32_t entries) {
  constexpr Cycle kLatency = 1;
  return links_.emplace_back(std::make_unique<Link<MemRequest>>(clock, clock, entries + kLatency, kLatency)).get();
}

TranslationStage::TranslationStage(Engine& engine, std::uint32_t l2_domain, const TranslationConfig& config,
                                   const std::vector<Place>& ports, LaunchStatsNode& parent) {
  constexpr std::uint32_t kNone = Crossbar::Translations::kNoGroup;
  std::vector<SharedTranslations::Group> groups;
  std::vector<std::uint32_t> members;
  std::vector<std::uint32_t> number_of;  // by GPC, then by its group
  for (const Place& port : ports) {
    connections_.group_of_port.push_back(kNone);
    if (port.group == kNone) {
      continue;
    }
    const std::size_t place = std::size_t{port.gpc} * config.groups_per_gpc + port.group;
    number_of.resize(std::max(number_of.size(), place + 1), kNone);
    if (number_of[place] == kNone) {
      number_of[place] = static_cast<std::uint32_t>(groups.size());
      groups.push_back({nullptr, nullptr, port.partition});
      members.push_back(0);
    }
    connections_.group_of_port.back() = number_of[place];
    ++members[number_of[place]];
  }
  const ClockDomain& clock = engine.domain(l2_domain);
  for (std::size_t group = 0; group < groups.size(); ++group) {
    groups[group].misses = add_link(clock, members[group] * config.sm_misses);
    groups[group].translated = add_link(clock, members[group] * config.sm_misses);
    connections_.groups.push_back({groups[group].misses, groups[group].translated});
  }
  shared_ = std::make_unique<SharedTranslations>(config, groups, parent);
  shared_->connect(engine.add_component(l2_domain, "memory.translations", *shared_));
}

}  // namespace warpsim
