#include "frontend/wtrace/wtrace_shape_table.h"

#include <algorithm>

#include "frontend/wtrace/wtrace_format.h"

namespace warpsim::wtrace {
namespace {

constexpr std::size_t kLatestShapes = 64;  // maximum of comparisons of a list

}  // namespace

ShapeTable::ShapeTable() : shapes_(3) {
  shapes_[0].kind = kShapeNone;
  shapes_[1].kind = kShapeScattered;
  shapes_[2].kind = kShapeTexels;
}

std::uint32_t ShapeTable::strided(std::int64_t stride) {
  const auto [known, is_new] = strides_.try_emplace(stride, static_cast<std::uint32_t>(shapes_.size()));
  if (is_new) {
    shapes_.push_back({.kind = kShapeStrided, .stride = stride});
  }
  return known->second;
}

bool ShapeTable::fits(std::uint32_t shape, LaneMask mask, const Address* list) const {
  if (shapes_[shape].kind != kShapeLanes) {
    return false;
  }
  if (mask == 0) {
    return true;
  }
  const Offsets& offsets = offsets_[shapes_[shape].offsets];
  const Address origin = list[0] - offsets[anchor_lane(mask)];
  for (; mask != 0; mask &= mask - 1) {
    if (*list++ != origin + offsets[anchor_lane(mask)]) {
      return false;
    }
  }
  return true;
}

std::uint32_t ShapeTable::lanes(LaneMask mask, const Address* list, std::uint32_t last, std::uint32_t width) {
  if (fits(last, mask, list)) {
    return last;
  }
  const auto known = std::find_if(latest_.begin(), latest_.end(), [&](auto shape) { return fits(shape, mask, list); });
  std::uint32_t shape = 0;
  if (known != latest_.end()) {
    shape = *known;
    latest_.erase(known);
  } else {
    shape = add_lanes(mask, list, width);
    if (latest_.size() == kLatestShapes) {
      latest_.pop_back();
    }
  }
  latest_.insert(latest_.begin(), shape);
  return shape;
}

std::uint32_t ShapeTable::add_lanes(LaneMask mask, const Address* list, std::uint32_t width) {
  Offsets offsets{};
  std::uint32_t lane = anchor_lane(mask);
  Address address = mask == 0 ? 0 : list[0];
  for (std::uint32_t below = 0; below < lane; ++below) {
    offsets[below] = address - Address{width} * (lane - below);
  }
  offsets[lane] = address;
  for (mask &= mask - 1; mask != 0; mask &= mask - 1) {
    const std::uint32_t next = first_lane(mask);
    const auto gap = static_cast<std::int64_t>(*++list - address);
    const std::int64_t step = gap / std::int64_t{next - lane};
    while (++lane < next) {
      address += static_cast<Address>(step);
      offsets[lane] = address;
    }
    address = *list;
    offsets[lane] = address;
  }
  while (++lane < kWarpSize) {
    address += width;
    offsets[lane] = address;
  }
  for (std::uint32_t i = kWarpSize; i-- > 0;) {
    offsets[i] -= offsets[0];
  }
  shapes_.push_back({.kind = kShapeLanes, .offsets = static_cast<std::uint32_t>(offsets_.size())});
  offsets_.push_back(offsets);
  return static_cast<std::uint32_t>(shapes_.size() - 1);
}

Address ShapeTable::origin(std::uint32_t shape, LaneMask mask, Address base) const {
  const Shape& of = shapes_[shape];
  if (of.kind == kShapeStrided) {
    return base - static_cast<Address>(of.stride) * anchor_lane(mask);
  }
  return base - offsets_[of.offsets][anchor_lane(mask)];
}

void ShapeTable::finish() {
  std::uint32_t count = 0;
  for (Shape& shape : shapes_) {
    if (shape.uses > 0) {
      shape.number = count++;
      code(shape);
    }
  }
}

void ShapeTable::code(const Shape& shape) {
  coded_.push_back(static_cast<char>(shape.kind));
  if (shape.kind == kShapeStrided) {
    put_varint(coded_, zigzag(shape.stride));
  }
  if (shape.kind == kShapeLanes) {
    const Offsets& offsets = offsets_[shape.offsets];
    for (std::uint32_t lane = 1; lane < kWarpSize; ++lane) {
      put_varint(coded_, zigzag(static_cast<std::int64_t>(offsets[lane] - offsets[lane - 1])));
    }
  }
}

}  // namespace warpsim::wtrace
