#include "frontend/wtrace/wtrace_group_decoder.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "frontend/wtrace/wtrace_format.h"

namespace warpsim::wtrace {
GroupDecoder::GroupDecoder(trace::Group group, std::uint32_t program_size, std::uint32_t warps_per_block)
    : group_(std::move(group)),
      warps_per_block_(warps_per_block),
      paths_(group_, program_size),
      warp_paths_(group_.warp_paths(), "warp_paths"),
      addresses_(group_, warps_per_block),
      block_paths_(warps_per_block) {
  for (std::uint32_t i = 0; i < program_size; ++i) {
    straight_.push_back({i, kAllLanes, WarpInstruction::kNoAddresses, 0});
  }
}

void GroupDecoder::next(BlockTrace& out) {
  out.linear_index = next_block();
  out.addresses.clear();
  out.warp_begin.clear();
  out.warp_begin.reserve(std::size_t{warps_per_block_} + 1);
  out.warp_begin.push_back(0);
  std::uint64_t count = 0;
  for (WarpPath& path : block_paths_) {
    const std::uint64_t number = warp_paths_.varint();
    if (number >= paths_.size()) {
      throw StreamError(fmt::format("'warp_paths' names path {}; expected at most {}", number, paths_.size() - 1));
    }
    path = paths_.path(number);
    count += path.instructions;
  }
  if (count > kMaxBlockInstructions || count > group_.instructions() - instructions_) {
    throw StreamError(fmt::format("block {} has {} instructions; expected at most {} and {} in the group",
                                  out.linear_index, count, kMaxBlockInstructions, group_.instructions()));
  }
  out.instructions.resize(count);  // not cleared before: data of an earlier block are overwritten
  addresses_.begin_block();
  for (std::uint32_t warp = 0; warp < warps_per_block_; ++warp) {
    next_warp(block_paths_[warp], warp, out);
  }
  instructions_ += count;
  ++done_;
  if (finished()) {
    check_finished();
  }
}

void GroupDecoder::expand(std::span<const Run> runs, WarpInstruction* out) const {
  for (const Run& run : runs) {
    WarpInstruction* const end = std::copy_n(straight_.data() + run.start, run.length, out);
    if (run.mask != kAllLanes) {
      std::for_each(out, end, [&](WarpInstruction& instruction) { instruction.active = run.mask; });
    }
    out = end;
  }
}

void GroupDecoder::next_warp(const WarpPath& path, std::uint32_t warp, BlockTrace& out) {
  const std::uint32_t begin = out.warp_begin.back();
  WarpInstruction* const instructions = out.instructions.data() + begin;
  expand(path.runs, instructions);
  addresses_.fill(path, warp, serial_, instructions, out.addresses);
  out.warp_begin.push_back(begin + static_cast<std::uint32_t>(path.instructions));
  ++serial_;
}

void GroupDecoder::check_finished() const {
  if (instructions_ != group_.instructions()) {
    throw StreamError(fmt::format("'instructions' is {}; expected {}, the sum over the blocks", group_.instructions(),
                                  instructions_));
  }
  warp_paths_.must_be_empty();
  addresses_.must_be_empty();
}

}  // namespace warpsim::wtrace
