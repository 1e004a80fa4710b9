// The translation cache of the GPU and the units that walk page tables.
//
// Groups of TPCs ask for translations (group_translations.h) and get answers. Modelled: the rate of lookups, the number
// of walks and their time, the cache of the upper levels of page tables. Asks for a region that is walked to wait for
// the same walk, which is assumed. Not modelled: page tables in memory (a walk takes a fixed time and no bandwidth),
// pages of several sizes at a time, invalidation while a kernel runs. State: the caches, walks, answers to come.
// Evidence: tests/hardware/translation: walks.cu reach and first (sizes, walks), rates (two lookups per L2 cycle and 16
// walks of the GPU).
// Invariant: an answer has room in its link, so nothing waits for anything but time.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/component.h"
#include "engine/link.h"
#include "memory/rate_limiter.h"
#include "memory/translation/translation_array.h"
#include "memory/translation/translation_config.h"
#include "memory/translation/translation_message.h"
#include "stats/launch_stats.h"

namespace warpsim {

struct GpuTranslationStats : StatGroup {
  using StatGroup::StatGroup;
  Counter gpu_lookups{*this, "gpu_lookups", Unit::kRequests, "lookups in the GPU's translation cache"};
  Counter gpu_hits{*this, "gpu_hits", Unit::kRequests, "of these, those that hit"};
  Counter walks{*this, "walks", Unit::kRequests, "walks through page tables"};
  Counter directory_misses{*this, "directory_misses", Unit::kRequests, "walks that missed in the directory cache"};
};

class GpuTranslations final : public Component {
 public:
  // Of a group.
  struct Links {
    Link<TranslationAsk>* asks;
    Link<TranslationAnswer>* answers;
  };
  GpuTranslations(const TranslationConfig& config, const std::vector<Links>& groups, LaunchStatsNode& parent);
  void connect(WakeHandle self);

  Cycle tick(Cycle now) override;
  bool idle() const override;
  std::string describe_stall() const override;

  // Between runs of the engine: nothing is translated any more, or what is requested first.
  void clear();

 private:
  // A walk in progress, or one that waits for a unit.
  struct Walk {
    std::uint64_t region = 0;
    Cycle until = 0;
  };
  // An answer to come.
  struct Due {
    Cycle at = 0;
    std::uint32_t group = 0;
    TranslationAnswer answer;
  };

  Cycle look_up(const TranslationAsk& ask, Cycle now);
  Cycle walk(std::uint64_t region, const TranslationAsk& ask, Cycle at);
  Cycle send_answers(Cycle now);

  TranslationConfig config_;
  std::vector<Links> groups_;
  TranslationArray array_;
  RateLimiter rate_;
  TranslationArray directory_;
  std::vector<Cycle> units_free_at_;  // of the units that walk
  std::vector<Walk> walks_;
  std::vector<Due> due_;
  LaunchStats<GpuTranslationStats> stats_;
};

}  // namespace warpsim
