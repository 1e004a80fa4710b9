// The paths of one group of the native trace format, as runs of consecutive instructions with one mask each. What
// differs between warps on one path (masks of guarded instructions, addresses) is listed as patches.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/launch/instruction_source.h"
#include "frontend/wtrace/wtrace_stream.h"
#include "wtrace.pb.h"

namespace warpsim::wtrace {

// A value to be set at one instruction of a path, in the order in which the group's streams hold it.
struct Patch {
  enum class Kind : std::uint8_t { kMask, kMaskAgain, kAddresses };
  std::uint32_t position = 0;  // in the path
  Kind kind = Kind::kMask;
  std::uint32_t column = 0;  // of mask_columns or address_columns
};

struct Run {
  std::uint32_t start = 0;  // instruction
  std::uint32_t length = 0;
  LaneMask mask = 0;
};

struct WarpPath {
  std::span<const Run> runs;
  std::span<const Patch> patches;
  std::uint64_t instructions = 0;  // of all runs
};

class PathTable {
 public:
  // Throws StreamError.
  PathTable(const trace::Group& group, std::uint32_t program_size);

  // Path 0 is the empty one.
  std::size_t size() const { return ends_.size(); }
  WarpPath path(std::size_t number) const {
    if (number == 0) {
      return {};
    }
    const End& begin = ends_[number - 1];
    const End& end = ends_[number];
    return {{runs_.data() + begin.run, end.run - begin.run},
            {patches_.data() + begin.patch, end.patch - begin.patch},
            end.instruction - begin.instruction};
  }

 private:
  struct End {
    std::size_t run = 0;
    std::size_t patch = 0;
    std::uint64_t instruction = 0;
  };

  std::vector<Run> runs_;  // of all paths, one after another
  std::vector<Patch> patches_;
  std::vector<End> ends_;  // by path
};

}  // namespace warpsim::wtrace
