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
      addresses_(group_, warps_per_block) {
  for (std::uint32_t i = 0; i < program_size; ++i) {
    straight_.push_back({i, kAllLanes, WarpInstruction::kNoAddresses, 0});
  }
}

void GroupDecoder::next(CodedBlock& out) {
  out.linear_index = next_block();
  out.instructions = 0;
  out.paths.resize(warps_per_block_);
  out.values.clear();
  out.addresses.clear();
  std::size_t patches = 0;
  for (WarpPath& path : out.paths) {
    const std::uint64_t number = warp_paths_.varint();
    if (number >= paths_.size()) {
      throw StreamError(fmt::format("'warp_paths' names path {}; expected at most {}", number, paths_.size() - 1));
    }
    path = paths_.path(number);
    out.instructions += path.instructions;
    patches += path.patches.size();
  }
  if (out.instructions > kMaxBlockInstructions || out.instructions > group_.instructions() - instructions_) {
    throw StreamError(fmt::format("block {} has {} instructions; expected at most {} and {} in the group",
                                  out.linear_index, out.instructions, kMaxBlockInstructions, group_.instructions()));
  }
  out.values.resize(patches);
  addresses_.begin_block();
  std::uint32_t* values = out.values.data();
  for (std::uint32_t warp = 0; warp < warps_per_block_; ++warp) {
    addresses_.read(out.paths[warp], warp, serial_++, values, out.addresses);
    values += out.paths[warp].patches.size();
  }
  instructions_ += out.instructions;
  ++done_;
  if (finished()) {
    check_finished();
  }
}

void GroupDecoder::expand(CodedBlock& coded, BlockTrace& out) const {
  out.linear_index = coded.linear_index;
  std::swap(out.addresses, coded.addresses);
  out.instructions.resize(coded.instructions);  // not cleared before: data of an earlier block are overwritten
  out.warp_begin.assign(1, 0);
  out.warp_begin.reserve(coded.paths.size() + 1);
  const std::uint32_t* value = coded.values.data();
  for (const WarpPath& path : coded.paths) {
    WarpInstruction* const instructions = out.instructions.data() + out.warp_begin.back();
    expand_runs(path.runs, instructions);
    for (const Patch& patch : path.patches) {
      WarpInstruction& instruction = instructions[patch.position];
      (patch.kind == Patch::Kind::kAddresses ? instruction.addresses : instruction.active) = *value++;
    }
    out.warp_begin.push_back(out.warp_begin.back() + static_cast<std::uint32_t>(path.instructions));
  }
}

void GroupDecoder::expand_runs(std::span<const Run> runs, WarpInstruction* out) const {
  for (const Run& run : runs) {
    WarpInstruction* const end = std::copy_n(straight_.data() + run.start, run.length, out);
    if (run.mask != kAllLanes) {
      std::for_each(out, end, [&](WarpInstruction& instruction) { instruction.active = run.mask; });
    }
    out = end;
  }
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
