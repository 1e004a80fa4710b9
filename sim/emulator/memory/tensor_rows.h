// The rows of a box of a tensor (along the innermost dimension), in the order of shared memory.
//
// In tiles the box has its own size in each dimension. In columns (im2col) it is a number of pixels: they follow each
// other in the dimensions between the innermost and the outermost one, within the bounding box of the map, then in the
// outermost one; each has the channels of a pixel. Evidence: PTX ISA, "Tensors" (tiled and im2col mode).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "emulator/memory/tensor_map.h"

namespace warpsim {

using TensorCoordinates = std::array<std::int64_t, kMostTensorDimensions>;

class BoxRows {
 public:
  // `offsets`: in columns, of the pixels from their places in the bounding box.
  BoxRows(const TensorMap& map, const TensorCoordinates& origin, const TensorCoordinates& offsets)
      : map_(map), origin_(origin), offsets_(offsets) {}

  // Calls row(offset in the box, address of the row's first element, whether the other coordinates are inside).
  template <class Row>
  void each(Row&& row) const {
    TensorCoordinates at = origin_;
    const std::uint32_t row_bytes = map_.elements(0) * bytes_of(map_.type);
    const std::uint32_t rows = map_.box_bytes() / row_bytes;
    for (std::uint32_t i = 0; i < rows; ++i) {
      bool inside = true;
      auto address = static_cast<std::int64_t>(map_.address);
      for (std::uint32_t k = 1; k < map_.dimensions; ++k) {
        const std::int64_t place = at[k] + offsets_[k];
        inside = inside && place >= 0 && place < static_cast<std::int64_t>(map_.size[k]);
        address += place * static_cast<std::int64_t>(map_.stride[k]);
      }
      row(i * row_bytes, static_cast<Address>(address), inside);
      advance(at);
    }
  }

  // What is inside of the tensor, contiguous rows as one piece.
  struct Piece {
    Address address = 0;
    std::uint32_t bytes = 0;
  };
  std::vector<Piece> pieces() const {
    std::vector<Piece> found;
    const std::uint32_t bytes = bytes_of(map_.type);
    const std::uint32_t length = (end() - first()) * bytes;
    each([&](std::uint32_t /*offset*/, Address address, bool inside) {
      const Address begin = address + static_cast<Address>(origin_[0] + first()) * bytes;
      if (!inside || length == 0) {
        return;
      }
      if (!found.empty() && found.back().address + found.back().bytes == begin) {
        found.back().bytes += length;
      } else {
        found.push_back({begin, length});
      }
    });
    return found;
  }

  // Elements [first, end) of a row inside the tensor.
  std::uint32_t first() const {
    return static_cast<std::uint32_t>(std::clamp<std::int64_t>(-origin_[0], 0, map_.elements(0)));
  }
  std::uint32_t end() const {
    const std::int64_t left = static_cast<std::int64_t>(map_.size[0]) - origin_[0];
    return std::max(first(), static_cast<std::uint32_t>(std::clamp<std::int64_t>(left, 0, map_.elements(0))));
  }

 private:
  // To the next row.
  void advance(TensorCoordinates& at) const {
    for (std::uint32_t k = 1; k < map_.dimensions; ++k) {
      at[k] += map_.element_stride[k];
      const bool outermost = k + 1U == map_.dimensions;
      if (map_.in_columns && outermost) {
        return;
      }
      const std::int64_t end =
          map_.in_columns ? static_cast<std::int64_t>(map_.size[k]) + map_.upper[k] : origin_[k] + map_.box[k];
      if (at[k] < end) {
        return;
      }
      at[k] = map_.in_columns ? map_.lower[k] : origin_[k];
    }
  }

  const TensorMap& map_;
  const TensorCoordinates& origin_;
  const TensorCoordinates& offsets_;
};

}  // namespace warpsim
