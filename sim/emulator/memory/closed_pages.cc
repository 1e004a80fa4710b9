#include "emulator/memory/closed_pages.h"

namespace warpsim {

void ClosedPages::close(MemoryArena& arena, Address begin, std::uint64_t bytes) {
  if (ranges_.size() == kMaxRanges) {
    open_oldest(arena);
  }
  if (arena.set_host_access(begin, bytes, false)) {
    ranges_.push_back({begin, bytes});
  }
}

void ClosedPages::open(MemoryArena& arena, Address begin) {
  if (!ranges_.empty() && ranges_.front().begin == begin) {
    open_oldest(arena);
  }
}

void ClosedPages::open_oldest(MemoryArena& arena) {
  const Range range = ranges_.front();
  ranges_.pop_front();
  if (!arena.set_host_access(range.begin, range.bytes, true)) {
    // The process has no mapping left that would divide the closed pages. To open all of them needs none.
    arena.set_host_access(arena.begin(), arena.bytes(), true);
    ranges_.clear();
  }
}

}  // namespace warpsim
