#include "microbench/families.h"

namespace warpsim::microbench {

const std::vector<FamilyEntry>& all_families() {
  static const std::vector<FamilyEntry> families = {
      {"lat_alu", lat_alu_family}, {"thr_alu", thr_alu_family}, {"mma", mma_family},
      {"diverge", diverge_family}, {"icache", icache_family},   {"launch", launch_family},
  };
  return families;
}

}  // namespace warpsim::microbench
