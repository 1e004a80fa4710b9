#include "emulator/textures/texel_footprint.h"

#include <algorithm>

#include "emulator/textures/texture_layout.h"

namespace warpsim {

namespace {

// Texels of up to so many bytes at integer coordinates are served for eight lanes at a time, all others for four.
constexpr std::uint32_t kNarrowBytes = 8;

// Filters that need many bytes read those of two lanes at a time.
bool filters_by_pairs(std::uint32_t bytes, std::uint32_t filter) {
  constexpr std::uint32_t kVolume = 3;
  return filter == kVolume || (filter != 0 && bytes > kNarrowBytes);
}

}  // namespace

void TexelFootprint::begin(Use use) {
  use_ = use;
  first_ = true;
  access_ = {};
  group_ = 0;
  group_begin_ = 0;
  addresses_.clear();
}

void TexelFootprint::begin_lane(std::uint32_t lane, std::uint32_t bytes, const TextureDescription& texture,
                                std::uint32_t filter) {
  if (first_) {
    const bool plain = use_ != Use::kFetch || texture.shape == TextureDescription::Shape::kLinear;
    access_.texel_bytes = bytes;
    access_.group_lanes = plain && bytes <= kNarrowBytes ? 8 : filters_by_pairs(bytes, filter) ? 2 : 4;
    access_.by_lane = use_ == Use::kStore || (use_ == Use::kFetch && plain);
    first_ = false;
  }
  access_.filter = std::max(access_.filter, filter);
  const std::uint32_t group = lane / access_.group_lanes;
  if (group != group_) {
    group_ = group;
    group_begin_ = addresses_.size();
  }
}

void TexelFootprint::add(const TextureDescription& texture, std::uint64_t x_bytes, std::uint64_t row,
                         std::uint64_t slice) {
  const Address address = texel_address(texture, x_bytes, row, slice);
  if (access_.by_lane) {
    addresses_.push_back(address);
    return;
  }
  const Address sector = address / kSectorBytes * kSectorBytes;
  const auto same = [&](Address known) { return known / kSectorBytes * kSectorBytes == sector; };
  const auto first = addresses_.begin() + static_cast<std::ptrdiff_t>(group_begin_);
  if (std::find_if(first, addresses_.end(), same) == addresses_.end()) {
    const Address begins = addresses_.size() == group_begin_ ? LaneAddresses::kFirstOfGroup : 0;
    const Address bank = texel_bank(texture, x_bytes, row);
    addresses_.push_back(sector | begins | bank << LaneAddresses::kTexelBankBit);
  }
}

TexelAccess TexelFootprint::access() const {
  TexelAccess access = access_;
  access.count = static_cast<std::uint32_t>(addresses_.size());
  return access;
}

}  // namespace warpsim
