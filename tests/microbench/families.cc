#include "microbench/families.h"

namespace warpsim::microbench {

const std::vector<FamilyEntry>& all_families() {
  // clang-format off
  static const std::vector<FamilyEntry> families = {
      {"lat_alu", lat_alu_family},
      {"thr_alu", thr_alu_family},
      {"mma", mma_family},
      {"wgmma", wgmma_family},
      {"diverge", diverge_family},
      {"icache", icache_family},
      {"lat_mem", lat_mem_family},
      {"coalesce", coalesce_family},
      {"atomics", atomics_family},
      {"bw", bw_family},
      {"fabric", fabric_family},
      {"chase", chase_family},
      {"cpasync", cpasync_family},
      {"mlp", mlp_family},
      {"launch", launch_family},
  };
  // clang-format on
  return families;
}

}  // namespace warpsim::microbench
