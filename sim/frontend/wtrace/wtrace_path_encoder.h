// Codes the paths of warps (instruction indices and active masks) for one group of the native trace format: runs of
// consecutive instructions with one mask each. Warps with equal execution share one path. Masks that differ from warp
// to warp at an instruction under a guard predicate are moved from the path into a column of that instruction, so
// that they do not separate otherwise equal paths. Format: docs/trace-format.md, section "Paths".
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/launch/instruction_source.h"
#include "frontend/wtrace/wtrace_format.h"

namespace warpsim::wtrace {

class PathEncoder {
 public:
  explicit PathEncoder(std::size_t program_size) : facts_(program_size) {}

  // Pass 1, over all warps of the group: finds instructions whose masks differ between warps.
  void survey(std::span<const WarpInstruction> warp);
  // Pass 2, after survey() of all: finds those that only repeat the previous one.
  void survey_repeats(std::span<const WarpInstruction> warp);
  // Pass 3: codes one warp.
  void encode(std::span<const WarpInstruction> warp);

  // The group's streams, and the mask column of each instruction ("": none).
  std::uint32_t path_count() const { return static_cast<std::uint32_t>(numbers_.size()); }
  const std::string& paths() const { return paths_; }
  const std::string& path_masks() const { return path_masks_; }
  const std::string& warp_paths() const { return warp_paths_; }
  const std::string& mask_column(std::size_t instruction) const { return facts_[instruction].column; }

 private:
  struct InstructionFacts {
    std::array<LaneMask, 4> exceptions{};  // distinct masks of a guard seen so far
    std::uint32_t exception_count = 0;
    bool repeats = true;  // every mask equals that of the varying instruction before it in its warp
    std::string column;
  };
  struct Run {
    std::uint32_t start = 0;
    std::uint32_t length = 0;
    std::uint8_t code = 0;
    LaneMask mask = 0;
  };
  // The state of the reader at the same place.
  struct MaskState {
    std::array<LaneMask, kHistoryDepth> history{kAllLanes, 0, 0, 0};
    LaneMask aside = 0;
    void push(LaneMask mask);
    void to_front(std::uint32_t entry);
  };

  bool varies(std::size_t instruction) const {
    return facts_[instruction].exception_count == facts_[instruction].exceptions.size();
  }
  // True if the flow mask returns within a few instructions after `at`.
  bool is_exception(std::span<const WarpInstruction> warp, std::size_t at, LaneMask flow) const;
  std::uint8_t choose_code(std::span<const WarpInstruction> warp, std::size_t at);
  void put_run(const Run& run, std::uint32_t expected_start);

  std::vector<InstructionFacts> facts_;
  std::unordered_map<std::string, std::uint32_t> numbers_;  // runs and masks of a path -> its number
  std::string paths_;
  std::string path_masks_;
  std::string warp_paths_;
  // Of the warp being coded.
  MaskState state_;
  std::string runs_;
  std::string masks_;
};

}  // namespace warpsim::wtrace
