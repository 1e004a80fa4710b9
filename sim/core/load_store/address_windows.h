// The windows of a thread's address space: which memory a generic address means, and the location of local memory.
//
// Local addresses are offsets in the thread's window; the hardware interleaves the words of a warp's lanes so that the
// same word of all lanes fills one line. Lanes that index an array differently access different lines.
#pragma once

#include "base/lane_addresses.h"
#include "base/types.h"
#include "isa/static_instruction.h"
#include "memory/access/lane_array.h"

namespace warpsim {

struct AddressWindows {
  // A window has 16 MiB, the size that the driver reserves; inferred from recorded launches.
  static constexpr Address kWindowBytes = Address{16} << 20;

  Address shared_base = 0;  // 0: not recorded
  Address local_base = 0;
  Address local_backing = 0;  // place of the warp's local memory in device memory
  // The shared windows of all blocks of the cluster follow the block's own window, by rank.
  std::uint32_t cluster_blocks = 1;
  std::uint32_t cluster_rank = 0;

  // `space`, with generic addresses resolved to shared, another block's shared, local or global by the first lane's
  // address.
  MemorySpace space_of(MemorySpace space, const LaneAddresses& addresses) const;
  // Device addresses of one access: equal offsets of neighbouring lanes are adjacent, at least a word apart. The result
  // may refer to `storage`.
  LaneAddresses spread_local(const LaneAddresses& addresses, LaneMask active, std::uint32_t bytes_per_lane,
                             LaneArray& storage) const;
};

}  // namespace warpsim
