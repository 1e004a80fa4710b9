// The bytes of tensor maps, against those that the driver of an H100 makes (tests/hardware/tensor_maps).
#include "emulator/memory/tensor_map.h"

#include <array>
#include <catch2/catch.hpp>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>

namespace warpsim {
namespace {

struct Recorded {
  TensorMap map;
  std::array<std::uint32_t, 32> words{};
};

Recorded parse(const std::string& line) {
  std::istringstream in(line);
  Recorded recorded;
  TensorMap& map = recorded.map;
  std::string mode;
  std::uint32_t type = 0;
  std::uint32_t rank = 0;
  in >> mode >> type >> rank >> std::hex >> map.address >> std::dec;
  map.in_columns = mode == "columns";
  map.type = static_cast<TensorType>(type);
  map.dimensions = static_cast<std::uint8_t>(rank);
  const auto numbers = [&](auto& values, std::size_t first) {
    for (std::size_t i = first; i < kMostTensorDimensions; ++i) {
      std::uint64_t value = 0;
      in >> value;
      values[i] = static_cast<std::remove_reference_t<decltype(values[i])>>(value);
    }
  };
  numbers(map.size, 0);
  map.stride[0] = bytes_of(map.type);
  numbers(map.stride, 1);
  numbers(map.box, 0);
  numbers(map.element_stride, 0);
  std::uint32_t swizzle = 0;
  std::uint32_t promotion = 0;  // is not kept
  std::uint32_t channels = 0;
  in >> swizzle >> promotion >> map.fills_nan >> channels >> map.pixels;
  map.swizzle = static_cast<std::uint8_t>(swizzle);
  for (auto* const corner : {&map.lower, &map.upper}) {
    for (std::size_t i = 1; i <= 3; ++i) {
      in >> (*corner)[i];
    }
  }
  for (std::uint32_t& word : recorded.words) {
    in >> std::hex >> word;
  }
  REQUIRE(in);
  constexpr std::uint32_t kPromotion = 3U << 17U;
  CHECK((recorded.words[2] & kPromotion) == promotion << 17U);
  recorded.words[2] &= ~kPromotion;
  if (map.in_columns) {
    map.box = {static_cast<std::uint16_t>(channels), 1, 1, 1, 1};
  } else {
    map.pixels = 0;
  }
  for (std::size_t i = rank; i < kMostTensorDimensions; ++i) {  // what the map does not have
    map.size[i] = 1;
    map.stride[i] = 0;
    map.box[i] = 1;
    map.element_stride[i] = 1;
  }
  return recorded;
}

TEST_CASE("tensor maps: the driver of an H100 makes the same bytes, and they are read back") {
  std::ifstream file(WARPSIM_SOURCE_DIR "/tests/hardware/tensor_maps/h100.txt");
  std::size_t maps = 0;
  for (std::string line; std::getline(file, line); ++maps) {
    INFO(line);
    const Recorded recorded = parse(line);
    std::array<std::byte, kTensorMapBytes> bytes{};
    recorded.map.encode(bytes.data());
    std::array<std::uint32_t, 32> words{};
    std::memcpy(words.data(), bytes.data(), sizeof words);
    CHECK(words == recorded.words);
    TensorMap read;
    REQUIRE(read.decode(bytes.data()));
    CHECK(read.address == recorded.map.address);
    CHECK(read.type == recorded.map.type);
    CHECK(read.dimensions == recorded.map.dimensions);
    CHECK(read.size == recorded.map.size);
    CHECK(read.stride == recorded.map.stride);
    CHECK(read.box == recorded.map.box);
    CHECK(read.element_stride == recorded.map.element_stride);
    CHECK(read.swizzle == recorded.map.swizzle);
    CHECK(read.fills_nan == recorded.map.fills_nan);
    CHECK(read.in_columns == recorded.map.in_columns);
    CHECK(read.pixels == recorded.map.pixels);
    CHECK(read.lower == recorded.map.lower);
    CHECK(read.upper == recorded.map.upper);
  }
  CHECK(maps > 200);
}

TEST_CASE("tensor maps: zeros and fields without a meaning are no map") {
  std::array<std::byte, kTensorMapBytes> bytes{};
  TensorMap map;
  CHECK_FALSE(map.decode(bytes.data()));
  TensorMap{.address = 4096, .dimensions = 2}.encode(bytes.data());
  CHECK(map.decode(bytes.data()));
  bytes[8] |= std::byte{0x70};  // eight dimensions
  CHECK_FALSE(map.decode(bytes.data()));
}

}  // namespace
}  // namespace warpsim
