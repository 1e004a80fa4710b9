#include "app/launch_file/launch_file.h"

#include <bit>
#include <catch2/catch.hpp>
#include <cstring>

#include "app/launch_file/launch_file_keys.h"
#include "base/error.h"
#include "support/temporary_folder.h"

namespace warpsim {
namespace {

std::string error_of(const std::string& text) {
  try {
    parse_launch_file(text, "l.yaml");
  } catch (const UserError& error) {
    return error.what();
  }
  return "no error";
}

template <class T>
T at(const LaunchParameter& parameter, std::size_t offset) {
  T value;
  REQUIRE(offset + sizeof value <= parameter.bytes.size());
  std::memcpy(&value, parameter.bytes.data() + offset, sizeof value);
  return value;
}

TEST_CASE("launch file: a kernel is the minimum") {
  const LaunchFile file = parse_launch_file("kernel: k\n", "l.yaml");
  REQUIRE(file.launches.size() == 1);
  CHECK(file.launches[0].kernel == "k");
  CHECK(file.launches[0].grid == Dim3{1, 1, 1});
  CHECK(file.launches[0].block == Dim3{1, 1, 1});
  CHECK_FALSE(file.launches[0].cluster);
  CHECK(file.launches[0].repeat == 1);
  CHECK_FALSE(file.printed);
  CHECK_FALSE(file.failure);
}

TEST_CASE("launch file: sizes are numbers or lists") {
  const LaunchFile file = parse_launch_file(
      "launches:\n"
      "  - {kernel: a, grid: [2, 3], block: 64, cluster: [2, 1, 1], dynamic_shared_bytes: 100, cooperative: true}\n"
      "  - {kernel: b, grid: 7, block: [8, 4, 2], repeat: 3}\n",
      "l.yaml");
  REQUIRE(file.launches.size() == 2);
  CHECK(file.launches[0].grid == Dim3{2, 3, 1});
  CHECK(file.launches[0].block == Dim3{64, 1, 1});
  CHECK(file.launches[0].cluster == Dim3{2, 1, 1});
  CHECK(file.launches[0].dynamic_shared_bytes == 100);
  CHECK(file.launches[0].cooperative);
  CHECK(file.launches[1].block == Dim3{8, 4, 2});
  CHECK(file.launches[1].repeat == 3);
}

TEST_CASE("launch file: parameters become bytes and references") {
  const LaunchFile file = parse_launch_file(
      "kernel: k\n"
      "buffers: [{name: a, type: f32, elements: 4}]\n"
      "parameters: [a, {buffer: a, offset: 8}, {s32: -5}, {f64: 0.5}, {bytes: [1, 2, 255]},\n"
      "             {struct: [{u8: 7}, {f32: 1}, a, {u16: 3}]}]\n",
      "l.yaml");
  const std::vector<LaunchParameter>& p = file.launches[0].parameters;
  REQUIRE(p.size() == 6);
  CHECK(p[0].bytes.size() == 8);
  REQUIRE(p[0].references.size() == 1);
  CHECK(p[0].references[0].name == "a");
  CHECK(p[1].references[0].add == 8);
  CHECK(at<std::int32_t>(p[2], 0) == -5);
  CHECK(at<double>(p[3], 0) == 0.5);
  CHECK(p[4].bytes.size() == 3);
  CHECK(at<std::uint8_t>(p[4], 2) == 255);
  // The layout of a compiler: 0, 4, 8, 16, and padded to a multiple of 8.
  CHECK(p[5].bytes.size() == 24);
  CHECK(at<std::uint8_t>(p[5], 0) == 7);
  CHECK(at<float>(p[5], 4) == 1.0F);
  CHECK(p[5].references.at(0).offset == 8);
  CHECK(at<std::uint16_t>(p[5], 16) == 3);
}

TEST_CASE("launch file: a list determines the number of elements of a buffer") {
  const LaunchFile file = parse_launch_file(
      "kernel: k\n"
      "buffers: [{name: a, type: u8, initial: {list: [1, 2, 3]}}]\n"
      "expect: [{buffer: a, first: 1, values: {list: [2, 3]}, absolute: 1}]\n",
      "l.yaml");
  CHECK(file.buffers[0].elements == 3);
  CHECK(file.expectations[0].first == 1);
  CHECK(file.expectations[0].elements == 2);
  CHECK(file.expectations[0].tolerance.absolute == 1);
  CHECK(error_of("kernel: k\nbuffers: [{name: a, type: u8, elements: 4, initial: {list: [1]}}]\n") ==
        "l.yaml:2:11: 4 elements, but values for 1");
  CHECK(error_of("kernel: k\nbuffers: [{name: a, type: u8}]\n") == "l.yaml:2:11: 'elements' of buffer 'a' is missing");
}

TEST_CASE("launch file: files are relative to its folder") {
  const TemporaryFolder folder;
  folder.write("data.txt", "5 6 7\n");
  const std::string path =
      folder.write("l.yaml", "kernel: k\nbuffers: [{name: a, type: s64, initial: {file: data.txt}}]\n");
  const LaunchFile file = read_launch_file(path);
  CHECK(file.buffers[0].elements == 3);
  CHECK(element_of(ElementType::kS64, file.buffers[0].initial, 2) == 7);
  CHECK_THROWS_AS(read_launch_file(folder.at("none.yaml")), UserError);
}

TEST_CASE("launch file: all errors are reported at once, each with its place") {
  CHECK(error_of("grid: 0\n"
                 "blck: 32\n"
                 "buffers:\n"
                 "  - {name: a, type: f23, elements: 1}\n"
                 "  - {name: b, type: f32, elements: x}\n") ==
        "l.yaml:2:1: a launch file has no key 'blck'; did you mean 'block'?\n"
        "l.yaml:4:21: 'type' must be one of s8, u8, s16, u16, s32, u32, s64, u64, f16, bf16, f32, f64, got 'f23'; did "
        "you mean 'f32'?\n"
        "l.yaml:5:36: 'elements' of a buffer must be an integer from 1 to 1099511627776, got 'x'\n"
        "l.yaml:1:1: 'kernel' of a launch is missing\n"
        "l.yaml:1:7: 'grid' of a launch must be an integer from 1 to 2147483647, or a list of one to three of them");
}

TEST_CASE("launch file: undefined names are refused") {
  const std::string buffer = "kernel: k\nbuffers: [{name: array, type: f32, elements: 1}]\n";
  CHECK(
      error_of(buffer + "parameters: [aray]\n") ==
      "l.yaml:3:14: there is no buffer or texture 'aray'; did you mean 'array'?; a number needs its type, as {s32: 7}");
  CHECK(error_of(buffer + "expect: [{buffer: b, values: zeros}]\n") == "l.yaml:3:10: there is no buffer 'b'");
  CHECK(error_of(buffer + "expect: [{buffer: array, equals: b}]\n") ==
        "l.yaml:3:34: there is no buffer 'b' of type f32");
  CHECK(error_of(buffer + "textures: [{name: t, buffer: b, shape: linear, width: 1}]\n") ==
        "l.yaml:3:12: there is no buffer 'b'");
  CHECK(error_of(buffer + "textures: [{name: array, buffer: array, shape: linear, width: 1}]\n") ==
        "l.yaml:3:12: two buffers or textures are named 'array'");
}

TEST_CASE("launch file: contradictions are refused") {
  CHECK(error_of("kernel: k\nlaunches: [{kernel: k}]\n") ==
        "l.yaml:1:9: 'kernel' belongs to an item of 'launches', because the file has that list");
  CHECK(error_of("launches: []\n") == "l.yaml:1:11: there is no launch");
  CHECK(error_of("kernel: k\nbuffers: [{name: a, type: s8, elements: 2, initial: {value: 128}}]\n") ==
        "l.yaml:2:61: expected an integer from -128 to 127 (s8), got '128'");
  CHECK(
      error_of(
          "kernel: k\nbuffers: [{name: a, type: s8, elements: 2, initial: {random: {seed: 1, low: 3, high: 2}}}]\n") ==
      "l.yaml:2:62: 'low' must not be above 'high'");
  CHECK(error_of("kernel: k\nbuffers: [{name: a, type: s8, elements: 2}]\nexpect: [{buffer: a}]\n") ==
        "l.yaml:3:10: an expectation has either 'values' or 'equals'");
  CHECK(error_of("kernel: k\nparameters: [{s32: 1, u32: 2}]\n") ==
        "l.yaml:2:14: a parameter is a map with one key, as {s32: 1000} or {buffer: a}");
  CHECK(error_of("kernel: k\nfailure: {reason: asert}\n").find("did you mean 'assert'?") != std::string::npos);
}

TEST_CASE("launch file: a texture has the type of its buffer") {
  const LaunchFile file = parse_launch_file(
      "kernel: k\n"
      "buffers: [{name: b, type: u8, elements: 32}]\n"
      "textures:\n"
      "  - {name: t, buffer: b, shape: array_2d, width: 4, height: 2, channels: 4, filter: linear,\n"
      "     address_mode: [wrap, border], normalized_coordinates: true, normalized_values: true, border: [1, 0, 0, "
      "0.5]}\n",
      "l.yaml");
  using cuda::TextureDescription;
  const TextureDescription& t = file.find_texture("t")->description;
  CHECK(t.shape == TextureDescription::Shape::kArray2d);
  CHECK(t.channel == TextureDescription::Channel::kUnsigned);
  CHECK(t.channel_bits == 8);
  CHECK(t.pitch_bytes == 16);
  CHECK(t.linear_filter);
  CHECK(t.address_mode[0] == TextureDescription::AddressMode::kWrap);
  CHECK(t.address_mode[1] == TextureDescription::AddressMode::kBorder);
  CHECK(t.border[3] == 0.5F);
  const LaunchFile cube = parse_launch_file(
      "kernel: k\n"
      "buffers: [{name: b, type: s32, elements: 48}]\n"
      "textures: [{name: t, buffer: b, shape: cubemap, width: 2, height: 2, layers: 2, border: [-1, 0, 0, 0]}]\n",
      "l.yaml");
  CHECK(cube.textures[0].description.layers == 12);
  CHECK(std::bit_cast<std::int32_t>(cube.textures[0].description.border[0]) == -1);
  CHECK(error_of("kernel: k\nbuffers: [{name: b, type: u8, elements: 4}]\n"
                 "textures: [{name: t, buffer: b, shape: array_1d, width: 4, filter: linear}]\n") ==
        "l.yaml:3:12: texture 't': integers are filtered only if 'normalized_values' is true");
}

TEST_CASE("launch-reference.md is what warpsim launch-reference prints") {
  const bool same = TemporaryFolder::read(WARPSIM_SOURCE_DIR "/docs/launch-reference.md") == launch_reference();
  INFO("update it with: warpsim launch-reference > docs/launch-reference.md");
  CHECK(same);
}

}  // namespace
}  // namespace warpsim
