#include "emulator/matrix/sparse_matrix.h"

namespace warpsim {

namespace {

constexpr std::uint32_t kQuad = 4;
constexpr std::uint32_t kGroupBits = 4;
constexpr std::uint32_t kHalfRows = 8;

// The four bits of a group of a row.
std::uint32_t group_bits(const SparseMatrix& matrix, const std::uint32_t* metadata, std::uint32_t row,
                         std::uint32_t group) {
  const std::uint32_t upper = row / kHalfRows;
  const std::uint32_t first_lane = row % kHalfRows * kQuad;
  std::uint32_t lane = 0;
  std::uint32_t shift = 0;
  if (bits_of(matrix.type) >= 16) {
    // A word has 16 bits of a row and 16 of the row eight below.
    const std::uint32_t words = matrix.columns * bits_of(matrix.type) / 256;
    lane = matrix.selector * words + group / 4;
    shift = 16 * upper + kGroupBits * (group % 4);
  } else {
    // A word has 32 bits of a row; the next lane has the row eight below.
    lane = matrix.selector * 2 + group / 8 * 2 + upper;
    shift = kGroupBits * (group % 8);
  }
  return metadata[first_lane + lane % kQuad] >> shift & 0xfU;
}

}  // namespace

std::uint32_t SparseMatrix::column(const std::uint32_t* metadata, std::uint32_t row, std::uint32_t stored) const {
  const auto place = [](std::uint32_t bits, std::uint32_t which) { return bits >> (2 * which) & 3U; };
  switch (bits_of(type)) {
    case 32:
      return 2 * stored + place(group_bits(*this, metadata, row, stored), 0) / 2;
    case 4: {
      const std::uint32_t group = stored / 4;
      return 8 * group + 2 * place(group_bits(*this, metadata, row, group), stored / 2 % 2) + stored % 2;
    }
    default: {
      const std::uint32_t group = stored / 2;
      return 4 * group + place(group_bits(*this, metadata, row, group), stored % 2);
    }
  }
}

}  // namespace warpsim
