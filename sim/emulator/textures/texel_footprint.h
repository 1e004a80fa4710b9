// The texels that a texture or surface operation of a warp accesses, as addresses for machines that time accesses.
//
// Modelled: texels that a filter gives a weight of 0 are not fetched; requests of groups of lanes, each of which asks
// for a sector once. Evidence: sectors of an H200 in tests/hardware/texture_traffic.
#pragma once

#include <cstdint>
#include <vector>

#include "base/lane_addresses.h"
#include "emulator/textures/texture_description.h"

namespace warpsim {

class TexelFootprint {
 public:
  enum class Use : std::uint8_t {
    kFetch,  // of textures
    kLoad,   // of surfaces
    kStore,  // of surfaces, and updates
  };
  // A new operation; what is known of earlier ones is lost.
  void begin(Use use);
  // The accesses that follow are those of this lane to this object, of so many bytes each. Lanes ascend. `filter`:
  // dimensions of it.
  void begin_lane(std::uint32_t lane, std::uint32_t bytes, const TextureDescription& texture, std::uint32_t filter = 0);
  // `x_bytes` in a row of an existing slice.
  void add(const TextureDescription& texture, std::uint64_t x_bytes, std::uint64_t row, std::uint64_t slice);

  // As in LaneAddresses.
  TexelAccess access() const;
  const Address* addresses() const { return addresses_.data(); }

 private:
  Use use_ = Use::kFetch;
  bool first_ = true;
  TexelAccess access_;
  std::uint32_t group_ = 0;      // of the current lane
  std::size_t group_begin_ = 0;  // its addresses
  std::vector<Address> addresses_;
};

}  // namespace warpsim
