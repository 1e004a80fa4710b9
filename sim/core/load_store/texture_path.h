// The texture units of an SM: how long fetches, loads of texels and accesses to surfaces take.
//
// Modelled: each instruction occupies the units for a time that depends on its kind, and then takes a fixed latency.
// Not modelled: addresses, and so misses and conflicts of texels; formats of 128 bits, which take twice as long, with a
// filter four times; the filter of a 3D texture, which doubles the time. Evidence: tests/hardware/textures.
// State: until when the units and their queue are occupied.
#pragma once

#include <cstdint>

#include "base/types.h"
#include "config/config_section.h"
#include "core/sub_core/issue_info.h"

namespace warpsim {

struct TextureConfig {
  struct Times {
    std::uint32_t latency_cycles = 1;   // from issue to the result, uncontended
    std::uint32_t interval_cycles = 1;  // for which an instruction of a warp occupies the units
  };
  std::uint32_t queue_entries = 1;  // instructions that wait for the units
  Times fetch;                      // with a filter, or a level of detail in a register
  Times load;                       // of texels at integer coordinates or at level zero, and of surfaces
  Times gather;                     // of four texels
  Times store;                      // to surfaces
};
void describe(ConfigSection& section, TextureConfig::Times& times);
void describe(ConfigSection& section, TextureConfig& config);

class TexturePath {
 public:
  // `address_latency_cycles`: from issue to the units.
  TexturePath(const TextureConfig& config, std::uint32_t address_latency_cycles)
      : config_(config), address_latency_cycles_(address_latency_cycles) {}

  // An instruction arrives. Returns when its result is there.
  Cycle start(TextureAccess access, Cycle now);
  // When the next instruction may arrive.
  Cycle accepts_at() const { return accepts_at_; }

 private:
  const TextureConfig::Times& times_of(TextureAccess access) const;

  TextureConfig config_;
  std::uint32_t address_latency_cycles_;
  Cycle free_at_ = 0;
  Cycle accepts_at_ = 0;
};

}  // namespace warpsim
