#include "frontend/wtrace/wtrace_group_encoder.h"

#include <fmt/format.h>

#include <span>
#include <utility>

#include "base/error.h"
#include "frontend/wtrace/wtrace_address_encoder.h"
#include "frontend/wtrace/wtrace_format.h"
#include "frontend/wtrace/wtrace_path_encoder.h"

namespace warpsim::wtrace {
namespace {

// Large enough that repetition between blocks is found, small enough that a reader of the last block of a
// group decodes the others in milliseconds.
constexpr std::uint64_t kGroupInstructions = std::uint64_t{1} << 20;
constexpr std::uint64_t kGroupAddressWords = std::uint64_t{1} << 20;

std::span<const WarpInstruction> warp_of(const BlockTrace& block, std::uint32_t warp) {
  if (warp >= block.warp_count()) {
    return {};
  }
  return std::span(block.instructions)
      .subspan(block.warp_begin[warp], block.warp_begin[warp + 1] - block.warp_begin[warp]);
}

void put_mask_columns(const PathEncoder& paths, std::size_t program_size, trace::Group& group) {
  for (std::size_t index = 0; index < program_size; ++index) {
    if (!paths.mask_column(index).empty()) {
      trace::MaskColumn& column = *group.add_mask_columns();
      column.set_instruction(static_cast<std::uint32_t>(index));
      column.set_masks(paths.mask_column(index));
    }
  }
}

}  // namespace

void GroupEncoder::check(const BlockTrace& block) const {
  const auto refuse = [&](const std::string& what) {
    throw TraceError(fmt::format("kernel '{}', block {}: {}", launch_.kernel, block.linear_index, what));
  };
  if (block.warp_count() > launch_.warps_per_block()) {
    refuse(fmt::format("{} warps recorded; the launch has {} a block", block.warp_count(), launch_.warps_per_block()));
  }
  if (block.instructions.size() > kMaxBlockInstructions || block.addresses.size() > kMaxBlockAddressWords) {
    refuse(fmt::format("{} instructions recorded, a .wtrace holds at most {} per block", block.instructions.size(),
                       kMaxBlockInstructions));
  }
  for (const WarpInstruction& instruction : block.instructions) {
    if (instruction.index >= launch_.program->instructions.size()) {
      refuse(fmt::format("instruction {} recorded, the program has {}", instruction.index,
                         launch_.program->instructions.size()));
    }
  }
}

void GroupEncoder::add(BlockTrace block) {
  check(block);
  instructions_ += block.instructions.size();
  address_words_ += block.addresses.size();
  blocks_.push_back(std::move(block));
}

bool GroupEncoder::full() const {
  return instructions_ >= kGroupInstructions || address_words_ >= kGroupAddressWords ||
         blocks_.size() * launch_.warps_per_block() >= kGroupInstructions;
}

void GroupEncoder::code_addresses(trace::Group& group) const {
  const auto has_addresses = [](const WarpInstruction& instruction) {
    return instruction.addresses != WarpInstruction::kNoAddresses;
  };
  AddressEncoder addresses(*launch_.program);
  for (const BlockTrace& block : blocks_) {
    for (const WarpInstruction& instruction : block.instructions) {
      if (has_addresses(instruction)) {
        addresses.add_column(instruction.index);
      }
    }
  }
  std::uint64_t serial = 0;
  for (const BlockTrace& block : blocks_) {
    for (std::uint32_t warp = 0; warp < launch_.warps_per_block(); ++warp, ++serial) {
      for (const WarpInstruction& instruction : warp_of(block, warp)) {
        if (addresses.has_column(instruction.index)) {
          const LaneAddresses lanes =
              has_addresses(instruction) ? block.addresses.at(instruction.addresses) : LaneAddresses{};
          addresses.add(instruction, lanes, warp, serial);
        }
      }
    }
  }
  addresses.finish(launch_.warps_per_block(), group);
}

trace::Group GroupEncoder::take() {
  trace::Group group;
  group.set_first_block(blocks_.front().linear_index);
  group.set_block_count(blocks_.size());
  group.set_instructions(instructions_);

  const std::size_t program_size = launch_.program->instructions.size();
  const std::uint32_t warps = launch_.warps_per_block();
  PathEncoder paths(program_size);
  for (const BlockTrace& block : blocks_) {
    for (std::uint32_t warp = 0; warp < warps; ++warp) {
      paths.survey(warp_of(block, warp));
    }
  }
  for (const BlockTrace& block : blocks_) {
    for (std::uint32_t warp = 0; warp < warps; ++warp) {
      paths.survey_repeats(warp_of(block, warp));
    }
  }
  for (const BlockTrace& block : blocks_) {
    for (std::uint32_t warp = 0; warp < warps; ++warp) {
      paths.encode(warp_of(block, warp));
    }
  }
  group.set_path_count(paths.path_count());
  group.set_paths(paths.paths());
  group.set_path_masks(paths.path_masks());
  group.set_warp_paths(paths.warp_paths());
  put_mask_columns(paths, program_size, group);
  code_addresses(group);

  blocks_.clear();
  instructions_ = 0;
  address_words_ = 0;
  return group;
}

}  // namespace warpsim::wtrace
