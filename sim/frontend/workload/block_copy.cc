#include "frontend/workload/block_copy.h"

#include <array>
#include <bit>
#include <memory>

#include "base/check.h"

namespace warpsim {

namespace {

std::uint32_t copy_list(const LaneAddresses& from, std::uint32_t count, AddressPool& to) {
  std::array<Address, kWarpSize> list;
  for (std::uint32_t i = 0; i < count; ++i) {
    list[i] = from.of_lane(i);
  }
  return to.add_list(list.data(), count);
}

}  // namespace

std::uint32_t copy_addresses(const LaneAddresses& from, LaneMask active, AddressPool& to) {
  switch (from.kind) {
    case LaneAddresses::Kind::kStrided:
      return to.add_strided(from.base, from.stride);
    case LaneAddresses::Kind::kList:
      return copy_list(from, static_cast<std::uint32_t>(std::popcount(active)), to);
    case LaneAddresses::Kind::kTexels:
      return to.add_texels(from.texels(), from.list);
    case LaneAddresses::Kind::kNone:
      break;
  }
  return WarpInstruction::kNoAddresses;
}

void copy_block(KernelSource& kernel, std::uint64_t linear_index, BlockTrace& out) {
  out.clear();
  out.linear_index = linear_index;
  const std::unique_ptr<BlockSource> block = kernel.start_block(linear_index, 0);
  out.warp_begin.push_back(0);
  for (std::uint32_t warp = 0; warp < block->warp_count(); ++warp) {
    WarpStream stream;
    stream.warp = warp;
    while (!stream.finished) {
      block->refill(stream, 0);
      SIM_CHECK(stream.finished || stream.next != stream.end, "a recorded warp has no next instruction and no end");
      for (; stream.next != stream.end; ++stream.next) {
        WarpInstruction& instruction = out.instructions.emplace_back(*stream.next);
        if (instruction.addresses != WarpInstruction::kNoAddresses) {
          instruction.addresses = copy_addresses(block->addresses(*stream.next), instruction.active, out.addresses);
        }
      }
    }
    out.warp_begin.push_back(static_cast<std::uint32_t>(out.instructions.size()));
  }
}

}  // namespace warpsim
