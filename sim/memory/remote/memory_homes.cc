#include "memory/remote/memory_homes.h"

#include <algorithm>
#include <limits>

namespace warpsim {

void MemoryHomes::change(Address begin, std::uint64_t bytes, Home home) {
  if (bytes == 0 || (ranges_.empty() && home == kOwn)) {
    return;
  }
  const Range changed{line_of(begin), line_of(begin + bytes - 1) + kLineBytes, home};
  std::vector<Range> ranges;
  ranges.reserve(ranges_.size() + 2);
  const auto add = [&ranges](const Range& range) {
    if (range.begin >= range.end || range.home == kOwn) {
      return;
    }
    if (!ranges.empty() && ranges.back().end == range.begin && ranges.back().home == range.home) {
      ranges.back().end = range.end;
    } else {
      ranges.push_back(range);
    }
  };
  auto next = ranges_.begin();
  for (; next != ranges_.end() && next->begin < changed.begin; ++next) {
    add({next->begin, std::min(next->end, changed.begin), next->home});
  }
  add(changed);
  for (const Range& range : ranges_) {
    add({std::max(range.begin, changed.end), range.end, range.home});
  }
  ranges_ = std::move(ranges);
  ++version_;
}

MemoryHomes::Range MemoryHomes::range_of(Address line) const {
  const auto after = std::ranges::upper_bound(ranges_, line, {}, &Range::begin);
  Range gap{0, std::numeric_limits<Address>::max(), kOwn};
  if (after != ranges_.begin()) {
    const Range& before = *(after - 1);
    if (line < before.end) {
      return before;
    }
    gap.begin = before.end;
  }
  if (after != ranges_.end()) {
    gap.end = after->begin;
  }
  return gap;
}

void HomeLookup::look_up(Address line) {
  version_ = homes_->version();
  const ManagedPages* const pages = homes_->managed();
  if (pages != nullptr && pages->contains(line)) {
    look_up_managed(*pages, line);
    return;
  }
  last_ = homes_->range_of(line);
  if (pages != nullptr) {
    last_.begin = line > pages->begin() ? std::max(last_.begin, pages->end()) : last_.begin;
    last_.end = line < pages->begin() ? std::min(last_.end, pages->begin()) : last_.end;
  }
  if (last_.home == gpu_ || (host_is_own_ && last_.home == MemoryHomes::kHost)) {
    last_.home = MemoryHomes::kOwn;
  }
  home_of_writes_ = last_.home;
}

void HomeLookup::look_up_managed(const ManagedPages& pages, Address line) {
  const std::uint64_t number = pages.number_of(line);
  const ManagedPages::Piece& piece = pages.piece(number);
  last_ = {pages.address_of(number), pages.address_of(number + 1), home_of(ManagedPages::access(piece, gpu_, false))};
  home_of_writes_ = home_of(ManagedPages::access(piece, gpu_, true));
}

MemoryHomes::Home HomeLookup::home_of(const ManagedPages::Access& access) const {
  switch (access.way) {
    case ManagedPages::Way::kFault:
      return MemoryHomes::kFault;
    case ManagedPages::Way::kRemote:
      return access.holder == ManagedPages::kHost ? MemoryHomes::kHost : access.holder;
    case ManagedPages::Way::kOwn:
      break;
  }
  return MemoryHomes::kOwn;
}

}  // namespace warpsim
