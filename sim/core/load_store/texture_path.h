// The texture units of an SM: how long fetches, loads of texels and accesses to surfaces occupy them, and how long a
// result takes whose texels L1 has.
//
// Modelled: each instruction occupies the units for a time that depends on its kind, its format and its filter, or for
// the passes of its requests if these take longer (memory/access/texel_lines.h), and then takes a latency that grows
// with both and with its result. Not modelled: addresses that a trace does not hold; for these instructions all texels
// count as present. Evidence: tests/hardware/textures. State: until when the units and their queue are occupied.
#pragma once

#include <cstdint>

#include "base/lane_addresses.h"
#include "base/types.h"
#include "config/config_section.h"
#include "core/sub_core/issue_info.h"

namespace warpsim {

struct TextureConfig {
  struct Times {
    std::uint32_t latency_cycles = 1;   // from issue to the result, uncontended
    std::uint32_t interval_cycles = 1;  // for which an instruction of a warp occupies the units
  };
  // How many intervals an instruction takes.
  struct Work {
    std::uint32_t wide = 1;                  // texels of 16 bytes
    std::uint32_t wide_filtered = 1;         // with a filter
    std::uint32_t volume_filtered = 1;       // a filter in three dimensions
    std::uint32_t wide_volume_filtered = 1;  // of texels of 16 bytes
  };
  std::uint32_t queue_entries = 1;  // instructions that wait for the units
  Times fetch;                      // with a filter, or a level of detail in a register
  Times load;                       // of texels at integer coordinates or at level zero, and of surfaces
  Times gather;                     // of four texels
  Times store;                      // to surfaces
  Work work;
  std::uint32_t extra_cycle_latency_cycles = 0;     // added by each cycle beyond an interval
  std::uint32_t extra_register_latency_cycles = 0;  // added by each result register beyond the first
};
void describe(ConfigSection& section, TextureConfig::Times& times);
void describe(ConfigSection& section, TextureConfig::Work& work);
void describe(ConfigSection& section, TextureConfig& config);

class TexturePath {
 public:
  // `address_latency_cycles`: from issue to the units.
  TexturePath(const TextureConfig& config, std::uint32_t address_latency_cycles)
      : config_(config), address_latency_cycles_(address_latency_cycles) {}

  struct Result {
    Cycle at = 0;                      // if L1 has all texels
    std::uint32_t latency_cycles = 0;  // from issue, without waiting for the units
  };
  // An instruction arrives, whose requests take that many passes. `texels`: as far as they are known.
  Result start(const IssueInfo& info, const TexelAccess& texels, std::uint32_t passes, Cycle now);
  // When the next instruction may arrive.
  Cycle accepts_at() const { return accepts_at_; }

 private:
  const TextureConfig::Times& times_of(TextureAccess access, bool filtered) const;
  std::uint32_t work_of(const TexelAccess& texels) const;

  TextureConfig config_;
  std::uint32_t address_latency_cycles_;
  Cycle free_at_ = 0;
  Cycle accepts_at_ = 0;
};

}  // namespace warpsim
