#include "emulator/textures/texel_footprint.h"

#include <catch2/catch.hpp>
#include <vector>

#include "emulator/textures/texture_sampling.h"

namespace warpsim {
namespace {

using Shape = TextureDescription::Shape;
using Use = TexelFootprint::Use;

TextureDescription texture_of(Shape shape, std::uint32_t channels = 1, bool linear = false) {
  TextureDescription texture;
  texture.shape = shape;
  texture.data = 0x10000;
  texture.width = 64;
  texture.height = 64;
  texture.depth = shape == Shape::kArray3d ? 4 : 0;
  texture.channels = channels;
  texture.pitch_bytes = texture.width * texture.texel_bytes();
  texture.linear_filter = linear;
  return texture;
}

// Lanes fetch at x = `first` + lane, and the same y and z for all.
TexelFootprint fetched(const TextureDescription& texture, std::uint32_t dimensions, std::uint32_t lanes, double first,
                       double y = 0.5, double z = 0.5) {
  TexelFootprint footprint;
  footprint.begin(Use::kFetch);
  for (std::uint32_t lane = 0; lane < lanes; ++lane) {
    footprint.begin_lane(lane, static_cast<std::uint32_t>(texture.texel_bytes()), texture,
                         texture.linear_filter ? dimensions : 0);
    TexelCoordinates coordinates;
    coordinates.dimensions = dimensions;
    coordinates.at = {first + lane, y, z};
    sample({&texture, nullptr, &footprint}, coordinates);
  }
  return footprint;
}

std::vector<Address> sectors_of(const TexelFootprint& footprint) {
  std::vector<Address> sectors(footprint.addresses(), footprint.addresses() + footprint.access().count);
  for (Address& each : sectors) {
    each = each / kSectorBytes * kSectorBytes;
  }
  return sectors;
}

TEST_CASE("four lanes ask for a sector once") {
  const TextureDescription texture = texture_of(Shape::kArray2d);
  const TexelFootprint footprint = fetched(texture, 2, 8, 0.5);
  CHECK(sectors_of(footprint) == std::vector<Address>{0x10000, 0x10020});
  CHECK((footprint.addresses()[1] & LaneAddresses::kFirstOfGroup) != 0);
  CHECK(footprint.access().group_lanes == 4);
  CHECK(footprint.access().texel_bytes == 4);
  CHECK_FALSE(footprint.access().by_lane);
}

TEST_CASE("a filter asks for the texels that have a weight") {
  const TextureDescription texture = texture_of(Shape::kArray2d, 1, true);
  CHECK(sectors_of(fetched(texture, 2, 1, 3.5)).size() == 1);   // exactly at a texel
  CHECK(sectors_of(fetched(texture, 2, 1, 4)).size() == 2);     // left and right are in two sectors
  CHECK(sectors_of(fetched(texture, 2, 1, 4, 2)).size() == 4);  // and so are above and below
  CHECK(sectors_of(fetched(texture, 2, 1, 4, 1)).size() == 2);  // not so here
  CHECK(fetched(texture, 2, 1, 4).access().filter == 2);
}

TEST_CASE("filters of volumes and of wide texels ask for two lanes at a time") {
  const TexelFootprint volume = fetched(texture_of(Shape::kArray3d, 1, true), 3, 4, 0.5);
  CHECK(volume.access().group_lanes == 2);
  CHECK(sectors_of(volume) == std::vector<Address>{0x10000, 0x10000});
  CHECK(fetched(texture_of(Shape::kArray2d, 4, true), 2, 4, 0.5).access().group_lanes == 2);
  CHECK(fetched(texture_of(Shape::kArray2d, 2, true), 2, 4, 0.5).access().group_lanes == 4);
  CHECK(fetched(texture_of(Shape::kArray3d), 3, 4, 0.5).access().group_lanes == 4);
}

TEST_CASE("texels of linear memory are those of the lanes, eight of them a request") {
  const TexelFootprint narrow = fetched(texture_of(Shape::kLinear), 1, 8, 0);
  CHECK(narrow.access().by_lane);
  CHECK(narrow.access().group_lanes == 8);
  REQUIRE(narrow.access().count == 8);
  CHECK(narrow.addresses()[7] == 0x1001c);
  CHECK(fetched(texture_of(Shape::kLinear, 4), 1, 8, 0).access().group_lanes == 4);
}

TEST_CASE("a border has no texels") {
  TextureDescription texture = texture_of(Shape::kArray2d);
  texture.address_mode[0] = TextureDescription::AddressMode::kBorder;
  CHECK(fetched(texture, 2, 1, -2).access().count == 0);
  texture.address_mode[0] = TextureDescription::AddressMode::kClamp;
  CHECK(fetched(texture, 2, 1, -2).access().count == 1);
}

TEST_CASE("stores to surfaces are those of the lanes, loads are sectors") {
  const TextureDescription texture = texture_of(Shape::kArray2d);
  TexelFootprint footprint;
  footprint.begin(Use::kStore);
  footprint.begin_lane(3, 4, texture);
  footprint.add(texture, 4, 1, 0);
  CHECK(footprint.access().by_lane);
  CHECK(footprint.addresses()[0] == 0x10000 + 16 + 4);
  footprint.begin(Use::kLoad);
  footprint.begin_lane(3, 4, texture);
  footprint.add(texture, 4, 1, 0);
  CHECK_FALSE(footprint.access().by_lane);
  CHECK(footprint.access().group_lanes == 8);
  CHECK(footprint.access().count == 1);
}

}  // namespace
}  // namespace warpsim
