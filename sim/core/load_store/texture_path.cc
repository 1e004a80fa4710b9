#include "core/load_store/texture_path.h"

#include <algorithm>

namespace warpsim {

void describe(ConfigSection& section, TextureConfig::Times& times) {
  section.integer("latency_cycles", times.latency_cycles, 1, 10000, "from issue to the result, if L1 has the texels");
  section.integer("interval_cycles", times.interval_cycles, 1, 1000,
                  "for which an instruction of a warp occupies the SM's texture units");
}

void describe(ConfigSection& section, TextureConfig::Work& work) {
  section.integer("wide", work.wide, 1, 1000, "intervals of texels of 16 bytes");
  section.integer("wide_filtered", work.wide_filtered, 1, 1000, "the same with a filter in one or two dimensions");
  section.integer("volume_filtered", work.volume_filtered, 1, 1000,
                  "intervals of smaller texels with a filter in three dimensions");
  section.integer("wide_volume_filtered", work.wide_volume_filtered, 1, 1000, "the same of texels of 16 bytes");
}

void describe(ConfigSection& section, TextureConfig& config) {
  section.integer("queue_entries", config.queue_entries, 1, 1024, "instructions that wait for the texture units");
  section.nested("fetch", config.fetch, "fetches with a filter, or with a level of detail in a register");
  section.nested("load", config.load, "texels at integer coordinates or at level zero, and loads of surfaces");
  section.nested("gather", config.gather, "fetches of four texels");
  section.nested("store", config.store, "stores and atomics of surfaces");
  section.nested("work", config.work, "how many intervals an instruction takes, by format and filter");
  section.integer("extra_cycle_latency_cycles", config.extra_cycle_latency_cycles, 0, 100,
                  "added to the latency by each cycle that an instruction takes beyond an interval");
  section.integer("extra_register_latency_cycles", config.extra_register_latency_cycles, 0, 1000,
                  "added to the latency by each result register beyond the first");
}

// A load with a filter is as slow as a fetch.
const TextureConfig::Times& TexturePath::times_of(TextureAccess access, bool filtered) const {
  switch (access) {
    case TextureAccess::kLoad:
      return filtered ? config_.fetch : config_.load;
    case TextureAccess::kGather:
      return config_.gather;
    case TextureAccess::kStore:
      return config_.store;
    default:
      return config_.fetch;
  }
}

std::uint32_t TexturePath::work_of(const TexelAccess& texels) const {
  constexpr std::uint32_t kWideBytes = 16;
  constexpr std::uint32_t kVolume = 3;
  const bool wide = texels.texel_bytes == kWideBytes;
  if (texels.filter == kVolume) {
    return wide ? config_.work.wide_volume_filtered : config_.work.volume_filtered;
  }
  return !wide ? 1 : texels.filter != 0 ? config_.work.wide_filtered : config_.work.wide;
}

TexturePath::Result TexturePath::start(const IssueInfo& info, const TexelAccess& texels, std::uint32_t passes,
                                       Cycle now) {
  const TextureConfig::Times& times = times_of(info.texture, texels.filter != 0);
  const bool stores = info.texture == TextureAccess::kStore;  // whose time is that of their sectors
  const std::uint32_t cycles = std::max(times.interval_cycles * (stores ? 1 : work_of(texels)), passes);
  const Cycle begin = std::max(now, free_at_);
  free_at_ = begin + cycles;
  const Cycle queued = Cycle{config_.queue_entries} * times.interval_cycles;
  accepts_at_ = free_at_ - std::min(free_at_, queued);
  const std::uint32_t latency =
      times.latency_cycles + (cycles - times.interval_cycles) * config_.extra_cycle_latency_cycles +
      (std::max<std::uint32_t>(1, info.result_registers) - 1) * config_.extra_register_latency_cycles;
  return {begin + std::max(1U, latency - std::min(latency, address_latency_cycles_)), latency};
}

}  // namespace warpsim
