// Parameters of the memory system outside of the SMs, by component.
#pragma once

#include "config/config_section.h"
#include "memory/address_map.h"
#include "memory/crossbar/crossbar.h"
#include "memory/dram/dram_timing.h"
#include "memory/l2/l2_config.h"
#include "memory/l2/l2_fabric.h"
#include "memory/translation/translation_config.h"

namespace warpsim {

struct MemoryConfig {
  AddressMapConfig address_map;
  CrossbarConfig crossbar;
  TranslationConfig translation;
  L2Config l2;
  L2FabricConfig l2_fabric;
  DramConfig dram;
};
void describe(ConfigSection& section, MemoryConfig& config);

}  // namespace warpsim
