#include "memory/access/texel_lines.h"

#include <algorithm>
#include <array>
#include <bit>

#include "memory/access/bank_passes.h"

namespace warpsim {

namespace {

LaneMask lanes_of(std::uint32_t count) {
  return count == 0 ? 0 : kAllLanes >> (kWarpSize - count);
}

LaneAddresses list_of(const LaneAddresses& addresses) {
  return {LaneAddresses::Kind::kList, 0, 0, addresses.list};
}

std::uint32_t groups(LaneMask active, std::uint32_t lanes) {
  std::uint32_t count = 0;
  for (std::uint32_t first = 0; first < kWarpSize; first += lanes) {
    count += (active >> first & lanes_of(lanes)) != 0 ? 1 : 0;
  }
  return count;
}

// Distinct sectors of a few texels.
std::uint32_t distinct_sectors(const Address* texels, std::uint32_t count) {
  std::uint32_t found = 0;
  std::array<Address, kWarpSize> sectors;
  for (std::uint32_t i = 0; i < count; ++i) {
    const Address sector = texels[i] / kSectorBytes;
    if (std::find(sectors.begin(), sectors.begin() + found, sector) == sectors.begin() + found) {
      sectors[found++] = sector;
    }
  }
  return found;
}

// Texels of 16 bytes are filtered in two halves.
constexpr std::uint32_t kWideBytes = 16;
constexpr std::uint32_t kVolume = 3;
constexpr std::uint32_t kFewestLanes = 4;  // of a request

bool filters_halves(const TexelAccess& access) {
  return access.texel_bytes == kWideBytes && access.filter != 0;
}

// Sectors of a group, from `first` on.
std::uint32_t group_size(const Address* first, const Address* end) {
  const Address* const next =
      std::find_if(first + 1, end, [](Address address) { return (address & LaneAddresses::kFirstOfGroup) != 0; });
  return static_cast<std::uint32_t>(next - first);
}

// The most of a group that one bank holds.
std::uint32_t most_of_bank(const Address* first, std::uint32_t count) {
  std::array<std::uint32_t, LaneAddresses::kTexelBanks> of_bank{};
  for (std::uint32_t i = 0; i < count; ++i) {
    ++of_bank[first[i] >> LaneAddresses::kTexelBankBit & (LaneAddresses::kTexelBanks - 1)];
  }
  return *std::ranges::max_element(of_bank);
}

std::uint32_t distinct_lines(const Address* first, std::uint32_t count) {
  std::uint32_t lines = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto same = [&](Address other) { return line_of(other) == line_of(first[i]); };
    lines += std::none_of(first, first + i, same) ? 1 : 0;
  }
  return lines;
}

// A group takes as many passes as it has sectors in one bank. Filters of volumes read those of two slices at once,
// those of wide texels two lines.
std::uint32_t sector_passes(const LaneAddresses& addresses, const TexelAccess& access) {
  constexpr std::uint32_t kAtOnce = 2;
  std::uint32_t passes = 0;
  const Address* const end = addresses.list + access.count;
  for (const Address* at = addresses.list; at != end;) {
    const std::uint32_t count = group_size(at, end);
    if (filters_halves(access)) {
      passes += 2 * ((distinct_lines(at, count) + kAtOnce - 1) / kAtOnce);
    } else {
      const std::uint32_t most = most_of_bank(at, count);
      passes += access.filter == kVolume ? (most + kAtOnce - 1) / kAtOnce : most;
    }
    at += count;
  }
  return passes;
}

}  // namespace

TexelDemand texel_demand(const LaneAddresses& addresses, LaneMask active, bool stores) {
  const TexelAccess access = addresses.texels();
  TexelDemand demand;
  demand.requests = groups(active, std::max(kFewestLanes, access.group_lanes));
  if (!access.by_lane) {
    demand.sectors = access.count * (filters_halves(access) ? 2 : 1);
    demand.passes = sector_passes(addresses, access);
    return demand;
  }
  for (std::uint32_t first = 0; first < access.count; first += access.group_lanes) {
    demand.sectors += distinct_sectors(addresses.list + first, std::min(access.group_lanes, access.count - first));
  }
  demand.passes = stores ? distinct_sectors(addresses.list, access.count)
                         : load_bank_passes(list_of(addresses), lanes_of(access.count), access.texel_bytes).passes;
  return demand;
}

std::uint32_t texel_lines(const LaneAddresses& addresses, std::uint32_t first, AccessNeeds needs,
                          CoalescedAccess& out) {
  const TexelAccess access = addresses.texels();
  if (access.by_lane) {
    coalesce(list_of(addresses), lanes_of(access.count), access.texel_bytes, needs, out);
    return access.count;
  }
  // Each sector fits one line, so that a part of the list needs no more lines than it has addresses.
  const std::uint32_t end = std::min(access.count, first + kWarpSize);
  LaneAddresses part = list_of(addresses);
  part.list += first;
  coalesce(part, lanes_of(end - first), 1, needs, out);
  return end;
}

}  // namespace warpsim
