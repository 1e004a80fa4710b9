// The translation cache of the GPU.
//
// Groups of TPCs ask for translations (group_translations.h) and get answers. Modelled: the rate of lookups; what
// misses is answered when a walk through page tables has ended (page_walks.h). Not modelled: pages of several sizes at
// a time, invalidation while a kernel runs. State: the cache, answers to come. Evidence: tests/hardware/translation:
// walks.cu reach (sizes), rates (two lookups per L2 cycle). Invariant: an answer has room in its link, and a walk waits
// for nothing that needs a translation.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/component.h"
#include "engine/link.h"
#include "memory/rate_limiter.h"
#include "memory/translation/gpu_translation_stats.h"
#include "memory/translation/page_walks.h"
#include "memory/translation/translation_array.h"
#include "memory/translation/translation_config.h"
#include "memory/translation/translation_message.h"
#include "stats/launch_stats.h"

namespace warpsim {

class GpuTranslations final : public Component {
 public:
  // Of a group.
  struct Links {
    Link<TranslationAsk>* asks;
    Link<TranslationAnswer>* answers;
  };
  GpuTranslations(const TranslationConfig& config, const std::vector<Links>& groups, const PageWalks::Port& walks,
                  LaunchStatsNode& parent);
  void connect(WakeHandle self);

  Cycle tick(Cycle now) override;
  bool idle() const override;
  std::string describe_stall() const override;

  // Between runs of the engine: nothing is translated any more, or what is requested first.
  void clear();

 private:
  // An answer to come.
  struct Due {
    Cycle at = 0;     // kNever: when the walk to the region has ended
    Cycle found = 0;  // when the lookup is done
    std::uint64_t region = 0;
    std::uint32_t group = 0;
    TranslationAnswer answer;
  };

  void look_up(const TranslationAsk& ask, std::uint32_t group, Cycle now);
  Cycle find(const TranslationAsk& ask, std::uint64_t region, Cycle found, Cycle now);
  Cycle walk_on(Cycle now);
  Cycle send_answers(Cycle now);

  std::vector<Links> groups_;
  TranslationArray array_;
  RateLimiter rate_;
  std::vector<Due> due_;
  std::vector<std::uint64_t> ended_;  // regions of walks that end in a cycle
  LaunchStats<GpuTranslationStats> stats_;
  PageWalks walks_;
};

}  // namespace warpsim
