#include "emulator/textures/texture_layout.h"

#include <catch2/catch.hpp>
#include <set>

namespace warpsim {
namespace {

using Shape = TextureDescription::Shape;

TextureDescription array(std::uint64_t width, std::uint64_t height, std::uint64_t slices) {
  TextureDescription texture;
  texture.shape = slices == 1 ? Shape::kArray2d : Shape::kArray3d;
  texture.data = 0x10000;
  texture.width = width;
  texture.height = height;
  texture.depth = slices == 1 ? 0 : slices;
  texture.pitch_bytes = 4 * width;
  return texture;
}

TEST_CASE("texels of linear and pitched memory have the addresses of the program") {
  TextureDescription texture = array(64, 16, 1);
  texture.pitch_bytes = 512;
  texture.shape = GENERATE(Shape::kLinear, Shape::kPitched);
  CHECK(texel_address(texture, 12, 3, 0) == 0x10000 + 3 * 512 + 12);
}

TEST_CASE("a sector of an array holds 16 bytes of two rows, a line 32 bytes of four") {
  const TextureDescription texture = array(64, 64, 1);
  const auto sector = [&](std::uint64_t x, std::uint64_t y) { return texel_address(texture, x, y, 0) / kSectorBytes; };
  const auto line = [&](std::uint64_t x, std::uint64_t y) { return line_of(texel_address(texture, x, y, 0)); };
  CHECK(sector(0, 0) == sector(15, 1));
  CHECK(sector(0, 0) != sector(16, 0));
  CHECK(sector(0, 0) != sector(0, 2));
  CHECK(line(0, 0) == line(31, 3));
  CHECK(line(0, 0) != line(32, 0));
  CHECK(line(0, 0) != line(0, 4));
  CHECK(texel_address(texture, 0, 0, 0) == 0x10000);
  CHECK(texel_address(texture, 63, 7, 0) == 0x10000 + 511);
  CHECK(texel_address(texture, 0, 8, 0) == 0x10000 + 512);  // blocks below each other follow one another
}

TEST_CASE("all bytes of an array have different addresses within its size") {
  const auto width = GENERATE(1U, 16U, 17U, 100U);
  const auto height = GENERATE(1U, 7U, 9U, 40U, 200U);
  const TextureDescription texture = array(width, height, 3);
  std::set<Address> seen;
  for (std::uint64_t slice = 0; slice < 3; ++slice) {
    for (std::uint64_t row = 0; row < height; ++row) {
      for (std::uint64_t x = 0; x < std::uint64_t{4} * width; x += 4) {
        seen.insert(texel_address(texture, x, row, slice));
      }
    }
  }
  CHECK(seen.size() == std::size_t{3} * width * height);
  CHECK(*seen.begin() >= 0x10000);
  CHECK(*seen.rbegin() + 4 <= 0x10000 + array_bytes(std::uint64_t{4} * width, height, 3));
}

TEST_CASE("neighbouring sectors of an array and rows of pitched memory are in different banks") {
  const TextureDescription texture = array(64, 64, 1);
  const std::set<std::uint32_t> banks = {texel_bank(texture, 0, 0), texel_bank(texture, 16, 0),
                                         texel_bank(texture, 0, 2), texel_bank(texture, 16, 2)};
  CHECK(banks.size() == 4);
  CHECK(texel_bank(texture, 0, 0) == texel_bank(texture, 15, 1));
  TextureDescription pitched = texture;
  pitched.shape = Shape::kPitched;
  CHECK(texel_bank(pitched, 0, 0) != texel_bank(pitched, 0, 1));
  CHECK(texel_bank(pitched, 0, 0) != texel_bank(pitched, 32, 0));
}

}  // namespace
}  // namespace warpsim
