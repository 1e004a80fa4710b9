// The translations that SMs share, with their links to the crossbar.
//
// Which ports share what follows from their places: a group of TPCs is known by its GPC and its number there. State:
// that of the parts. A group's links have room for all requests of its SMs that can wait.
#pragma once

#include <memory>
#include <vector>

#include "engine/engine.h"
#include "engine/link.h"
#include "memory/crossbar/crossbar.h"
#include "memory/mem_message.h"
#include "memory/translation/shared_translations.h"
#include "memory/translation/translation_config.h"

namespace warpsim {

class TranslationStage {
 public:
  // Where a port is, and which group of its GPC it is in; kNoGroup: its addresses are always translated.
  struct Place {
    std::uint32_t gpc = 0;
    std::uint32_t partition = 0;
    std::uint32_t group = Crossbar::Translations::kNoGroup;
    // Core cycles by which responses arrive earlier than at an SM.
    std::uint32_t nearer_cycles = 0;
  };
  TranslationStage(Engine& engine, std::uint32_t l2_domain, const TranslationConfig& config,
                   const std::vector<Place>& ports, LaunchStatsNode& parent);

  const Crossbar::Translations& connections() const { return connections_; }
  bool idle() const { return shared_->idle(); }
  void clear() { shared_->clear(); }

 private:
  Link<MemRequest>* add_link(const ClockDomain& clock, std::uint32_t entries);

  std::vector<std::unique_ptr<Link<MemRequest>>> links_;
  Crossbar::Translations connections_;
  std::unique_ptr<SharedTranslations> shared_;
};

}  // namespace warpsim
