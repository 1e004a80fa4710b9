// Sectors by footprints: a line is fetched with the sectors that an earlier line of the same load needed.
//
// Source: Kumar and Wilkerson, "Exploiting Spatial Locality in Data Caches using Spatial Footprints", ISCA 1998, whose
// history table has an entry for each pair of an instruction and an offset in the line. Modelled: a table without tags,
// by the load and the first sector that it misses; in L2, whose requests carry no instruction, by the region of the
// line instead; a line that leaves writes the sectors that were used into its entry. Not modelled: tags, so that loads
// may share an entry. State: a mask per entry.
#pragma once

#include <cstdint>
#include <vector>

#include "warpsim/sector_fetch.h"

namespace warpsim::mechanism {

class Footprint final : public SectorFetch {
 public:
  struct Settings {
    std::uint32_t table_entries = 512;  // assumed: more than the loads of most kernels, four first sectors each
    std::uint32_t region_lines = 32;    // assumed: 4 KiB of one slice

    void describe(Keys& keys);
  };

  Footprint(const Settings& settings, const SectorFetchSite& site, Counters& counters);

  SectorMask fetch(const SectorMiss& miss, std::uint32_t& memo) override;
  void leaves(const SectorUse& line) override;

 private:
  Settings settings_;
  std::vector<SectorMask> table_;
  Counter known_;
};

}  // namespace warpsim::mechanism
