// Where GPCs and slices are on a network of stations: partition by partition, GPCs spread evenly among the stations of
// slices. Neighbouring slices of a partition share a station.
#pragma once

#include <cstdint>
#include <vector>

#include "warpsim/network.h"

namespace warpsim::mechanism {

class Stations {
 public:
  Stations(const NetworkSite& site, std::uint32_t slices_per_station);

  std::uint32_t count() const { return count_; }
  std::uint32_t of_gpc(std::uint32_t gpc) const { return of_gpc_[gpc]; }
  std::uint32_t of_slice(std::uint32_t slice) const { return of_slice_[slice]; }
  std::uint32_t from(const NetworkMessage& message) const {
    return message.response ? of_slice(message.slice) : of_gpc(message.gpc);
  }
  std::uint32_t to(const NetworkMessage& message) const {
    return message.response ? of_gpc(message.gpc) : of_slice(message.slice);
  }

 private:
  std::uint32_t count_ = 0;
  std::vector<std::uint32_t> of_gpc_;
  std::vector<std::uint32_t> of_slice_;
};

}  // namespace warpsim::mechanism
