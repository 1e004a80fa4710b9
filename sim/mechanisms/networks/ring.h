// A ring of stations in both directions; a message takes the shorter way.
#pragma once

#include <cstdint>

#include "mechanisms/networks/station_links.h"
#include "mechanisms/networks/stations.h"

namespace warpsim::mechanism {

class Ring final : public Network {
 public:
  using Settings = StationLinks::Settings;

  Ring(const Settings& settings, const NetworkSite& site, Counters& counters)
      : stations_(site, settings.slices_per_station), links_(settings, 2 * stations_.count(), counters) {}

  Cycle arrival(const NetworkMessage& message, Cycle now) override {
    const std::uint32_t count = stations_.count();
    const std::uint32_t to = stations_.to(message);
    std::uint32_t at = stations_.from(message);
    const bool upwards = (to + count - at) % count <= count / 2;
    StationLinks::Way way = links_.begin(message, now);
    while (at != to) {
      links_.pass(way, upwards ? at : count + at);
      at = (at + (upwards ? 1 : count - 1)) % count;
    }
    return StationLinks::end(way);
  }

 private:
  Stations stations_;
  StationLinks links_;
};

}  // namespace warpsim::mechanism
