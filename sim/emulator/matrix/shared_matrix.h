// Matrices in shared memory as described by the descriptors of warpgroup operations.
//
// A descriptor has the matrix's start, two distances and a swizzle. Eight rows of 16 bytes (or, with a swizzle, of 32,
// 64 or 128 bytes) are contiguous and form the smallest piece; the distances are those between pieces.
// Swizzles work on addresses, as for tensor copies (tensor_map.h). Evidence: PTX ISA 8.0 and later,
// "Asynchronous Warpgroup Level Matrix Shared Memory Layout".
#pragma once

#include <cstdint>

namespace warpsim {

struct SharedMatrix {
  static constexpr std::uint32_t kUnitBytes = 16;

  std::uint32_t start = 0;  // bytes in the block's shared memory, like the distances
  std::uint32_t leading = 0;
  std::uint32_t stride = 0;
  std::uint32_t base_offset = 0;  // of the swizzle's pattern, in rows
  std::uint32_t swizzle = 0;      // 0: none; 1, 2, 3: of 32, 64, 128 bytes

  static SharedMatrix decode(std::uint64_t descriptor);
  // Address of a unit of 16 bytes. Rows (of A, columns of B) count along M or N. By rows of K: `unit` counts along K in
  // units. By columns: the unit holds the eight elements from `row` on at one k.
  std::uint32_t unit_along_k(std::uint32_t row, std::uint32_t unit) const;
  std::uint32_t unit_along_rows(std::uint32_t row, std::uint32_t k) const;
};

}  // namespace warpsim
