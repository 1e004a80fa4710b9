// Translations that SMs share: the caches of groups of TPCs, that of the GPU, and the units that walk page tables.
//
// A request whose SM has no translation comes here from the crossbar and goes back there when it has one.
//   group   looks requests up in order, at a rate; state: its cache, requests on their way, translations it waits for
//   GPU     answers groups after a time that depends on the distance; state: its cache, walks
// Modelled: rates, latencies, the number of translations that a group waits for (further misses hold up the group), the
// number of walks, the cache of the upper levels of page tables. Requests for a region that a group waits for, or that
// is walked to, wait for the same answer, which is assumed. Not modelled: page tables in memory (a walk takes a fixed
// time and no bandwidth), pages of several sizes at a time, invalidation while a kernel runs.
// Evidence: tests/hardware/translation: reach.cu shared (three TPCs of a GPC share a cache), walks.cu reach and first
// (sizes, latencies by partition, walks), rates (one lookup per core cycle of a group, 16 translations that it waits
// for, two lookups per L2 cycle and 16 walks of the GPU).
// Invariant: an answer has room in its link, so nothing waits for anything but time.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/component.h"
#include "engine/link.h"
#include "memory/grow_queue.h"
#include "memory/mem_message.h"
#include "memory/rate_limiter.h"
#include "memory/translation/translation_array.h"
#include "memory/translation/translation_config.h"
#include "stats/launch_stats.h"

namespace warpsim {

struct TranslationStats : StatGroup {
  using StatGroup::StatGroup;
  Counter group_lookups{*this, "group_lookups", Unit::kRequests,
                        "requests whose SM had no translation: lookups in the caches of groups"};
  Counter group_hits{*this, "group_hits", Unit::kRequests, "of these, those that hit"};
  Counter group_waits{*this, "group_waits", Unit::kRequests, "of these, those for which the group was already waiting"};
  Counter gpu_lookups{*this, "gpu_lookups", Unit::kRequests, "lookups in the GPU's translation cache"};
  Counter gpu_hits{*this, "gpu_hits", Unit::kRequests, "of these, those that hit"};
  Counter walks{*this, "walks", Unit::kRequests, "walks through page tables"};
  Counter directory_misses{*this, "directory_misses", Unit::kRequests, "walks that missed in the directory cache"};
  Histogram wait{*this, "wait", Unit::kCycles, "cycles from the lookup's request to the translation"};
};

class SharedTranslations final : public Component {
 public:
  struct Group {
    Link<MemRequest>* misses;      // from the crossbar
    Link<MemRequest>* translated;  // to the crossbar
    std::uint32_t partition;       // of the GPC
  };
  SharedTranslations(const TranslationConfig& config, const std::vector<Group>& groups, LaunchStatsNode& parent);
  void connect(WakeHandle self);

  Cycle tick(Cycle now) override;
  bool idle() const override;
  std::string describe_stall() const override;

  // Between runs of the engine: nothing is translated any more, or what is requested first.
  void clear();

 private:
  // A request that has its translation from `due` on.
  struct Found {
    MemRequest request;
    Cycle due = 0;
  };
  // A translation that a group waits for, and the requests that wait with it.
  struct Miss {
    std::uint64_t region = 0;  // of the group's cache
    Cycle due = 0;
    std::vector<MemRequest> requests;
  };
  struct GroupState {
    GroupState(const TranslationConfig& config, const Group& the_links);
    Group links;
    Cycle gpu_latency;
    TranslationArray array;
    RateLimiter rate;
    GrowQueue<Found> hits;
    std::vector<Miss> misses;  // the first `waiting` are in use
    std::uint32_t waiting = 0;
  };
  // A walk in progress, or one that waits for a unit.
  struct Walk {
    std::uint64_t region = 0;  // of the GPU's cache
    Cycle until = 0;
  };

  Cycle work_on(GroupState& group, Cycle now);
  void send_answers(GroupState& group, Cycle now);
  bool look_up(GroupState& group, Cycle now);
  Cycle ask_gpu(const GroupState& group, const MemRequest& request, Cycle now);
  Cycle walk(std::uint64_t region, const MemRequest& request, Cycle at);
  void answer(GroupState& group, const MemRequest& request, Cycle now);

  TranslationConfig config_;
  std::vector<GroupState> groups_;
  TranslationArray gpu_;
  RateLimiter gpu_rate_;
  TranslationArray directory_;
  std::vector<Cycle> units_free_at_;  // of the units that walk
  std::vector<Walk> walks_;
  LaunchStats<TranslationStats> stats_;
};

}  // namespace warpsim
