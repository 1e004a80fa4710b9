#include "core/load_store/texture_path.h"

#include <algorithm>

namespace warpsim {

void describe(ConfigSection& section, TextureConfig::Times& times) {
  section.integer("latency_cycles", times.latency_cycles, 1, 10000,
                  "from issue to the result (texels have no addresses: always a hit)");
  section.integer("interval_cycles", times.interval_cycles, 1, 1000,
                  "for which an instruction of a warp occupies the SM's texture units");
}

void describe(ConfigSection& section, TextureConfig& config) {
  section.integer("queue_entries", config.queue_entries, 1, 1024, "instructions that wait for the texture units");
  section.nested("fetch", config.fetch, "fetches with a filter, or with a level of detail in a register");
  section.nested("load", config.load, "texels at integer coordinates or at level zero, and loads of surfaces");
  section.nested("gather", config.gather, "fetches of four texels");
  section.nested("store", config.store, "stores and atomics of surfaces");
}

const TextureConfig::Times& TexturePath::times_of(TextureAccess access) const {
  switch (access) {
    case TextureAccess::kLoad:
      return config_.load;
    case TextureAccess::kGather:
      return config_.gather;
    case TextureAccess::kStore:
      return config_.store;
    default:
      return config_.fetch;
  }
}

Cycle TexturePath::start(TextureAccess access, Cycle now) {
  const TextureConfig::Times& times = times_of(access);
  const Cycle begin = std::max(now, free_at_);
  free_at_ = begin + times.interval_cycles;
  const Cycle queued = Cycle{config_.queue_entries} * times.interval_cycles;
  accepts_at_ = free_at_ - std::min(free_at_, queued);
  return begin + std::max(1U, times.latency_cycles - std::min(times.latency_cycles, address_latency_cycles_));
}

}  // namespace warpsim
