// Byte addresses of the active lanes of one memory instruction.
#pragma once

#include <cstdint>

#include "base/types.h"

namespace warpsim {

// What a texture or surface instruction of a warp reads or writes.
struct TexelAccess {
  std::uint32_t count = 0;        // of addresses
  std::uint32_t texel_bytes = 0;  // of the object's format
  std::uint32_t filter = 0;       // dimensions between whose texels it interpolates; 0: it does not
  std::uint32_t group_lanes = 4;  // whose sectors are read together: 2, 4 or 8
  bool by_lane = false;  // addresses: those of the lanes' texels, in order of the lanes; else of the groups' sectors
};

struct LaneAddresses {
  // kTexels: `list` has TexelAccess::count addresses. Those of sectors follow each other group of lanes by group of
  // lanes; sectors of a group differ. Their lowest bits: whether it is the first of a group (bit 0), and the bank of
  // the data of a texture that holds it (two bits).
  enum class Kind : std::uint8_t { kNone, kStrided, kList, kTexels };
  Kind kind = Kind::kNone;
  Address base = 0;               // kStrided: address of the first active lane; kList: added to each of the list
  std::int64_t stride = 0;        // kStrided: added for each further active lane; kTexels: the TexelAccess
  const Address* list = nullptr;  // kList: one address per active lane, ascending lanes

  // kStrided and kList: of the i-th active lane.
  Address of_lane(std::uint32_t i) const {
    return base + (kind == Kind::kList ? list[i] : static_cast<Address>(stride * std::int64_t{i}));
  }

  static LaneAddresses of_texels(const TexelAccess& access, const Address* list) {
    return {Kind::kTexels, 0, packed(access), list};
  }
  static constexpr Address kFirstOfGroup = 1;
  static constexpr std::uint32_t kTexelBankBit = 1;
  static constexpr std::uint32_t kTexelBanks = 4;
  TexelAccess texels() const { return unpacked(stride); }
  static std::int64_t packed(const TexelAccess& access) {
    return static_cast<std::int64_t>(
        access.count | std::uint64_t{access.texel_bytes} << kBytesBit | std::uint64_t{access.filter} << kFilterBit |
        std::uint64_t{access.group_lanes} << kGroupBit | std::uint64_t{access.by_lane} << kByLaneBit);
  }
  static TexelAccess unpacked(std::int64_t word) {
    const auto bits = static_cast<std::uint64_t>(word);
    return {static_cast<std::uint32_t>(bits) & 0xffffU, static_cast<std::uint32_t>(bits >> kBytesBit) & 0xffU,
            static_cast<std::uint32_t>(bits >> kFilterBit) & 0xfU, static_cast<std::uint32_t>(bits >> kGroupBit) & 0xfU,
            (bits >> kByLaneBit & 1U) != 0};
  }

 private:
  static constexpr std::uint32_t kBytesBit = 16;
  static constexpr std::uint32_t kFilterBit = 24;
  static constexpr std::uint32_t kGroupBit = 28;
  static constexpr std::uint32_t kByLaneBit = 32;
};

}  // namespace warpsim
