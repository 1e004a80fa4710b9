// The translation caches of groups of TPCs: those of the GPCs of one L2 partition.
//
// A request whose SM has no translation comes here from the partition's crossbar and goes back there when it has one. A
// group looks requests up in order, at a rate; on a miss it asks the GPU (gpu_translations.h). State of a group: its
// cache, requests on their way, translations that it waits for. Modelled: the rate, the latency, the number of
// translations that a group waits for (further misses hold up the group). Requests for a region that a group waits for
// wait for the same answer, which is assumed. The links to and from the GPU carry the latencies: the ask that of the
// lookup in the group and half of the GPU's, the answer the other half.
// Evidence: tests/hardware/translation: reach.cu shared (three TPCs of a GPC share a cache), walks.cu reach (sizes,
// latencies by partition), rates (one lookup per core cycle of a group, 16 translations that it waits for).
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
#include "memory/translation/translation_message.h"
#include "stats/launch_stats.h"

namespace warpsim {

struct GroupTranslationStats : StatGroup {
  using StatGroup::StatGroup;
  Counter group_lookups{*this, "group_lookups", Unit::kRequests,
                        "requests whose SM had no translation: lookups in the caches of groups"};
  Counter group_hits{*this, "group_hits", Unit::kRequests, "of these, those that hit"};
  Counter group_waits{*this, "group_waits", Unit::kRequests, "of these, those for which the group was already waiting"};
  Histogram wait{*this, "wait", Unit::kCycles, "cycles from the lookup's request to the translation"};
};

class GroupTranslations final : public Component {
 public:
  struct Links {
    Link<MemRequest>* misses;      // from the crossbar
    Link<MemRequest>* translated;  // to the crossbar
    Link<TranslationAsk>* asks;    // to the GPU
    Link<TranslationAnswer>* answers;
  };
  // Latency of a link of the group to the GPU's translation cache, and back. `near`: in the same partition.
  static Cycle ask_latency(const TranslationConfig& config, bool near);
  static Cycle answer_latency(const TranslationConfig& config, bool near);

  // `groups`: their links. `number`: of the partition, for the counters.
  GroupTranslations(const TranslationConfig& config, const std::vector<Links>& groups, LaunchStatsNode& parent,
                    std::uint32_t number);
  void connect(WakeHandle self);

  Cycle tick(Cycle now) override;
  bool idle() const override;
  std::string describe_stall() const override;

  // Between runs of the engine: nothing is translated any more, or what is requested first.
  void clear();

 private:
  // A request that waits, since it came here.
  struct Waiting {
    MemRequest request;
    Cycle since = 0;
  };
  // One that has its translation from `due` on.
  struct Found {
    MemRequest request;
    Cycle due = 0;
  };
  // A translation that a group waits for; none without requests.
  struct Miss {
    std::uint64_t region = 0;  // of the group's cache
    std::vector<Waiting> requests;
  };
  struct Group {
    Group(const TranslationConfig& config, const Links& the_links);
    Links links;
    TranslationArray array;
    RateLimiter rate;
    GrowQueue<Found> hits;
    std::vector<Miss> misses;
    std::uint32_t waiting = 0;  // misses in use
  };

  Cycle work_on(Group& group, Cycle now);
  void take_answers(Group& group, Cycle now);
  void send_hits(Group& group, Cycle now);
  bool look_up(Group& group, Cycle now);
  static void translate(Group& group, const MemRequest& request, Cycle now);

  TranslationConfig config_;
  std::vector<Group> groups_;
  LaunchStats<GroupTranslationStats> stats_;
};

}  // namespace warpsim
