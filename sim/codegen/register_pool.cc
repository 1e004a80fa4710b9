#include "codegen/register_pool.h"

#include <algorithm>
#include <bit>

namespace warpsim::codegen {

namespace {

// Disjoint segments in order.
bool meet(const std::vector<LiveSegment>& taken, const std::vector<LiveSegment>& wanted) {
  return std::ranges::any_of(wanted, [&](const LiveSegment& segment) {
    // The last one that begins before the segment's end.
    const auto behind = std::ranges::lower_bound(taken, segment.end, {}, &LiveSegment::begin);
    return behind != taken.begin() && std::prev(behind)->end > segment.begin;
  });
}

void add(std::vector<LiveSegment>& to, const std::vector<LiveSegment>& segments) {
  const auto middle = to.insert(to.end(), segments.begin(), segments.end());
  std::inplace_merge(to.begin(), middle, to.end(),
                     [](const LiveSegment& a, const LiveSegment& b) { return a.begin < b.begin; });
}

std::uint32_t alignment_of(const RegisterPool::Claim& claim) {
  return std::bit_ceil(static_cast<std::uint32_t>(claim.size()));
}

std::uint32_t aligned(std::uint32_t reg, std::uint32_t alignment) {
  return (reg + alignment - 1) / alignment * alignment;
}

}  // namespace

bool RegisterPool::are_free(std::uint32_t first, const Claim& claim) const {
  for (std::uint32_t i = 0; i < claim.size(); ++i) {
    if (meet(taken_[first + i], *claim[i].needed)) {
      return false;
    }
  }
  return true;
}

bool RegisterPool::are_quiet(std::uint32_t first, const Claim& claim) const {
  for (std::uint32_t i = 0; i < claim.size(); ++i) {
    if (meet(pending_[first + i], *claim[i].needed) || meet(taken_[first + i], *claim[i].pending)) {
      return false;
    }
  }
  return true;
}

void RegisterPool::hold(std::uint32_t first, const Claim& claim) {
  for (std::uint32_t i = 0; i < claim.size(); ++i) {
    add(taken_[first + i], *claim[i].needed);
    add(pending_[first + i], *claim[i].pending);
  }
  most_ = std::max(most_, first + static_cast<std::uint32_t>(claim.size()));
}

bool RegisterPool::take_there(std::uint32_t first, const Claim& claim) {
  const bool free =
      first + claim.size() <= taken_.size() && are_free(first, claim) && (quiet_below_ == 0 || are_quiet(first, claim));
  if (free) {
    hold(first, claim);
  }
  return free;
}

std::optional<std::uint32_t> RegisterPool::find_quiet(const Claim& claim, std::optional<std::uint32_t> bank) const {
  const std::uint32_t alignment = alignment_of(claim);
  std::optional<std::uint32_t> found;
  for (std::uint32_t at = aligned(first_, alignment); at + claim.size() <= quiet_below_; at += alignment) {
    if (!are_free(at, claim) || !are_quiet(at, claim)) {
      continue;
    }
    found = found ? found : at;
    if (!bank || claim.size() != 1 || at % kBanks == *bank) {
      return at;
    }
  }
  return found;
}

std::uint32_t RegisterPool::take(const Claim& claim, std::optional<std::uint32_t> bank) {
  if (const auto quiet = find_quiet(claim, bank)) {
    hold(*quiet, claim);
    return *quiet;
  }
  const auto count = static_cast<std::uint32_t>(claim.size());
  const std::uint32_t alignment = alignment_of(claim);
  const auto size = static_cast<std::uint32_t>(taken_.size());
  std::uint32_t found = size;
  for (std::uint32_t at = aligned(first_, alignment); at + count <= size; at += alignment) {
    if (found < size && at >= most_ && !(found >= most_ && at < found + kBanks)) {
      break;
    }
    if (!are_free(at, claim)) {
      continue;
    }
    found = std::min(found, at);
    if (!bank || count != 1 || at % kBanks == *bank) {
      found = at;
      break;
    }
  }
  if (found == size) {
    most_ = size;
    return size - count;
  }
  hold(found, claim);
  return found;
}

}  // namespace warpsim::codegen
