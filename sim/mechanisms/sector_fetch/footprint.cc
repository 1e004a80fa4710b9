#include "mechanisms/sector_fetch/footprint.h"

#include <bit>

#include "mechanisms/table_index.h"

namespace warpsim::mechanism {

void Footprint::Settings::describe(Keys& keys) {
  keys.integer("table_entries", table_entries, 1, 65536, "footprints");
  keys.integer("region_lines", region_lines, 1, 65536, "neighbouring lines of a slice of L2 with one footprint");
}

Footprint::Footprint(const Settings& settings, const SectorFetchSite& /*site*/, Counters& counters)
    : settings_(settings),
      table_(settings.table_entries, SectorMask{0}),
      known_(counters.add("known", CounterUnit::kEvents, "misses whose entry holds a footprint")) {}

SectorMask Footprint::fetch(const SectorMiss& miss, std::uint32_t& memo) {
  const Address place = miss.pc != 0 ? miss.pc : miss.line / kLineBytes / settings_.region_lines;
  const auto first = static_cast<std::uint32_t>(std::countr_zero(miss.wanted));
  const std::uint32_t entry = table_index(place * kSectorsPerLine + first, settings_.table_entries);
  known_ += table_[entry] != 0 ? 1 : 0;
  // The entry of the line's first miss learns.
  memo = memo != 0 ? memo : entry + 1;
  return static_cast<SectorMask>(miss.wanted | (table_[entry] & miss.absent));
}

void Footprint::leaves(const SectorUse& line) {
  if (line.memo != 0) {
    table_[line.memo - 1] = line.used;
  }
}

}  // namespace warpsim::mechanism
