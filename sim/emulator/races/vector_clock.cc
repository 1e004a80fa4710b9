#include "emulator/races/vector_clock.h"

#include <algorithm>
#include <functional>

namespace warpsim {

// Copies the times if others share them.
VectorClock::Times& VectorClock::own(std::shared_ptr<Times>& times) {
  if (times.use_count() > 1) {
    times = std::make_shared<Times>(*times);
  }
  return *times;
}

VectorClock::Time VectorClock::of(std::uint32_t block, std::uint32_t actor) const {
  const auto found = std::ranges::lower_bound(blocks_, block, {}, &Block::number);
  return found == blocks_.end() || found->number != block || actor >= found->times->size() ? 0 : (*found->times)[actor];
}

void VectorClock::raise(std::uint32_t block, std::uint32_t actor, Time time) {
  auto found = std::ranges::lower_bound(blocks_, block, {}, &Block::number);
  if (found == blocks_.end() || found->number != block) {
    found = blocks_.insert(found, {block, std::make_shared<Times>()});
  }
  if (actor < found->times->size() && (*found->times)[actor] >= time) {
    return;
  }
  Times& times = own(found->times);
  if (actor >= times.size()) {
    times.resize(actor + 1);
  }
  times[actor] = time;
}

bool VectorClock::covers(const VectorClock& other) const {
  auto mine = blocks_.begin();
  return std::ranges::all_of(other.blocks_, [&](const Block& theirs) {
    mine = std::ranges::lower_bound(mine, blocks_.end(), theirs.number, {}, &Block::number);
    if (mine == blocks_.end() || mine->number != theirs.number) {
      return false;
    }
    const Times& a = *mine->times;
    const Times& b = *theirs.times;
    return &a == &b || (a.size() >= b.size() && std::equal(b.begin(), b.end(), a.begin(), std::less_equal<>()));
  });
}

void VectorClock::join(const VectorClock& other) {
  if (blocks_.empty()) {
    blocks_ = other.blocks_;
    return;
  }
  std::vector<Block> joined;
  joined.reserve(std::max(blocks_.size(), other.blocks_.size()));
  auto mine = blocks_.begin();
  for (const Block& theirs : other.blocks_) {
    while (mine != blocks_.end() && mine->number < theirs.number) {
      joined.push_back(std::move(*mine++));
    }
    if (mine == blocks_.end() || mine->number != theirs.number) {
      joined.push_back(theirs);
      continue;
    }
    if (mine->times != theirs.times) {
      Times& times = own(mine->times);
      times.resize(std::max(times.size(), theirs.times->size()));
      std::transform(theirs.times->begin(), theirs.times->end(), times.begin(), times.begin(),
                     [](Time a, Time b) { return std::max(a, b); });
    }
    joined.push_back(std::move(*mine++));
  }
  std::move(mine, blocks_.end(), std::back_inserter(joined));
  blocks_ = std::move(joined);
}

}  // namespace warpsim
