// A fat binary as compilers put it into programs, with one entry: PTX that is not compressed.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>

#include "cuda/abi/abi.h"

namespace warpsim::test {

inline std::string fat_binary_of(const std::string& ptx) {
  const std::size_t padded = (ptx.size() + 8) / 8 * 8;
  std::string container(16 + 64 + padded, '\0');
  const auto put = [&](std::size_t at, auto value) { std::memcpy(container.data() + at, &value, sizeof value); };
  put(0, std::uint32_t{0xba55ed50});
  put(4, std::uint16_t{1});
  put(6, std::uint16_t{16});
  put(8, std::uint64_t{64 + padded});
  put(16, std::uint16_t{1});
  put(18, std::uint16_t{0x101});
  put(20, std::uint32_t{64});
  put(24, std::uint64_t{padded});
  put(44, std::uint32_t{70});
  std::memcpy(container.data() + 80, ptx.data(), ptx.size());
  return container;
}

// `container` exists longer than the program registers it.
inline cuda::abi::FatBinaryWrapper wrapper_of(const std::string& container) {
  return {0x466243b1, 1, reinterpret_cast<const std::byte*>(container.data()), nullptr};
}

}  // namespace warpsim::test
