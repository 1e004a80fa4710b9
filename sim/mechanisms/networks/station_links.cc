#include "mechanisms/networks/station_links.h"

namespace warpsim::mechanism {

void StationLinks::Settings::describe(Keys& keys) {
  keys.integer("slices_per_station", slices_per_station, 1, 512, "neighbouring L2 slices that share a station");
  keys.integer("hop_cycles", hop_cycles, 1, 1000, "L2 cycles from a station to the next one");
  keys.real("link_bytes_per_cycle", link_bytes_per_cycle, 1, 1e6, "bytes of a link in one direction per L2 cycle");
}

}  // namespace warpsim::mechanism
