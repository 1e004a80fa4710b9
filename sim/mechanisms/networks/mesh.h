// A mesh of stations, as square as their number allows; a message first goes along its row, then along the column.
// Stations fill the rows in turns from left to right and back, so that those with neighbouring numbers are neighbours.
#pragma once

#include <cstdint>

#include "mechanisms/networks/station_links.h"
#include "mechanisms/networks/stations.h"

namespace warpsim::mechanism {

class Mesh final : public Network {
 public:
  using Settings = StationLinks::Settings;

  Mesh(const Settings& settings, const NetworkSite& site, Counters& counters)
      : stations_(site, settings.slices_per_station),
        columns_(columns_for(stations_.count())),
        links_(settings, kDirections * columns_ * ((stations_.count() + columns_ - 1) / columns_), counters) {}

  Cycle arrival(const NetworkMessage& message, Cycle now) override {
    Place at = place_of(stations_.from(message));
    const Place to = place_of(stations_.to(message));
    StationLinks::Way way = links_.begin(message, now);
    while (at.column != to.column) {
      const bool right = at.column < to.column;
      links_.pass(way, link_of(at, right ? kRight : kLeft));
      at.column += right ? 1U : ~0U;
    }
    while (at.row != to.row) {
      const bool down = at.row < to.row;
      links_.pass(way, link_of(at, down ? kDown : kUp));
      at.row += down ? 1U : ~0U;
    }
    return StationLinks::end(way);
  }

 private:
  enum Direction : std::uint8_t { kRight, kLeft, kDown, kUp, kDirections };
  struct Place {
    std::uint32_t row;
    std::uint32_t column;
  };

  static std::uint32_t columns_for(std::uint32_t stations) {
    std::uint32_t columns = 1;
    while (columns * columns < stations) {
      ++columns;
    }
    return columns;
  }
  Place place_of(std::uint32_t station) const {
    const std::uint32_t row = station / columns_;
    const std::uint32_t column = station % columns_;
    return {row, row % 2 == 0 ? column : columns_ - 1 - column};
  }
  std::uint32_t link_of(const Place& place, Direction direction) const {
    return (place.row * columns_ + place.column) * kDirections + direction;
  }

  Stations stations_;
  std::uint32_t columns_;
  StationLinks links_;
};

}  // namespace warpsim::mechanism
