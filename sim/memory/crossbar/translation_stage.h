// The translations that SMs share, with their links: groups of TPCs beside the crossbar of their partition, and the
// translation cache of the GPU.
//
//   crossbar <-> groups of its partition <-> the GPU's translations
// Which ports share what follows from their places: a group of TPCs is known by its GPC and its number there. State:
// that of the parts. A link of a group to the crossbar has room for all requests of its SMs that can wait. Groups are
// in the engine of their crossbar. The GPU's translations are as far away as their latency says, in the engine of the
// crossbar of their partition. If page tables are in memory, a port of that crossbar is theirs, for the reads of walks.
#pragma once

#include <memory>
#include <vector>

#include "engine/engine.h"
#include "engine/link.h"
#include "memory/crossbar/crossbar.h"
#include "memory/crossbar/port_place.h"
#include "memory/mem_message.h"
#include "memory/translation/gpu_translations.h"
#include "memory/translation/group_translations.h"
#include "memory/translation/translation_config.h"

namespace warpsim {

class TranslationStage {
 public:
  // Shortest latency of the links between groups and the GPU, in L2 cycles, for groups in all partitions.
  static Cycle shortest_latency(const TranslationConfig& config);

  // The partition of the GPU's translations, of so many.
  static std::uint32_t gpu_partition(const TranslationConfig& config, std::uint32_t partitions);

  // All ports, and that of walks, whose links outlive the stage.
  struct Ports {
    std::vector<PortPlace> places;
    PageWalks::Port walks = {};
  };
  // `engines`: those of the crossbars, by partition.
  TranslationStage(const std::vector<Engine*>& engines, std::uint32_t l2_domain, const TranslationConfig& config,
                   const Ports& ports, LaunchStatsNode& parent);

  // Those of a partition's crossbar.
  const Crossbar::Translations& connections(std::size_t partition) const { return connections_[partition]; }
  bool idle() const;
  // Between runs of the engine.
  void clear();

 private:
  struct Members {
    std::uint32_t partition = 0;
    std::uint32_t ports = 0;
  };
  template <typename Message>
  using OwnedLinks = std::vector<std::unique_ptr<Link<Message>>>;

  std::vector<Members> find_groups(const TranslationConfig& config, const std::vector<PortPlace>& ports);

  OwnedLinks<MemRequest> links_;
  OwnedLinks<TranslationAsk> asks_;
  OwnedLinks<TranslationAnswer> answers_;
  std::vector<Crossbar::Translations> connections_;         // by partition
  std::vector<std::unique_ptr<GroupTranslations>> groups_;  // the same
  std::unique_ptr<GpuTranslations> gpu_;
};

}  // namespace warpsim
