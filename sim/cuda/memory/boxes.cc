#include "cuda/memory/boxes.h"

#include <cstring>
#include <utility>

namespace warpsim::cuda {

void move_bytes(const Box& target, const Box& source, const BoxSize& size) {
  for (std::size_t z = 0; z < size.depth; ++z) {
    for (std::size_t y = 0; y < size.height; ++y) {
      std::memmove(target.data + z * target.slice + y * target.pitch, source.data + z * source.slice + y * source.pitch,
                   size.width);
    }
  }
}

void fill_bytes(const Box& target, const Fill& fill, const BoxSize& size) {
  for (std::size_t z = 0; z < size.depth; ++z) {
    for (std::size_t y = 0; y < size.height; ++y) {
      std::byte* const begin = target.data + z * target.slice + y * target.pitch;
      if (fill.element_bytes == 1) {
        std::memset(begin, static_cast<int>(fill.value & 0xff), size.width);
        continue;
      }
      for (std::size_t at = 0; at < size.width; at += fill.element_bytes) {
        std::memcpy(begin + at, &fill.value, fill.element_bytes);
      }
    }
  }
}

Box staged(const Box& source, const BoxSize& size) {
  const auto bytes = std::make_shared<std::vector<std::byte>>(size.bytes());
  Box box = source;
  box.data = bytes->data();
  box.pitch = size.width;
  box.slice = size.width * size.height;
  box.pageable = false;
  move_bytes(box, source, size);
  box.staged = bytes;
  return box;
}

std::uint64_t extent_of(const Box& box, const BoxSize& size) {
  return (size.depth - 1) * box.slice + (size.height - 1) * box.pitch + size.width;
}

}  // namespace warpsim::cuda
