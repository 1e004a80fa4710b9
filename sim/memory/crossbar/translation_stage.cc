#include "memory/crossbar/translation_stage.h"

#include <algorithm>
#include <string>

namespace warpsim {
namespace {

constexpr std::uint32_t kNone = PortPlace::kNoGroup;

template <typename Message>
Link<Message>* add_link(std::vector<std::unique_ptr<Link<Message>>>& links, const ClockDomain& clock,
                        std::size_t entries, Cycle latency, FreedSlots freed) {
  return links.emplace_back(std::make_unique<Link<Message>>(clock, clock, entries, latency, freed)).get();
}

}  // namespace

Cycle TranslationStage::shortest_latency(const TranslationConfig& config) {
  Cycle shortest = kNever;
  for (const bool near : {false, true}) {
    shortest = std::min(
        {shortest, GroupTranslations::ask_latency(config, near), GroupTranslations::answer_latency(config, near)});
  }
  return shortest;
}

std::uint32_t TranslationStage::gpu_partition(const TranslationConfig& config, std::uint32_t partitions) {
  return std::min(config.gpu_partition, partitions - 1);
}

// Gives each port the number of its group among those of its partition. Returns the groups, in the order of their first
// ports.
std::vector<TranslationStage::Members> TranslationStage::find_groups(const TranslationConfig& config,
                                                                     const std::vector<PortPlace>& ports) {
  std::vector<Members> groups;
  std::vector<std::uint32_t> groups_of_partition(connections_.size(), 0);
  struct Number {
    std::uint32_t of_all = kNone;
    std::uint32_t in_partition = 0;
  };
  std::vector<Number> numbers;  // by GPC, then by its group
  for (Crossbar::Translations& of_partition : connections_) {
    of_partition.group_of_port.assign(ports.size(), kNone);
  }
  for (std::size_t port = 0; port < ports.size(); ++port) {
    const PortPlace& place = ports[port];
    if (place.group == kNone) {
      continue;
    }
    const std::size_t key = std::size_t{place.gpc} * config.groups_per_gpc + place.group;
    numbers.resize(std::max(numbers.size(), key + 1));
    Number& number = numbers[key];
    if (number.of_all == kNone) {
      number = {static_cast<std::uint32_t>(groups.size()), groups_of_partition[place.partition]++};
      groups.push_back({place.partition, 0});
    }
    ++groups[number.of_all].ports;
    connections_[place.partition].group_of_port[port] = number.in_partition;
  }
  return groups;
}

TranslationStage::TranslationStage(const std::vector<Engine*>& engines, std::uint32_t l2_domain,
                                   const TranslationConfig& config, const Ports& ports, LaunchStatsNode& parent)
    : connections_(engines.size()) {
  constexpr Cycle kCrossbarLatency = 1;
  const ClockDomain& clock = engines.front()->domain(l2_domain);
  std::vector<std::vector<GroupTranslations::Links>> by_partition(engines.size());
  std::vector<GpuTranslations::Links> of_gpu;
  for (const Members& group : find_groups(config, ports.places)) {
    const std::size_t entries = std::size_t{group.ports} * config.sm_misses + kCrossbarLatency;
    const auto beside_crossbar = [&] {
      return add_link(links_, clock, entries, kCrossbarLatency, FreedSlots::kAtOnce);
    };
    const bool near = group.partition == config.gpu_partition;
    // A slot is in use for twice the latency of its link, so for less than twice as long as the group waits.
    const std::size_t slots = std::size_t{2} * config.group_misses;
    const GroupTranslations::Links links{
        beside_crossbar(), beside_crossbar(),
        add_link(asks_, clock, slots, GroupTranslations::ask_latency(config, near), FreedSlots::kTravelBack),
        add_link(answers_, clock, slots, GroupTranslations::answer_latency(config, near), FreedSlots::kTravelBack)};
    by_partition[group.partition].push_back(links);
    of_gpu.push_back({links.asks, links.answers});
    connections_[group.partition].groups.push_back({links.misses, links.translated});
  }
  for (std::uint32_t partition = 0; partition < engines.size(); ++partition) {
    groups_.push_back(std::make_unique<GroupTranslations>(config, by_partition[partition], parent, partition));
    groups_.back()->connect(engines[partition]->add_component(
        l2_domain, "memory.translations[" + std::to_string(partition) + "]", *groups_.back()));
  }
  gpu_ = std::make_unique<GpuTranslations>(config, of_gpu, ports.walks, parent);
  Engine& engine = *engines[gpu_partition(config, static_cast<std::uint32_t>(engines.size()))];
  gpu_->connect(engine.add_component(l2_domain, "memory.gpu_translations", *gpu_));
}

bool TranslationStage::idle() const {
  return gpu_->idle() && std::ranges::all_of(groups_, [](const auto& groups) { return groups->idle(); });
}

void TranslationStage::clear() {
  gpu_->clear();
  for (const std::unique_ptr<GroupTranslations>& groups : groups_) {
    groups->clear();
  }
}

}  // namespace warpsim
