// The shapes that the addresses of a warp's lanes form relative to lane 0, as the native trace format shares them
// within a group: a stride, or one offset per lane. A shape given by offsets also serves accesses with fewer lanes.
// Format: docs/trace-format.md, section "Shapes". Used by the writer only.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/types.h"
#include "core/launch/instruction_source.h"

namespace warpsim::wtrace {

class ShapeTable {
 public:
  using Offsets = std::array<Address, kWarpSize>;  // modulo 2^64, relative to lane 0

  ShapeTable();

  std::uint32_t none() const { return 0; }
  std::uint32_t scattered() const { return 1; }
  std::uint32_t texels() const { return 2; }
  std::uint32_t strided(std::int64_t stride);
  // A shape that fits the addresses of the lanes in `mask`, preferably `last`; a new one if none of the latest fits.
  // `width` in bytes is the distance of lanes that `mask` does not contain.
  std::uint32_t lanes(LaneMask mask, const Address* list, std::uint32_t last, std::uint32_t width);

  // The address of lane 0 if the active lanes have the addresses of `list` (not used for strided) or `base`.
  Address origin(std::uint32_t shape, LaneMask mask, Address base) const;

  std::uint32_t uses(std::uint32_t shape) const { return shapes_[shape].uses; }
  void count_use(std::uint32_t shape) { ++shapes_[shape].uses; }
  // Gives final numbers to the shapes that are still used, and codes them. Call once.
  void finish();
  std::uint32_t number(std::uint32_t shape) const { return shapes_[shape].number; }
  void drop(std::uint32_t shape) { shapes_[shape].uses = 0; }
  const std::string& coded() const { return coded_; }

 private:
  struct Shape {
    std::uint8_t kind = 0;
    std::int64_t stride = 0;
    std::uint32_t offsets = 0;  // into offsets_
    std::uint32_t uses = 0;
    std::uint32_t number = 0;
  };

  bool fits(std::uint32_t shape, LaneMask mask, const Address* list) const;
  std::uint32_t add_lanes(LaneMask mask, const Address* list, std::uint32_t width);
  void code(const Shape& shape);

  std::vector<Shape> shapes_;
  std::vector<Offsets> offsets_;
  std::unordered_map<std::int64_t, std::uint32_t> strides_;
  std::vector<std::uint32_t> latest_;  // lane shapes, most recently used first
  std::string coded_;
};

}  // namespace warpsim::wtrace
