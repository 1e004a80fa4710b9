// Where hardware keeps the texels of a texture: the addresses that caches and memory see.
//
// Modelled: linear and pitched memory as the program sees it; CUDA arrays in blocks: 512 bytes hold 64 bytes of each of
// 8 rows, in sectors of 16 bytes of two rows and lines of 32 bytes of four rows; up to 16 such blocks below each other
// follow one another; layers, faces and slices of volumes are apart. The emulator itself keeps arrays row by row.
// Evidence: sectors of an H200 in tests/hardware/texture_traffic; its times for coordinates in rows, in columns and
// without order in tests/hardware/textures for the banks; the height of 16 blocks is assumed.
#pragma once

#include <cstdint>

#include "emulator/textures/texture_description.h"

namespace warpsim {

// The address of a byte of a row, of an existing slice.
Address texel_address(const TextureDescription& texture, std::uint64_t x_bytes, std::uint64_t row, std::uint64_t slice);

// The bank of the texture units' data that holds it: reads of one bank at different places follow each other.
std::uint32_t texel_bank(const TextureDescription& texture, std::uint64_t x_bytes, std::uint64_t row);

// What an array takes in memory.
std::uint64_t array_bytes(std::uint64_t row_bytes, std::uint64_t rows, std::uint64_t slices);

}  // namespace warpsim
