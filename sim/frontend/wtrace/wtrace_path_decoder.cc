#include "frontend/wtrace/wtrace_path_decoder.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <string>

#include "frontend/wtrace/wtrace_format.h"

namespace warpsim::wtrace {
namespace {

constexpr std::uint32_t kNoColumn = std::numeric_limits<std::uint32_t>::max();

class PathDecoder {
 public:
  PathDecoder(const trace::Group& group, std::uint32_t program_size, std::vector<Run>& runs,
              std::vector<Patch>& patches)
      : path_runs_(runs),
        patches_(patches),
        limit_(std::min(group.instructions(), kMaxGroupPathInstructions)),
        program_size_(program_size),
        runs_(group.paths(), "paths"),
        masks_(group.path_masks(), "path_masks"),
        mask_column_(find_columns(group.mask_columns(), "mask_columns")),
        address_column_(find_columns(group.address_columns(), "address_columns")) {
    next_with_addresses_.assign(program_size + std::size_t{1}, program_size);
    for (std::uint32_t i = program_size; i-- > 0;) {
      next_with_addresses_[i] = address_column_[i] != kNoColumn ? i : next_with_addresses_[i + 1];
    }
  }

  // Appends the next path.
  void decode();
  void finish() const {
    runs_.must_be_empty();
    masks_.must_be_empty();
  }
  std::uint64_t instructions() const { return instructions_; }

 private:
  template <typename Columns>
  std::vector<std::uint32_t> find_columns(const Columns& columns, const char* name) const;
  LaneMask mask_of(std::uint8_t code);
  LaneMask push(LaneMask mask);
  void expand(std::uint32_t start, std::uint32_t length, std::uint8_t code);

  std::vector<Run>& path_runs_;
  std::vector<Patch>& patches_;
  std::uint64_t limit_;             // of instructions_
  std::uint64_t instructions_ = 0;  // of all paths so far
  std::uint64_t path_begin_ = 0;
  std::uint32_t program_size_;
  ByteStream runs_;
  ByteStream masks_;
  std::vector<std::uint32_t> mask_column_;          // by instruction
  std::vector<std::uint32_t> address_column_;       // by instruction
  std::vector<std::uint32_t> next_with_addresses_;  // the first instruction from here on that has a column
  // Of the path being decoded.
  std::array<LaneMask, kHistoryDepth> history_{};
  LaneMask aside_ = 0;
  bool had_warp_mask_ = false;
};

template <typename Columns>
std::vector<std::uint32_t> PathDecoder::find_columns(const Columns& columns, const char* name) const {
  std::vector<std::uint32_t> result(program_size_, kNoColumn);
  for (int i = 0; i < columns.size(); ++i) {
    const std::uint32_t instruction = columns[i].instruction();
    if (instruction >= program_size_ || result[instruction] != kNoColumn) {
      throw StreamError(
          fmt::format("'{}' names instruction {} of {}; expected each at most once", name, instruction, program_size_));
    }
    result[instruction] = static_cast<std::uint32_t>(i);
  }
  return result;
}

LaneMask PathDecoder::push(LaneMask mask) {
  std::copy_backward(history_.begin(), history_.end() - 1, history_.end());
  history_[0] = mask;
  return mask;
}

LaneMask PathDecoder::mask_of(std::uint8_t code) {
  switch (code) {
    case kMaskZero:
    case kMaskOfWarp:
    case kMaskOfWarpAgain:
      return 0;
    case kMaskNewFlow:
      return push(masks_.u32());
    case kMaskAside:
      aside_ = masks_.u32();
      return aside_;
    case kMaskAsideAgain:
      return aside_;
    case kMaskAsideAsFlow:
      return push(aside_);
    case kMaskNotAside:
      return push(history_[0] & ~aside_);
    case kMaskSibling:
      return push(history_[1] & ~history_[0]);
    default:
      if (code >= kHistoryDepth) {
        throw StreamError(fmt::format("'paths' has mask code {}; expected at most {}", code, +kMaskOfWarpAgain));
      }
      std::rotate(history_.begin(), history_.begin() + code, history_.begin() + code + 1);
      return history_[0];
  }
}

void PathDecoder::expand(std::uint32_t start, std::uint32_t length, std::uint8_t code) {
  const LaneMask mask = mask_of(code);
  const auto position = static_cast<std::uint32_t>(instructions_ - path_begin_);
  path_runs_.push_back({start, length, mask});
  instructions_ += length;
  const std::uint32_t end = start + length;
  if (code < kMaskOfWarp) {
    for (std::uint32_t i = next_with_addresses_[start]; i < end; i = next_with_addresses_[i + 1]) {
      patches_.push_back({position + (i - start), Patch::Kind::kAddresses, address_column_[i]});
    }
    return;
  }
  for (std::uint32_t i = start; i < end; ++i) {
    const std::uint32_t at = position + (i - start);
    if (code == kMaskOfWarpAgain) {
      if (!had_warp_mask_) {
        throw StreamError("'paths' repeats a warp's mask before there is one; expected an earlier mask");
      }
      patches_.push_back({at, Patch::Kind::kMaskAgain, 0});
    } else {
      if (mask_column_[i] == kNoColumn) {
        throw StreamError(fmt::format("'paths' needs masks of instruction {}; expected a column in 'mask_columns'", i));
      }
      patches_.push_back({at, Patch::Kind::kMask, mask_column_[i]});
      had_warp_mask_ = true;
    }
    if (address_column_[i] != kNoColumn) {
      patches_.push_back({at, Patch::Kind::kAddresses, address_column_[i]});
    }
  }
}

void PathDecoder::decode() {
  path_begin_ = instructions_;
  history_ = {kAllLanes, 0, 0, 0};
  aside_ = 0;
  had_warp_mask_ = false;
  std::uint64_t expected_start = 0;
  for (std::uint64_t runs = runs_.varint(); runs > 0; --runs) {
    const std::uint8_t head = runs_.byte();
    const std::uint32_t short_length = head >> kRunLengthShift;
    const std::uint64_t length = short_length != 0 ? short_length : runs_.varint();
    std::uint64_t start = expected_start;
    if ((head & kRunJumps) != 0) {
      start += static_cast<std::uint64_t>(unzigzag(runs_.varint()));
    }
    if (length > program_size_ || start > program_size_ - length) {
      throw StreamError(fmt::format("'paths' runs {} instructions from {}; expected them inside the program of {}",
                                    length, start, program_size_));
    }
    if (length > limit_ - instructions_) {
      throw StreamError(
          fmt::format("'paths' has more than {} instructions; expected each path to be used by a warp of "
                      "the group",
                      limit_));
    }
    expand(static_cast<std::uint32_t>(start), static_cast<std::uint32_t>(length), head & kRunMaskBits);
    expected_start = start + length;
  }
}

}  // namespace

PathTable::PathTable(const trace::Group& group, std::uint32_t program_size) {
  if (group.path_count() > group.paths().size()) {
    throw StreamError(fmt::format("'path_count' is {}; expected at most the {} bytes of 'paths'", group.path_count(),
                                  group.paths().size()));
  }
  PathDecoder decoder(group, program_size, runs_, patches_);
  ends_.reserve(std::size_t{group.path_count()} + 1);
  ends_.emplace_back();
  for (std::uint32_t i = 0; i < group.path_count(); ++i) {
    decoder.decode();
    ends_.push_back({runs_.size(), patches_.size(), decoder.instructions()});
  }
  decoder.finish();
}

}  // namespace warpsim::wtrace
