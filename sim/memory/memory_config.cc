#include "memory/memory_config.h"

namespace warpsim {

void describe(ConfigSection& section, MemoryConfig& config) {
  section.nested("address_map", config.address_map, "location of a line in L2 and DRAM");
  section.nested("crossbar", config.crossbar, "network between SMs and L2 slices");
  if (section.given("translation", "none")) {
    section.nested("translation", config.translation,
                   "translation of addresses; without the section every address is translated at once");
  }
  section.nested("l2", config.l2, "one L2 slice");
  section.nested("l2_fabric", config.l2_fabric, "connection of the L2 partitions");
  section.nested("dram", config.dram, "one DRAM channel");
}

}  // namespace warpsim
