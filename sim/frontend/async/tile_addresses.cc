#include "frontend/async/tile_addresses.h"

#include <algorithm>
#include <limits>
#include <set>

namespace warpsim {
namespace {

using Kind = AsyncOperation::Kind;

// Regions of 4 GiB, far above what device memory can hold.
constexpr Address kRegions = Address{1} << 46U;
constexpr std::uint32_t kRegionShift = 32;
constexpr std::uint64_t kRegionMask = 0x3fff;

std::uint64_t name_of(const SymbolicValue& value) {
  return mix_name(value.symbol >> 1U, std::uint64_t{value.scale} << 32U | value.offset);
}

// Tensors by the axes that their coordinates depend on, with the bytes that one cluster copies of them.
struct TensorUse {
  std::set<std::uint32_t> origins;
  std::set<std::pair<std::uint64_t, std::int32_t>> boxes;  // name and bytes
  double bytes() const {
    double sum = 0;
    for (const auto& box : boxes) {
      sum += box.second;
    }
    return sum;
  }
};

// All ways to write `product` as an ordered product of `factors` numbers.
void factorisations(std::uint64_t product, std::size_t factors, std::vector<std::uint32_t>& present,
                    std::vector<std::vector<std::uint32_t>>& out) {
  if (factors == 1) {
    present.push_back(static_cast<std::uint32_t>(product));
    out.push_back(present);
    present.pop_back();
    return;
  }
  for (std::uint64_t f = 1; f <= product; ++f) {
    if (product % f == 0) {
      present.push_back(static_cast<std::uint32_t>(f));
      factorisations(product / f, factors - 1, present, out);
      present.pop_back();
    }
  }
}

}  // namespace

TileAddresses::TileAddresses(const KernelLaunch& launch) : clusters_(launch.grid.count() / launch.cluster.count()) {}

void TileAddresses::find_axes(const std::vector<CopySizes::Member>& cluster) {
  constexpr std::size_t kMostAxes = 4;
  std::map<std::uint64_t, TensorUse> tensors;
  std::set<std::uint32_t> origins;
  for (const CopySizes::Member& member : cluster) {
    for (const AsyncCopyRecord& copy : member.block->copies) {
      const AsyncOperation& operation = member.trace->operations[copy.operation];
      if (operation.kind != Kind::kCopyIn || !copy.by_descriptor) {
        continue;
      }
      TensorUse& use = tensors[name_of(copy.source)];
      std::uint64_t box = 0;
      for (const SymbolicValue& coordinate : copy.coordinates) {
        box = mix_name(box, name_of(coordinate));
        if (!coordinate.is_constant() && coordinate.varies_by_block()) {
          use.origins.insert(coordinate.origin());
          origins.insert(coordinate.origin());
        }
      }
      use.boxes.insert({box, operation.bytes});
    }
  }
  if (origins.empty() || origins.size() > kMostAxes) {
    return;
  }
  const std::vector<std::uint32_t> order(origins.begin(), origins.end());
  std::vector<std::vector<std::uint32_t>> candidates;
  std::vector<std::uint32_t> present;
  factorisations(clusters_, order.size(), present, candidates);
  double least = std::numeric_limits<double>::max();
  for (const std::vector<std::uint32_t>& extents : candidates) {
    double total = 0;
    for (const auto& [name, use] : tensors) {
      double tiles = use.bytes();
      for (std::size_t i = 0; i < order.size(); ++i) {
        tiles *= use.origins.contains(order[i]) ? extents[i] : 1;
      }
      total += tiles;
    }
    if (total < least) {
      least = total;
      axes_.clear();
      for (std::size_t i = 0; i < order.size(); ++i) {
        axes_.push_back({order[i], extents[i]});
      }
    }
  }
}

// The value that represents a coordinate in the box's address.
std::uint64_t TileAddresses::resolve(const SymbolicValue& value, std::uint64_t cluster) const {
  if (!value.is_constant() && value.varies_by_block()) {
    std::uint64_t rest = cluster;
    for (const Axis& axis : axes_) {
      if (axis.origin == value.origin()) {
        const std::uint64_t tile = rest % axis.extent;
        return mix_name(mix_name(axis.origin, tile), std::uint64_t{value.scale} << 32U | value.offset);
      }
      rest /= axis.extent;
    }
  }
  return name_of(value);
}

Address TileAddresses::address_of(const AsyncCopyRecord& copy, const AsyncOperation& operation,
                                  const AsyncBlock& block) const {
  if (!copy.by_descriptor) {
    if (copy.source.is_constant()) {
      return Address{copy.source_high} << 32U | copy.source.offset;
    }
    SymbolicValue base = copy.source;
    base.offset = 0;
    return kRegions | (name_of(base) & kRegionMask) << kRegionShift | copy.source.offset;
  }
  std::uint64_t name = 0;
  for (const SymbolicValue& coordinate : copy.coordinates) {
    name = mix_name(name, resolve(coordinate, block.cluster));
  }
  const auto box = static_cast<std::uint64_t>((std::max(operation.bytes, 1) + static_cast<int>(kLineBytes) - 1) /
                                              static_cast<int>(kLineBytes)) *
                   kLineBytes;
  const std::uint64_t boxes = (std::uint64_t{1} << kRegionShift) / box;
  return kRegions | (name_of(copy.source) & kRegionMask) << kRegionShift | (name % boxes) * box;
}

void TileAddresses::assign(const std::vector<CopySizes::Member>& cluster) {
  if (!found_) {
    find_axes(cluster);
    found_ = true;
  }
  for (const CopySizes::Member& member : cluster) {
    for (const AsyncCopyRecord& copy : member.block->copies) {
      AsyncOperation& operation = member.trace->operations[copy.operation];
      operation.global = address_of(copy, operation, *member.block);
    }
  }
}

}  // namespace warpsim
