#include "emulator/textures/texture_sampling.h"

#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <vector>

#include "emulator/textures/texture_coordinates.h"
#include "emulator/textures/texture_unit.h"

namespace warpsim::test {
namespace {

using AddressMode = TextureDescription::AddressMode;
using Channel = TextureDescription::Channel;
using Shape = TextureDescription::Shape;

// A texture of one dimension of floats 10, 20, 30, 40.
struct Line {
  std::vector<float> texels = {10, 20, 30, 40};
  TextureDescription texture;
  Line(AddressMode mode, bool linear, bool normalised) {
    texture.shape = Shape::kArray1d;
    texture.width = 4;
    texture.pitch_bytes = 16;
    texture.address_mode[0] = mode;
    texture.linear_filter = linear;
    texture.normalized_coordinates = normalised;
    texture.border[0] = -1;
  }
  float at(double x, std::int32_t offset = 0) const {
    TexelCoordinates coordinates;
    coordinates.at[0] = x;
    coordinates.offset[0] = offset;
    return std::bit_cast<float>(sample({&texture, reinterpret_cast<const std::byte*>(texels.data())}, coordinates)[0]);
  }
};

TEST_CASE("the nearest texel has the integer part of the coordinate as its number") {
  const Line line(AddressMode::kClamp, false, false);
  CHECK(line.at(0) == 10);
  CHECK(line.at(0.999) == 10);
  CHECK(line.at(1) == 20);
  CHECK(line.at(3.999) == 40);
  CHECK(line.at(1, 2) == 40);
  const Line normalised(AddressMode::kClamp, false, true);
  CHECK(normalised.at(0.25) == 20);
  CHECK(normalised.at(0.2499) == 10);
  CHECK(normalised.at(0.999) == 40);
}

TEST_CASE("coordinates beyond the edges follow the addressing mode") {
  const Line wrap(AddressMode::kWrap, false, true);
  CHECK(wrap.at(1.25) == 20);
  CHECK(wrap.at(-0.25) == 40);
  const Line mirror(AddressMode::kMirror, false, true);
  CHECK(mirror.at(1.1) == 40);
  CHECK(mirror.at(1.9) == 10);
  CHECK(mirror.at(2.3) == 20);
  CHECK(mirror.at(-0.1) == 10);
  CHECK(mirror.at(-0.9) == 40);
  const Line clamp(AddressMode::kClamp, false, true);
  CHECK(clamp.at(-7) == 10);
  CHECK(clamp.at(7) == 40);
  const Line border(AddressMode::kBorder, false, true);
  CHECK(border.at(1) == -1);
  CHECK(border.at(-0.001) == -1);
  CHECK(border.at(0.999) == 40);
}

TEST_CASE("without normalised coordinates textures neither wrap nor mirror") {
  for (const AddressMode mode : {AddressMode::kWrap, AddressMode::kMirror}) {
    const Line line(mode, false, false);
    CHECK(line.at(5) == 40);
    CHECK(line.at(-1) == 10);
  }
}

TEST_CASE("a linear filter weights the two texels around the coordinate") {
  const Line line(AddressMode::kClamp, true, false);
  CHECK(line.at(0.5) == 10);
  CHECK(line.at(1) == 15);
  CHECK(line.at(1.25) == 17.5);
  CHECK(line.at(0.25) == 10);
  CHECK(line.at(9) == 40);
  const Line wrap(AddressMode::kWrap, true, true);
  CHECK(wrap.at(0) == 25);  // halfway between the last and the first
  const Line border(AddressMode::kBorder, true, false);
  CHECK(border.at(0) == 4.5);
}

TEST_CASE("weights have 8 bits of fraction") {
  const Line line(AddressMode::kClamp, true, false);
  CHECK(line.at(0.5 + 1.0 / 256) == 10 + 10.0F / 256);
  CHECK(line.at(0.5 + 1.4 / 256) == 10 + 10.0F / 256);
  CHECK(line.at(0.5 + 1.6 / 256) == 10 + 20.0F / 256);
}

TEST_CASE("weights of a footprint are whole parts of 256") {
  // Fractions of 1/256 each: the products would be 65025, 255, 255 and 1 of 65536.
  const std::vector<float> texels = {256, 0, 0, 65536};
  TextureDescription texture;
  texture.shape = Shape::kArray2d;
  texture.width = texture.height = 2;
  texture.pitch_bytes = 8;
  texture.linear_filter = true;
  TexelCoordinates coordinates;
  coordinates.dimensions = 2;
  coordinates.at = {0.5 + 1.0 / 256, 0.5 + 1.0 / 256, 0};
  const Texel texel = sample({&texture, reinterpret_cast<const std::byte*>(texels.data())}, coordinates);
  CHECK(std::bit_cast<float>(texel[0]) == 254);
}

// Levels of 4, 2 and 1 texels, of the values 10, 20 and 40.
struct Levels {
  std::vector<float> texels = {10, 10, 10, 10, 20, 20, 40};
  TextureDescription texture;
  explicit Levels(bool blends) {
    texture.shape = Shape::kArray1d;
    texture.width = 4;
    texture.pitch_bytes = 16;
    texture.normalized_coordinates = true;
    texture.blends_levels = blends;
    texture.most_level = 10;
    TextureDescription level = texture;
    level.width = 2;
    level.data = 16;
    texture.smaller.push_back(level);
    level.width = 1;
    level.data = 24;
    texture.smaller.push_back(level);
  }
  float at(double level) const {
    TexelCoordinates coordinates;
    coordinates.at[0] = 0.5;
    const TexelImage image = {&texture, reinterpret_cast<const std::byte*>(texels.data())};
    return std::bit_cast<float>(sample_level(image, coordinates, level)[0]);
  }
};

TEST_CASE("a level of detail chooses the nearest level, or blends two") {
  const Levels nearest(false);
  CHECK(nearest.at(-3) == 10);
  CHECK(nearest.at(127.0 / 256) == 10);
  CHECK(nearest.at(0.5) == 20);
  CHECK(nearest.at(9) == 40);
  const Levels blended(true);
  CHECK(blended.at(0.25) == 12.5F);
  CHECK(blended.at(1.5) == 30);
  CHECK(blended.at(1.0 / 512) == 10);  // less than a part of 256
}

TEST_CASE("levels of detail have a bias and limits") {
  Levels levels(true);
  levels.texture.level_bias = 0.5F;
  CHECK(levels.at(0.5) == 20);
  levels.texture.least_level = 1.25F;
  CHECK(levels.at(0) == 25);
  levels.texture.most_level = 1.75F;
  CHECK(levels.at(9) == 35);
}

TEST_CASE("gradients give a level by an estimate of their length") {
  TextureDescription texture;
  texture.shape = Shape::kArray2d;
  texture.width = 16;
  texture.height = 32;
  texture.normalized_coordinates = true;
  CHECK(level_of_gradients(texture, 2, {0.25, 0, 0}, {0, 0.0625, 0}) == 2);
  // 8 and 8 texels along one line: 11/16 of their sum.
  CHECK(level_of_gradients(texture, 2, {0.5, 0, 0}, {0.5, 0, 0}) == Approx(std::log2(11)));
}

TEST_CASE("coordinates that are NaN are safe") {
  const Line line(AddressMode::kClamp, true, false);
  CHECK(line.at(std::numeric_limits<double>::quiet_NaN()) == 10);
  CHECK(line.at(std::numeric_limits<double>::infinity()) == 40);
}

Texel texel_of(TextureDescription texture, const std::vector<std::uint8_t>& bytes, std::uint32_t index) {
  texture.shape = Shape::kArray1d;
  texture.width = bytes.size() / texture.texel_bytes();
  texture.pitch_bytes = bytes.size();
  TexelCoordinates coordinates;
  coordinates.at[0] = index;
  coordinates.integer = true;
  return sample({&texture, reinterpret_cast<const std::byte*>(bytes.data())}, coordinates);
}

TEST_CASE("texels are read in their format") {
  TextureDescription texture;
  texture.channels = 2;
  texture.channel_bits = 8;
  texture.channel = Channel::kSigned;
  CHECK(texel_of(texture, {1, 2, 0xff, 3}, 1) == Texel{0xffffffff, 3, 0, 0});
  texture.channel = Channel::kUnsigned;
  CHECK(texel_of(texture, {1, 2, 0xff, 3}, 1) == Texel{0xff, 3, 0, 0});
  texture.channel_bits = 16;
  texture.channel = Channel::kFloat;
  CHECK(texel_of(texture, {0x00, 0x3c, 0x00, 0xc0}, 0) ==
        Texel{std::bit_cast<std::uint32_t>(1.0F), std::bit_cast<std::uint32_t>(-2.0F), 0, 0});
}

TEST_CASE("integers read as floats are between 0 or -1 and 1") {
  TextureDescription texture;
  texture.channels = 1;
  texture.channel_bits = 8;
  texture.normalized_values = true;
  const auto value = [&](std::uint8_t byte) { return std::bit_cast<float>(texel_of(texture, {byte}, 0)[0]); };
  texture.channel = Channel::kUnsigned;
  CHECK(value(255) == 1);
  CHECK(value(51) == 0.2F);
  texture.channel = Channel::kSigned;
  CHECK(value(127) == 1);
  CHECK(value(0x81) == -1);
  CHECK(value(0x80) == -1);
  texture.channel = Channel::kUnsigned;
  texture.srgb = true;
  CHECK(value(255) == 1);
  CHECK(value(188) == Approx(0.5028864580));  // by the standard's formula
  CHECK(value(5) == Approx(5 / 255.0 / 12.92));
}

TEST_CASE("after linear memory everything is zero") {
  Line line(AddressMode::kClamp, false, false);
  line.texture.shape = Shape::kLinear;
  TexelCoordinates coordinates;
  coordinates.integer = true;
  for (const double x : {-1.0, 4.0, 1e9}) {
    coordinates.at[0] = x;
    CHECK(sample({&line.texture, reinterpret_cast<const std::byte*>(line.texels.data())}, coordinates) == Texel{});
  }
}

TEST_CASE("a direction selects the face of its longest component") {
  const auto face = [](double x, double y, double z) { return cube_face(x, y, z).face; };
  CHECK(face(2, 1, -1) == 0);
  CHECK(face(-2, 1, 1) == 1);
  CHECK(face(1, 2, 1) == 2);
  CHECK(face(1, -2, 1) == 3);
  CHECK(face(1, -1, 2) == 4);
  CHECK(face(1, 1, -2) == 5);
  // +x: s = -z, t = -y
  CHECK(cube_face(4, 1, 2).s == 0.25);
  CHECK(cube_face(4, 1, 2).t == 0.375);
  // -z: s = -x, t = -y
  CHECK(cube_face(1, 2, -4).s == 0.375);
  CHECK(cube_face(1, 2, -4).t == 0.25);
}

TEST_CASE("layers and slices follow each other, rows have a pitch") {
  // Two layers of two rows of two texels, and a gap after each row.
  const std::vector<float> texels = {1, 2, -9, 3, 4, -9, 5, 6, -9, 7, 8, -9};
  TextureDescription texture;
  texture.shape = Shape::kArray2d;
  texture.width = 2;
  texture.height = 2;
  texture.layers = 2;
  texture.pitch_bytes = 12;
  CHECK(texture.bytes() == 44);
  const TexelImage image{&texture, reinterpret_cast<const std::byte*>(texels.data())};
  TexelCoordinates coordinates;
  coordinates.dimensions = 2;
  coordinates.at = {1, 1, 0};
  coordinates.layer = 1;
  CHECK(std::bit_cast<float>(sample(image, coordinates)[0]) == 8);
  coordinates.layer = 7;
  CHECK(std::bit_cast<float>(sample(image, coordinates)[0]) == 8);
  coordinates.layer = 0;
  const Texel four = gather(image, coordinates, 0);
  CHECK(std::bit_cast<float>(four[0]) == 3);
  CHECK(std::bit_cast<float>(four[1]) == 4);
  CHECK(std::bit_cast<float>(four[2]) == 2);
  CHECK(std::bit_cast<float>(four[3]) == 1);
}

TEST_CASE("numbers of objects are not reused") {
  TextureUnit unit;
  TextureDescription texture;
  texture.width = 5;
  const std::uint64_t first = unit.create(texture);
  const std::uint64_t second = unit.create(texture);
  CHECK(first != 0);
  CHECK(second != first);
  unit.destroy(first);
  CHECK(unit.find(first) == nullptr);
  REQUIRE(unit.find(second) != nullptr);
  CHECK(unit.find(second)->width == 5);
  CHECK(unit.create(texture) != first);
  CHECK(unit.find(0) == nullptr);
  CHECK(unit.find(99) == nullptr);
}

}  // namespace
}  // namespace warpsim::test
