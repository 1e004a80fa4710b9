// Cubins of tests/data/sass, and changes of their bytes.
#pragma once

#include <catch2/catch.hpp>
#include <cstddef>
#include <cstring>
#include <fstream>
#include <iterator>
#include <span>
#include <string>

#include "sass/cubin.h"

namespace warpsim::sass::test {

inline std::string load_cubin(const std::string& name) {
  std::ifstream file(WARPSIM_SOURCE_DIR "/tests/data/sass/cubins/" + name, std::ios::binary);
  REQUIRE(file);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline std::span<const std::byte> bytes_of(const std::string& text) {
  return std::as_bytes(std::span(text));
}

inline Cubin cubin_of(const std::string& name) {
  const std::string file = load_cubin(name);
  return {bytes_of(file), name};
}

template <class T>
void put(std::string& file, std::size_t offset, T value) {
  std::memcpy(file.data() + offset, &value, sizeof value);
}

template <class T>
T number_at(std::span<const std::byte> bytes, std::size_t offset) {
  T value{};
  REQUIRE(offset + sizeof value <= bytes.size());
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

// Offset in the file of the header of the section with this name.
inline std::size_t header_of(const std::string& file, std::string_view name) {
  constexpr std::size_t kHeaderBytes = 64;
  const ElfImage image(bytes_of(file), "test");
  for (std::size_t i = 0; i < image.sections().size(); ++i) {
    if (image.sections()[i].name == name) {
      return number_at<std::uint64_t>(bytes_of(file), 40) + i * kHeaderBytes;
    }
  }
  FAIL("no section " << name);
  return 0;
}

// Offset in the file of the content of the section with this name.
inline std::size_t content_of(const std::string& file, std::string_view name) {
  return number_at<std::uint64_t>(bytes_of(file), header_of(file, name) + 24);
}

}  // namespace warpsim::sass::test
