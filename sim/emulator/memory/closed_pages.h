// Freed managed memory that the host program cannot access any more: its pages are closed, so that an access of the
// host is a segmentation fault, as with a GPU, whose driver unmaps them.
//
// Each closed range may cost the process two mappings more, of which Linux allows 65,530. Therefore only the ranges
// that were freed last are closed, 8,192 of them; older ones are open again. Invariant: ranges are opened in the order
// in which they were closed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>

#include "base/types.h"
#include "emulator/memory/memory_arena.h"

namespace warpsim {

class ClosedPages {
 public:
  static constexpr std::size_t kMaxRanges = 8'192;

  // Closes the pages of an allocation of the arena, which begins with a page and shares none.
  void close(MemoryArena& arena, Address begin, std::uint64_t bytes);
  // The range will be used again. Nothing happens if it is not closed.
  void open(MemoryArena& arena, Address begin);
  std::size_t ranges() const { return ranges_.size(); }

 private:
  struct Range {
    Address begin = 0;
    std::uint64_t bytes = 0;
  };
  void open_oldest(MemoryArena& arena);

  std::deque<Range> ranges_;  // oldest first
};

}  // namespace warpsim
