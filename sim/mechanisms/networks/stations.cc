#include "mechanisms/networks/stations.h"

#include <algorithm>

namespace warpsim::mechanism {

Stations::Stations(const NetworkSite& site, std::uint32_t slices_per_station)
    : of_gpc_(site.gpcs, 0), of_slice_(site.slices, 0) {
  const std::uint32_t per_partition = std::max(site.slices / site.partitions, 1U);
  for (std::uint32_t partition = 0; partition < site.partitions; ++partition) {
    std::vector<std::uint32_t> gpcs;
    for (std::uint32_t gpc = 0; gpc < site.gpcs; ++gpc) {
      if (site.partition_of_gpc[gpc] == partition) {
        gpcs.push_back(gpc);
      }
    }
    const std::uint32_t memory = (per_partition + slices_per_station - 1) / slices_per_station;
    const auto all = static_cast<std::uint32_t>(gpcs.size()) + memory;
    std::uint32_t next_gpc = 0;
    std::uint32_t next_memory = 0;
    for (std::uint32_t i = 0; i < all; ++i) {
      // The GPCs that should have a station among the first i + 1.
      const auto due = static_cast<std::uint32_t>((std::uint64_t{i} + 1) * gpcs.size() / all);
      if ((next_gpc < due || next_memory == memory) && next_gpc < gpcs.size()) {
        of_gpc_[gpcs[next_gpc++]] = count_++;
        continue;
      }
      for (std::uint32_t slice = next_memory * slices_per_station;
           slice < std::min((next_memory + 1) * slices_per_station, per_partition); ++slice) {
        of_slice_[partition * per_partition + slice] = count_;
      }
      ++next_memory;
      ++count_;
    }
  }
}

}  // namespace warpsim::mechanism
