// Boxes of bytes in the memory of host and device, which copies and fills take.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/types.h"

namespace warpsim::cuda {

// The beginning of a box and the pitches of its rows and slices.
struct Box {
  std::byte* data = nullptr;
  Address address = 0;  // as the program knows it
  std::size_t pitch = 0;
  std::size_t slice = 0;
  bool on_device = false;
  bool pageable = false;                                      // memory of the host that is not pinned
  std::shared_ptr<const std::vector<std::byte>> staged = {};  // keeps `data` of a staged box
};
struct BoxSize {
  std::size_t width = 0;  // bytes
  std::size_t height = 1;
  std::size_t depth = 1;
  bool empty() const { return width == 0 || height == 0 || depth == 0; }
  std::uint64_t bytes() const { return std::uint64_t{width} * height * depth; }
};

// An element of 1, 2 or 4 bytes, repeated.
struct Fill {
  std::uint32_t value = 0;
  std::size_t element_bytes = 1;
};

void move_bytes(const Box& target, const Box& source, const BoxSize& size);
void fill_bytes(const Box& target, const Fill& fill, const BoxSize& size);
// The bytes of a box without gaps, as they are now.
Box staged(const Box& source, const BoxSize& size);
// From the first to after the last byte.
std::uint64_t extent_of(const Box& box, const BoxSize& size);

}  // namespace warpsim::cuda
