#include "frontend/wtrace/wtrace_address_decoder.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "frontend/wtrace/wtrace_format.h"

namespace warpsim::wtrace {
namespace {

constexpr std::size_t kPatchesBetweenChecks = 65536;  // of the pool's size: far below the range of its indices

constexpr std::uint32_t kNoPosition = 0xffffffffU;

// The masks of a path's instructions, at positions that do not decrease.
class RunMasks {
 public:
  explicit RunMasks(std::span<const Run> runs) : run_(runs.data()), end_(runs.empty() ? 0 : runs[0].length) {}
  LaneMask at(std::uint32_t position) {
    while (position >= end_) {
      end_ += (++run_)->length;
    }
    return run_->mask;
  }

 private:
  const Run* run_;
  std::uint32_t end_;  // position behind the run
};

OriginRule rule_of(const trace::AddressColumn& column) {
  const int rule = column.predictor();
  if (rule < 0 || rule >= static_cast<int>(kOriginRuleCount)) {
    throw StreamError(fmt::format("'predictor' is {}; expected less than {}", rule, kOriginRuleCount));
  }
  return static_cast<OriginRule>(rule);
}

}  // namespace

AddressDecoder::Column::Column(const trace::AddressColumn& column, std::uint32_t warps_per_block)
    : shapes(column.shapes(), "address_columns.shapes"),
      origins(column.origins(), "address_columns.origins"),
      predictor(rule_of(column), column.first_origin(), warps_per_block),
      origin_shift(column.origin_shift()),
      scatter(reinterpret_cast<const std::uint8_t*>(column.scatter().data())),
      scatter_count(column.scatter_bytes() == 0 ? 0 : column.scatter().size() / column.scatter_bytes()),
      scatter_base(column.scatter_base()),
      scatter_shift(column.scatter_shift()),
      scatter_bytes(column.scatter_bytes()),
      texels(column.texels(), "address_columns.texels") {
  if (origin_shift > 63 || scatter_shift > 63) {
    throw StreamError(
        fmt::format("'origin_shift' is {}, 'scatter_shift' is {}; expected less than 64", origin_shift, scatter_shift));
  }
  if (scatter_bytes > 8 || scatter_count * scatter_bytes != column.scatter().size()) {
    throw StreamError(fmt::format("'scatter' has {} bytes in planes of {} bytes a number; expected 1 to 8 equal planes",
                                  column.scatter().size(), scatter_bytes));
  }
}

AddressDecoder::AddressDecoder(const trace::Group& group, std::uint32_t warps_per_block) {
  for (const trace::MaskColumn& column : group.mask_columns()) {
    masks_.emplace_back(column.masks(), "mask_columns.masks");
  }
  read_shapes(group.shapes());
  if (shapes_.empty() && group.address_columns_size() != 0) {
    throw StreamError("'shapes' is empty; expected the shapes of the addresses");
  }
  columns_.reserve(static_cast<std::size_t>(group.address_columns_size()));
  for (const trace::AddressColumn& column : group.address_columns()) {
    columns_.emplace_back(column, warps_per_block);
    columns_.back().shape = shapes_.front();
  }
}

void AddressDecoder::read_shapes(std::string_view bytes) {
  ByteStream stream(bytes, "shapes");
  while (!stream.empty()) {
    Shape shape;
    shape.kind = stream.byte();
    switch (shape.kind) {
      case kShapeNone:
      case kShapeScattered:
      case kShapeTexels:
        break;
      case kShapeStrided:
        shape.stride = unzigzag(stream.varint());
        break;
      case kShapeLanes: {
        shape.offsets = static_cast<std::uint32_t>(offsets_.size());
        auto& offsets = offsets_.emplace_back();
        offsets[0] = 0;
        for (std::uint32_t lane = 1; lane < kWarpSize; ++lane) {
          offsets[lane] = offsets[lane - 1] + static_cast<Address>(unzigzag(stream.varint()));
        }
        break;
      }
      default:
        throw StreamError(fmt::format("'shapes' has kind {}; expected at most {}", shape.kind, +kShapeTexels));
    }
    shapes_.push_back(shape);
  }
  pooled_.resize(offsets_.size());
}

// Outside of the common path of next(), which should stay small.
[[gnu::noinline]] void AddressDecoder::add_list(Column& column, Address origin, AddressPool& pool) {
  PooledOffsets& pooled = pooled_[column.shape.offsets];
  if (pooled.block != block_) {
    pooled = {pool.add_list(offsets_[column.shape.offsets].data(), kWarpSize), block_};
  }
  column.list_block = block_;
  column.list_origin = origin;
  column.list_index = pool.add_moved(origin, pooled.index);
}

[[gnu::noinline]] std::uint32_t AddressDecoder::next_lanes(std::uint32_t offsets_index, Address origin, LaneMask mask,
                                                           AddressPool& pool) const {
  const std::array<Address, kWarpSize>& offsets = offsets_[offsets_index];
  std::array<Address, kWarpSize> list;
  std::uint32_t count = 0;
  for (; mask != 0; mask &= mask - 1) {
    list[count++] = origin + offsets[anchor_lane(mask)];
  }
  return pool.add_list(list.data(), count);
}

[[gnu::noinline]] std::uint32_t AddressDecoder::next_scattered(Column& column, LaneMask mask, AddressPool& pool) const {
  const auto count = static_cast<std::uint32_t>(std::popcount(mask));
  if (column.scatter_count - column.scatter_next < count) {
    throw StreamError(fmt::format("'scatter' has {} numbers; expected more", column.scatter_count));
  }
  std::array<Address, kWarpSize> list{};
  for (std::uint32_t plane = 0; plane < column.scatter_bytes; ++plane) {
    const std::uint8_t* bytes = column.scatter + plane * column.scatter_count + column.scatter_next;
    for (std::uint32_t i = 0; i < count; ++i) {
      list[i] |= Address{bytes[i]} << (8 * plane);
    }
  }
  for (std::uint32_t i = 0; i < count; ++i) {
    list[i] = column.scatter_base + (list[i] << column.scatter_shift);
  }
  column.scatter_next += count;
  return pool.add_list(list.data(), count);
}

[[gnu::noinline]] std::uint32_t AddressDecoder::next_texels(Column& column, AddressPool& pool) {
  std::array<std::uint64_t, 5> numbers{};
  for (std::uint64_t& number : numbers) {
    number = column.texels.varint();
  }
  const auto [count, bytes, filter, group_lanes, by_lane] = numbers;
  const bool valid = count != 0 && count <= (by_lane != 0 ? kWarpSize : kMostTexelSectors) &&
                     std::has_single_bit(bytes) && bytes <= kMostTexelBytes && filter <= 3 &&
                     (group_lanes == 2 || group_lanes == 4 || group_lanes == 8) && by_lane <= 1;
  if (!valid) {
    throw StreamError(fmt::format(
        "'texels' has an access of {} addresses, texels of {} bytes, filter {}, groups of {} lanes, form {}; "
        "expected at most {} or {} addresses, 1 to {} bytes, filters up to 3, groups of 2, 4 or 8, form 0 or 1",
        count, bytes, filter, group_lanes, by_lane, kWarpSize, kMostTexelSectors, kMostTexelBytes));
  }
  std::array<Address, kMostTexelSectors> list;
  for (std::uint64_t i = 0; i < count; ++i) {
    column.last_texel += static_cast<Address>(unzigzag(column.texels.varint()));
    list[i] = column.last_texel;
    const Address low = list[i] % kSectorBytes;
    constexpr Address kLowBits = LaneAddresses::kTexelBanks << LaneAddresses::kTexelBankBit;
    if (by_lane == 0 && (low >= kLowBits || (i == 0 && (low & LaneAddresses::kFirstOfGroup) == 0))) {
      throw StreamError(fmt::format("'texels' has a sector {:#x}; expected lowest bits below {}, of the first one odd",
                                    list[i], kLowBits));
    }
  }
  const TexelAccess access{static_cast<std::uint32_t>(count), static_cast<std::uint32_t>(bytes),
                           static_cast<std::uint32_t>(filter), static_cast<std::uint32_t>(group_lanes), by_lane != 0};
  return pool.add_texels(access, list.data());
}

[[gnu::noinline]] void AddressDecoder::change_shape(Column& column, std::uint64_t code) const {
  if (code > shapes_.size()) {
    throw StreamError(fmt::format("shape {} is used; expected one of the {} in 'shapes'", code - 1, shapes_.size()));
  }
  column.shape = shapes_[code - 1];
  column.list_block = 0;
}

[[gnu::always_inline]] inline std::uint32_t AddressDecoder::next(Column& column, LaneMask mask, std::uint32_t warp,
                                                                 std::uint64_t serial, AddressPool& pool) {
  const std::uint64_t code = column.shapes.varint();
  if (code != 0) {
    change_shape(column, code);
  }
  if (column.shape.kind == kShapeNone) {
    return WarpInstruction::kNoAddresses;
  }
  if (column.shape.kind == kShapeScattered) {
    return next_scattered(column, mask, pool);
  }
  if (column.shape.kind == kShapeTexels) {
    return next_texels(column, pool);
  }
  const auto difference = static_cast<std::uint64_t>(unzigzag(column.origins.varint())) << column.origin_shift;
  const Address origin = column.predictor.predict(warp, serial) + difference;
  column.predictor.update(origin);
  if (column.shape.kind == kShapeStrided) {
    return pool.add_strided(origin + static_cast<Address>(column.shape.stride) * anchor_lane(mask),
                            column.shape.stride);
  }
  if (mask != kAllLanes) {
    return next_lanes(column.shape.offsets, origin, mask, pool);
  }
  if (column.list_block != block_ || column.list_origin != origin) {
    add_list(column, origin, pool);
  }
  return column.list_index;
}

void AddressDecoder::read(const WarpPath& path, std::uint32_t warp, std::uint64_t serial, std::uint32_t* values,
                          AddressPool& pool) {
  LaneMask warp_mask = 0;
  std::uint32_t masked = kNoPosition;  // the latest instruction with a mask of the warp's own
  RunMasks masks(path.runs);
  for (std::size_t done = 0; done < path.patches.size(); done += kPatchesBetweenChecks) {
    for (const Patch& patch : path.patches.subspan(done, std::min(kPatchesBetweenChecks, path.patches.size() - done))) {
      if (patch.kind == Patch::Kind::kAddresses) {
        const LaneMask mask = patch.position == masked ? warp_mask : masks.at(patch.position);
        *values++ = next(columns_[patch.column], mask, warp, serial, pool);
        continue;
      }
      if (patch.kind == Patch::Kind::kMask) {
        warp_mask = masks_[patch.column].u32();
      }
      masked = patch.position;
      *values++ = warp_mask;
    }
    if (pool.size() > kMaxBlockAddressWords) {
      throw StreamError(
          fmt::format("a block has more than {} words of addresses; expected no more", kMaxBlockAddressWords));
    }
  }
}

void AddressDecoder::must_be_empty() const {
  for (const ByteStream& masks : masks_) {
    masks.must_be_empty();
  }
  for (const Column& column : columns_) {
    column.shapes.must_be_empty();
    column.origins.must_be_empty();
    column.texels.must_be_empty();
    if (column.scatter_next != column.scatter_count) {
      throw StreamError(fmt::format("'scatter' has {} numbers of which {} are used; expected all", column.scatter_count,
                                    column.scatter_next));
    }
  }
}

}  // namespace warpsim::wtrace
