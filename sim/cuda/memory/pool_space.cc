#include "cuda/memory/pool_space.h"

#include <algorithm>
#include <limits>

#include "base/round_up.h"

namespace warpsim::cuda {

namespace {

constexpr std::uint64_t kEndless = std::numeric_limits<std::uint64_t>::max();

}  // namespace

// The last one has no end.
std::vector<PoolSpace::Run> PoolSpace::runs(const MayUse& may_use) const {
  std::vector<Run> found;
  std::uint64_t begin = 0;
  for (const auto& [offset, block] : blocks_) {
    if (block.freed && may_use(*block.freed)) {
      continue;
    }
    if (offset > begin) {
      found.push_back({begin, offset});
    }
    begin = offset + block.bytes;
  }
  found.push_back({begin, kEndless});
  return found;
}

std::vector<std::uint64_t> PoolSpace::missing_chunks(std::uint64_t begin, std::uint64_t bytes) const {
  std::vector<std::uint64_t> missing;
  for (std::uint64_t chunk = begin / kChunk; chunk * kChunk < begin + bytes; ++chunk) {
    if (!chunks_.contains(chunk)) {
      missing.push_back(chunk);
    }
  }
  return missing;
}

std::optional<std::uint64_t> PoolSpace::backed_place(const std::vector<Run>& runs, std::uint64_t bytes) const {
  const std::uint64_t end = chunks_.empty() ? 0 : (*chunks_.rbegin() + 1) * kChunk;
  for (const Run& run : runs) {
    for (std::uint64_t begin = run.begin; begin < end && bytes <= std::min(run.end, end) - begin;) {
      const std::vector<std::uint64_t> missing = missing_chunks(begin, bytes);
      if (missing.empty()) {
        return begin;
      }
      begin = (missing.back() + 1) * kChunk;
      if (begin > run.end) {
        break;
      }
    }
  }
  return std::nullopt;
}

// Freed blocks, or parts of them, become a part of what is taken.
void PoolSpace::cut(std::uint64_t begin, std::uint64_t bytes, std::vector<WorkHandle>* waits) {
  const std::uint64_t end = begin + bytes;
  auto next = blocks_.upper_bound(begin);
  next = next == blocks_.begin() ? next : std::prev(next);
  while (next != blocks_.end() && next->first < end) {
    const std::uint64_t offset = next->first;
    const Block block = next->second;
    const std::uint64_t block_end = offset + block.bytes;
    if (block_end <= begin) {
      ++next;
      continue;
    }
    if (waits != nullptr && !is_over(block.freed->work)) {
      waits->push_back(block.freed->work);
    }
    next = blocks_.erase(next);
    if (offset < begin) {
      blocks_[offset] = {begin - offset, 0, block.freed};
    }
    if (block_end > end) {
      blocks_[end] = {block_end - end, 0, block.freed};
    }
  }
}

std::optional<std::uint64_t> PoolSpace::take(std::uint64_t bytes, const MayUse& may_use, const Grow& grow,
                                             std::vector<WorkHandle>* waits) {
  if (bytes > kEndless / 2) {
    return std::nullopt;
  }
  const std::uint64_t needed = round_up(bytes, kUnit);
  const std::vector<Run> free = runs(may_use);
  std::optional<std::uint64_t> place = backed_place(free, needed);
  if (!place) {
    const auto fits = [needed](const Run& run) { return run.end - run.begin >= needed; };
    const std::uint64_t lowest = std::ranges::find_if(free, fits)->begin;
    const std::vector<std::uint64_t> missing = missing_chunks(lowest, needed);
    if (!grow(missing.size() * kChunk)) {
      return std::nullopt;
    }
    chunks_.insert(missing.begin(), missing.end());
    place = lowest;
  }
  cut(*place, needed, waits);
  blocks_[*place] = {needed, bytes, std::nullopt};
  used_ += bytes;
  return place;
}

void PoolSpace::free(std::uint64_t offset, const Freed& freed) {
  Block& block = blocks_.at(offset);
  used_ -= block.requested;
  block.freed = freed;
}

void PoolSpace::see(const MayUse& is_done) {
  std::erase_if(blocks_, [&](const auto& entry) { return entry.second.freed && is_done(*entry.second.freed); });
}

std::uint64_t PoolSpace::trim(std::uint64_t most, std::uint64_t least) {
  std::set<std::uint64_t> kept;
  for (const auto& [offset, block] : blocks_) {
    for (std::uint64_t chunk = offset / kChunk; chunk * kChunk < offset + block.bytes; ++chunk) {
      kept.insert(chunk);
    }
  }
  std::uint64_t given = 0;
  for (auto next = chunks_.end(); next != chunks_.begin() && reserved() > most && reserved() - kChunk >= least;) {
    --next;
    if (!kept.contains(*next)) {
      next = chunks_.erase(next);
      given += kChunk;
    }
  }
  return given;
}

}  // namespace warpsim::cuda
