// The usual accesses of a warp to memory: to one of the allocations of global memory that it used last, or to its
// block's own shared memory. They are resolved for all lanes at once, in loops that compilers vectorise; whatever is
// unusual, faults included, is left to resolve() (memory_access.h).
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "emulator/code/function_code.h"
#include "emulator/execution/launch_context.h"
#include "emulator/execution/warp_context.h"
#include "emulator/memory/block_memory.h"
#include "emulator/memory/device_memory.h"
#include "emulator/memory/generic_address.h"
#include "emulator/memory/memory_access.h"
#include "emulator/operations/operation.h"

namespace warpsim {

class UsualAccess {
 public:
  // `bytes`: of the whole access of a lane, which is also its alignment; `lanes` is not 0. False: it is not a usual
  // access, and nothing has changed.
  bool find(WarpContext& warp, const Operation& operation, LaneMask lanes, std::uint32_t bytes, AccessKind kind) {
    if (!may_be_usual(warp, operation)) {
      return false;
    }
    const auto offset = static_cast<Address>(operation.offset);
    if (operation.address_bits == 32) {
      const auto* const base = warp.read<std::uint32_t>(operation.a);
      const auto distance = static_cast<std::uint32_t>(offset);
      return find_at(warp, operation, lanes, bytes, kind,
                     [=](std::uint32_t lane) { return static_cast<std::uint32_t>(base[lane] + distance); });
    }
    if (operation.a_high != kNoPlace) {
      const auto* const low = warp.read<std::uint32_t>(operation.a);
      const auto* const high = warp.read<std::uint32_t>(operation.a_high);
      return find_at(warp, operation, lanes, bytes, kind,
                     [=](std::uint32_t lane) { return (Address{high[lane]} << 32U | low[lane]) + offset; });
    }
    const auto* const base = warp.read<std::uint64_t>(operation.a);
    return find_at(warp, operation, lanes, bytes, kind, [=](std::uint32_t lane) { return base[lane] + offset; });
  }
  // The same at addresses of the caller.
  bool find(WarpContext& warp, const Operation& operation, const LaneValues& addresses, LaneMask lanes,
            std::uint32_t bytes, AccessKind kind) {
    return may_be_usual(warp, operation) &&
           find_at(warp, operation, lanes, bytes, kind,
                   [&addresses](std::uint32_t lane) { return Address{addresses[lane]}; });
  }

  // The host's bytes of a lane. Those of lanes that do not take part are the first one's that does.
  std::byte* of(std::uint32_t lane) const { return begin_ + static_cast<std::int32_t>(offsets_[lane]); }

  // How the lanes' bytes lie, in groups of consecutive lanes: warps of blocks with two dimensions access several rows.
  static constexpr std::uint32_t kGroup = 8;
  enum class Shape : std::uint8_t {
    kAny,
    kRows,     // those of a group follow each other in order
    kRow,      // those of all lanes do
    kOneEach,  // those of a group are the same
    kOne,      // those of all lanes are
  };
  Shape shape(std::uint32_t bytes) const {
    std::uint32_t no_rows = 0;
    std::uint32_t no_row = 0;
    std::uint32_t not_one_each = 0;
    std::uint32_t not_one = 0;
    for (std::uint32_t group = 0; group < kWarpSize; group += kGroup) {
      const std::uint32_t begin = offsets_[group];
      for (std::uint32_t i = 0; i < kGroup; ++i) {
        no_rows |= offsets_[group + i] ^ (begin + i * bytes);
        not_one_each |= offsets_[group + i] ^ begin;
      }
      no_row |= begin ^ (offsets_[0] + group * bytes);
      not_one |= begin ^ offsets_[0];
    }
    return not_one_each == 0 ? (not_one == 0 ? Shape::kOne : Shape::kOneEach)
           : no_rows == 0    ? (no_row == 0 ? Shape::kRow : Shape::kRows)
                             : Shape::kAny;
  }

  // Whether its accesses can be usual: of these spaces, and with nobody who observes them.
  static bool may_be_usual(const WarpContext& warp, const Operation& operation) {
    const bool in_space = operation.space == ptx::StateSpace::kGlobal ||
                          operation.space == ptx::StateSpace::kConstant ||
                          operation.space == ptx::StateSpace::kGeneric || operation.space == ptx::StateSpace::kShared;
    return in_space && warp.effects == nullptr && warp.observer == nullptr;
  }

 private:
  // `address_of(lane)`: an address of 32 or 64 bits, also of lanes that do not take part.
  template <class AddressOf>
  bool find_at(WarpContext& warp, const Operation& operation, LaneMask lanes, std::uint32_t bytes, AccessKind kind,
               AddressOf address_of) {
    const bool shared = operation.space == ptx::StateSpace::kShared;
    if (lanes == kAllLanes) {
      return shared ? find_shared(warp, operation, lanes, bytes, kind, address_of)
                    : find_global(warp, bytes, address_of(0), address_of);
    }
    using Word = decltype(address_of(0));
    const Word first = address_of(static_cast<std::uint32_t>(std::countr_zero(lanes)));
    const auto address_or_first = [=](std::uint32_t lane) {
      const Word takes_part = Word{0} - (lanes >> lane & 1U);
      return (address_of(lane) & takes_part) | (first & ~takes_part);
    };
    return shared ? find_shared(warp, operation, lanes, bytes, kind, address_or_first)
                  : find_global(warp, bytes, first, address_or_first);
  }

  // Allocations and the windows of other memory in the generic space do not overlap.
  template <class AddressOf>
  bool find_global(const WarpContext& warp, std::uint32_t bytes, Address first, AddressOf address_of) {
    const RecentAllocation* const recent = warp.recent.find(first, warp.launch->memory->generation());
    if (recent == nullptr || recent->bytes < bytes) {
      return false;
    }
    // The highest bit is set if a place is beyond the last one: no place within an allocation has it.
    const std::uint64_t last = recent->bytes - bytes;
    const Address begin = recent->begin;
    constexpr std::uint64_t kHalf = std::uint64_t{1} << 31U;
    std::uint64_t marks = 0;
    std::uint64_t all = 0;
    std::uint64_t distances = 0;  // between -2^31 and 2^31 - 1, plus 2^31
    for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
      const Address address = address_of(lane);
      const std::uint64_t place = address - begin;
      all |= address;
      marks |= place | (last - place);
      distances |= address - first + kHalf;
      offsets_[lane] = static_cast<std::uint32_t>(address - first);
    }
    begin_ = recent->host + (first - begin);
    return marks >> 63U == 0 && distances >> 32U == 0 && (all & (bytes - 1)) == 0;
  }

  template <class AddressOf>
  bool find_shared(const WarpContext& warp, const Operation& operation, LaneMask lanes, std::uint32_t bytes,
                   AccessKind kind, AddressOf address_of) {
    BlockMemory& block = *warp.block;
    constexpr std::uint32_t kOffsets = (std::uint32_t{1} << kSharedOffsetBits) - 1;
    decltype(address_of(0)) all = 0;
    std::uint32_t highest = 0;
    std::uint32_t lowest = kOffsets;
    for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
      const auto address = address_of(lane);
      const std::uint32_t offset = static_cast<std::uint32_t>(address) & kOffsets;
      all |= address;
      highest = std::max(highest, offset);
      lowest = std::min(lowest, offset);
      offsets_[lane] = offset;
    }
    const bool own = warp.code->has_convergence_barriers ? !operation.in_cluster || block.cluster.empty()
                                                         : all >> kSharedOffsetBits == 0;
    if (!own || (all & (bytes - 1)) != 0 || block.shared_bytes() < bytes || highest > block.shared_bytes() - bytes) {
      return false;
    }
    begin_ = block.shared(0);
    if (kind != AccessKind::kWrite) {
      return block.is_written_between(lowest, highest, bytes) || is_written_by_lane(block, bytes);
    }
    if (lanes == kAllLanes && highest - lowest == (kWarpSize - 1) * bytes && shape(bytes) == Shape::kRow) {
      block.mark_written(lowest, kWarpSize * bytes);
    } else {
      for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
        block.mark_written(offsets_[lane], bytes);
      }
    }
    return true;
  }

  bool is_written_by_lane(const BlockMemory& block, std::uint32_t bytes) const {
    bool written = true;
    for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
      written = written && block.is_written(offsets_[lane], bytes);
    }
    return written;
  }

  std::array<std::uint32_t, kWarpSize> offsets_;  // from `begin_`, which is the first lane's in global memory; signed
  std::byte* begin_ = nullptr;
};

}  // namespace warpsim
