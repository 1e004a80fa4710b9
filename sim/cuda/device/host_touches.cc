#include "cuda/device/host_touches.h"

#include <xxhash.h>

namespace warpsim::cuda {

namespace {

constexpr std::uint64_t kBytes = ManagedPages::kPieceBytes;

void* program_address(const ManagedPages& pages, std::uint64_t piece) {
  return reinterpret_cast<void*>(pages.address_of(piece));  // NOLINT(performance-no-int-to-ptr): one address space
}

}  // namespace

std::uint64_t HostTouches::hash_of(std::uint64_t piece) const {
  const std::byte* const bytes = bytes_of_(piece);
  return bytes == nullptr ? 0 : XXH3_64bits(bytes, kBytes);
}

void HostTouches::watch(std::uint64_t piece) {
  touched_.take_out(program_address(pages_, piece), kBytes);
  if (pages_.piece(piece).has_copies()) {
    copied_[piece] = hash_of(piece);
  } else {
    copied_.erase(piece);
  }
}

// A piece that is in the host's memory, without copies, is not watched.
std::vector<ManagedMemory::Touch> HostTouches::look(const ManagedRanges& ranges) {
  std::vector<ManagedMemory::Touch> touches;
  if (!works() || TouchedPages::faults() == faults_) {
    return touches;
  }
  const auto is_watched = [this](std::uint64_t number) {
    const ManagedPages::Piece& piece = pages_.piece(number);
    return !piece.is_held_by(ManagedPages::kHost) || piece.has_copies();
  };
  for (const ManagedRanges::Span& span : ranges.allocations()) {
    for (std::uint64_t first = span.first; first < span.end;) {
      std::uint64_t end = first;
      while (end < span.end && is_watched(end)) {
        ++end;
      }
      const std::vector<bool> touched =
          touched_.touched(program_address(pages_, first), (end - first) * kBytes, kBytes);
      for (std::uint64_t piece = first; piece < end; ++piece) {
        if (!touched[piece - first]) {
          continue;
        }
        const auto copied = copied_.find(piece);
        const bool writes = copied == copied_.end() || copied->second != hash_of(piece);
        touches.push_back({piece, writes});
        if (!writes) {
          watch(piece);  // for a write that follows
        }
      }
      first = end == first ? first + 1 : end;
    }
  }
  return touches;
}

}  // namespace warpsim::cuda
