#include "frontend/wtrace_group_decoder.h"

#include <fmt/format.h>

#include <cstddef>
#include <iterator>
#include <utility>

#include "frontend/wtrace_format.h"

namespace warpsim::wtrace {
namespace {

// The instructions of a run, for std::vector::insert.
class RunIterator {
 public:
  using iterator_category = std::forward_iterator_tag;
  using value_type = WarpInstruction;
  using difference_type = std::ptrdiff_t;
  using pointer = void;
  using reference = WarpInstruction;

  RunIterator(const Run& run, std::uint32_t at) : index_(run.start + at), mask_(run.mask) {}
  WarpInstruction operator*() const { return {index_, mask_, WarpInstruction::kNoAddresses, 0}; }
  RunIterator& operator++() {
    ++index_;
    return *this;
  }
  bool operator==(const RunIterator& other) const { return index_ == other.index_; }

 private:
  std::uint32_t index_;
  LaneMask mask_;
};

}  // namespace

GroupDecoder::GroupDecoder(trace::Group group, std::uint32_t program_size, std::uint32_t warps_per_block)
    : group_(std::move(group)),
      warps_per_block_(warps_per_block),
      paths_(group_, program_size),
      warp_paths_(group_.warp_paths(), "warp_paths"),
      addresses_(group_, warps_per_block),
      block_paths_(warps_per_block) {}

void GroupDecoder::next(BlockTrace& out) {
  out.clear();
  out.linear_index = next_block();
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
  out.instructions.reserve(count);
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

void GroupDecoder::next_warp(const WarpPath& path, std::uint32_t warp, BlockTrace& out) {
  const std::size_t begin = out.instructions.size();
  for (const Run& run : path.runs) {
    out.instructions.insert(out.instructions.end(), RunIterator(run, 0), RunIterator(run, run.length));
  }
  addresses_.fill(path, warp, serial_, out.instructions.data() + begin, out.addresses);
  out.warp_begin.push_back(static_cast<std::uint32_t>(out.instructions.size()));
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
