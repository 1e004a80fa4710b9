// The memory of a GPU that a copy or a fill touches: rows of equal width.
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/types.h"

namespace warpsim {

struct MemoryRange {
  Address target = 0;
  Address source = 0;
  std::uint64_t width = 0;  // bytes of a row
  std::uint64_t rows = 0;
  std::uint64_t target_pitch = 0;  // from row to row
  std::uint64_t source_pitch = 0;
  bool fills = false;  // it has no source

  std::uint64_t bytes() const { return width * rows; }

  // Rows are cut into pieces of at most so many bytes, which are numbered.
  struct Place {
    Address target = 0;
    Address source = 0;
    std::uint64_t bytes = 0;
  };
  std::uint64_t pieces(std::uint64_t piece_bytes) const { return rows * pieces_of_row(piece_bytes); }
  Place place_of(std::uint64_t piece, std::uint64_t piece_bytes) const {
    const std::uint64_t row = piece / pieces_of_row(piece_bytes);
    const std::uint64_t offset = piece % pieces_of_row(piece_bytes) * piece_bytes;
    return {target + row * target_pitch + offset, source + row * source_pitch + offset,
            std::min(piece_bytes, width - offset)};
  }

 private:
  std::uint64_t pieces_of_row(std::uint64_t piece_bytes) const { return (width + piece_bytes - 1) / piece_bytes; }
};

}  // namespace warpsim
