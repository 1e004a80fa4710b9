#include "emulator/races/race_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "emulator/execution/launch_context.h"
#include "emulator/memory/generic_address.h"
#include "emulator/memory/memory_access.h"
#include "emulator/operations/lanes.h"

namespace warpsim {

namespace {

constexpr std::uint8_t kWholeWord = 0xf;
constexpr std::uint32_t kBarrierBytes = 8;  // of an mbarrier

bool is_barrier_role(MemoryRole role) {
  return role == MemoryRole::kArrive || role == MemoryRole::kTest || role == MemoryRole::kReport;
}

// Copies report to an mbarrier; none of their other accesses has this form.
bool is_report(const ObservedAccess& access) {
  return access.reads && access.writes && access.bytes == kBarrierBytes && access.space == ptx::StateSpace::kShared;
}

}  // namespace

void RaceCheck::begin_launch(const LaunchContext& launch) {
  launch_ = &launch;
  in_step_ = !launch.independent_threads;
  threads_ = {};
  global_ = GlobalShadow();
  last_ = {};
  by_place_.clear();
  functions_.clear();
  next_place_ = 1;
  found_.clear();
  races_.clear();
  ++launches_;
}

// --- accesses ---

MemoryObserver* RaceCheck::begin() {
  observed_.clear();
  return this;
}

void RaceCheck::accessed(const ObservedAccess& access) {
  if (access.space == ptx::StateSpace::kLocal || access.bytes == 0) {
    return;
  }
  Observed& observed = observed_.emplace_back();
  observed.access = access;
  if (access.writes && access.bytes <= kMostCompared) {
    std::memcpy(observed.before.data(), access.data, access.bytes);
  }
}

// Checked first for all lanes, then recorded: lanes of one instruction do not race with each other.
void RaceCheck::end(const WarpContext& warp, const Operation& operation, LaneMask lanes) {
  if (!observed_.empty()) {
    place_ = place_of(*warp.code, operation);
    accessors_.clear();
    for (const Observed& observed : observed_) {
      accessors_.push_back(accessor(warp, operation, observed));
    }
    for (std::size_t i = 0; i < observed_.size(); ++i) {
      check(accessors_[i], observed_[i]);
    }
    // A wait that found its phase open does not order accesses.
    const LaneMask passed =
        operation.memory_role == MemoryRole::kTest ? warp.predicate(operation.d) : LaneMask{kAllLanes};
    for (std::size_t i = 0; i < observed_.size(); ++i) {
      remember(accessors_[i], observed_[i]);
      if ((passed >> observed_[i].access.lane & 1U) != 0) {
        synchronise(accessors_[i], operation, observed_[i]);
      }
    }
    observed_.clear();
  }
  switch (operation.memory_role) {
    case MemoryRole::kNone:
    case MemoryRole::kAccess:
    case MemoryRole::kArrive:
    case MemoryRole::kTest:
    case MemoryRole::kCopy:
      return;
    case MemoryRole::kReport:
      report_copies(warp, operation, lanes);
      return;
    default:
      break;
  }
  RaceBlock& block = threads_.block(*warp.block);
  for_lanes(lanes, [&](std::uint32_t lane) { order(block, warp.index * kWarpSize + lane, operation); });
}

RaceCheck::Accessor RaceCheck::accessor(const WarpContext& warp, const Operation& operation, const Observed& observed) {
  Accessor by;
  by.block = &threads_.block(*warp.block);
  by.number = warp.index * kWarpSize + observed.access.lane;
  by.thread = &by.block->threads[by.number];
  const bool copy = operation.memory_role == MemoryRole::kCopy;
  const bool barrier = is_barrier_role(operation.memory_role) || (copy && is_report(observed.access));
  by.access.block = by.block->number;
  by.access.actor = static_cast<std::uint16_t>(copy ? by.block->actor_of_copies(by.number) : by.number);
  by.access.time = copy ? by.thread->copies : by.thread->time;
  by.access.place = place_;
  by.access.strong = barrier || operation.order != MemoryOrder::kWeak;
  by.access.scope = barrier ? MemoryScope::kSystem : operation.scope;
  by.access.updates = observed.access.reads && observed.access.writes;
  by.access.reads = !observed.access.writes;
  return by;
}

// Visits the words of an access: visit(cell, bytes of the word, offset of its first byte in the access).
template <class Visit>
void RaceCheck::visit_words(const Observed& observed, Visit&& visit) {
  const ObservedAccess& access = observed.access;
  RaceBlock* const shared = access.block == nullptr ? nullptr : &threads_.block(*access.block);
  const Address end = access.address + access.bytes;
  for (Address at = access.address; at < end;) {
    const Address word = at / kShadowWord * kShadowWord;
    const Address stop = std::min(end, word + kShadowWord);
    const auto bytes = static_cast<std::uint8_t>(kWholeWord >> (kShadowWord - (stop - at)) << (at - word));
    ShadowCell* const cell = shared != nullptr ? &shared->shared[word / kShadowWord] : global_.cell(word);
    if (cell != nullptr) {
      visit(*cell, bytes, static_cast<std::uint32_t>(at - access.address));
    }
    at = stop;
  }
}

bool RaceCheck::is_ordered(const ShadowAccess& earlier, const Accessor& by) const {
  if (earlier.block == by.access.block) {
    // Copies are ordered after earlier operations of their thread.
    if (earlier.actor == by.access.actor || earlier.actor == by.number) {
      return true;
    }
    const auto threads = static_cast<std::uint32_t>(by.block->threads.size());
    if (in_step_ && earlier.actor < threads && earlier.actor / kWarpSize == by.number / kWarpSize) {
      return true;
    }
  }
  return by.thread->seen != nullptr && by.thread->seen->of(earlier.block, earlier.actor) >= earlier.time;
}

bool RaceCheck::conflicts(const ShadowAccess& earlier, const Accessor& by, std::uint8_t bytes) const {
  if (earlier.time == 0 || (earlier.bytes & bytes) == 0) {
    return false;
  }
  // CUDA's guide uses a plain read of a word that others update, before it tries to exchange it.
  const bool beside_updates = (earlier.updates && earlier.strong && by.access.reads) ||
                              (by.access.updates && by.access.strong && earlier.reads);
  if (beside_updates) {
    return false;
  }
  if (earlier.strong && by.access.strong) {
    const bool reaches = earlier.block == by.access.block ||
                         (earlier.scope != MemoryScope::kBlock && by.access.scope != MemoryScope::kBlock);
    if (reaches) {
      return false;
    }
  }
  return !is_ordered(earlier, by);
}

void RaceCheck::check(const Accessor& by, const Observed& observed) {
  const ObservedAccess& access = observed.access;
  visit_words(observed, [&](ShadowCell& cell, std::uint8_t bytes, std::uint32_t offset) {
    if (conflicts(cell.write, by, bytes)) {
      // A store of the same value has no effect on others.
      const std::uint32_t count = std::min(kShadowWord, access.bytes - offset);
      const bool same = access.writes && !access.reads && access.bytes <= kMostCompared &&
                        std::memcmp(observed.before.data() + offset, access.data + offset, count) == 0;
      if (!same) {
        report(cell.write, true, by, observed);
      }
    }
    if (!access.writes) {
      return;
    }
    for (const ShadowAccess& read : cell.reads) {
      if (conflicts(read, by, bytes)) {
        report(read, false, by, observed);
        return;
      }
    }
  });
}

void RaceCheck::remember(const Accessor& by, const Observed& observed) {
  visit_words(observed, [&](ShadowCell& cell, std::uint8_t bytes, std::uint32_t /*offset*/) {
    ShadowAccess access = by.access;
    access.bytes = bytes;
    if (observed.access.writes) {
      cell.write = access;
      for (ShadowAccess& read : cell.reads) {
        if ((read.bytes & ~bytes) == 0) {
          read = ShadowAccess{};
        }
      }
      return;
    }
    auto& [first, second] = cell.reads;
    const bool replaces_first = first.time == 0 || (is_ordered(first, by) && (first.bytes & ~bytes) == 0);
    (replaces_first ? first : second) = access;
  });
}

// --- order created by accesses ---

void RaceCheck::synchronise(const Accessor& by, const Operation& operation, const Observed& observed) {
  const ObservedAccess& access = observed.access;
  if (operation.memory_role == MemoryRole::kCopy) {
    if (is_report(access)) {
      copy_reports(by, observed);
    }
    return;
  }
  if (!by.access.strong || operation.memory_role == MemoryRole::kNone || operation.memory_role == MemoryRole::kReport) {
    return;
  }
  RaceBlock* const shared = access.block == nullptr ? nullptr : &threads_.block(*access.block);
  const MemoryOrder order = operation.order;
  if (access.reads) {
    if (const RaceObject* const object = threads_.find_object(shared, access.address)) {
      const bool at_once = order == MemoryOrder::kAcquire || order == MemoryOrder::kAcquireRelease;
      RaceThreads::acquire(*by.block, *by.thread, *object, at_once);
    }
  }
  if (!access.writes) {
    return;
  }
  const bool releases = order == MemoryOrder::kRelease || order == MemoryOrder::kAcquireRelease;
  if (!releases && by.thread->fence_time == 0) {
    return;
  }
  RaceObject& object = threads_.object(shared, access.address);
  if (!access.reads) {
    object = {};  // a store ends the release sequence of earlier ones
  }
  if (releases) {
    const bool barrier = is_barrier_role(operation.memory_role);
    RaceThreads::release(*by.block, by.number, object, barrier ? MemoryScope::kCluster : operation.scope);
  } else {
    RaceThreads::release_fenced(*by.block, by.number, object);
  }
}

void RaceCheck::copy_reports(const Accessor& by, const Observed& observed) {
  RaceBlock& owner = threads_.block(*observed.access.block);
  RaceObject& object = threads_.object(&owner, observed.access.address);
  object.all.raise(by.block->number, by.block->actor_of_copies(by.number), by.thread->copies++);
}

// All copies that the thread has started report to the mbarrier.
void RaceCheck::report_copies(const WarpContext& warp, const Operation& operation, LaneMask lanes) {
  LaneValues addresses;
  lane_addresses(warp, operation, lanes, addresses);
  RaceBlock& block = threads_.block(*warp.block);
  constexpr Address kOffsets = (Address{1} << kSharedOffsetBits) - 1;
  for_lanes(lanes, [&](std::uint32_t lane) {
    const std::uint32_t number = warp.index * kWarpSize + lane;
    RaceObject& object = threads_.object(&block, addresses[lane] & kOffsets);
    RaceThread& thread = block.threads[number];
    object.all.raise(block.number, block.actor_of_copies(number), thread.copies++);
    RaceThreads::release(block, number, object, MemoryScope::kCluster);
  });
}

void RaceCheck::order(RaceBlock& block, std::uint32_t number, const Operation& operation) {
  RaceThread& thread = block.threads[number];
  switch (operation.memory_role) {
    case MemoryRole::kFence:
      RaceThreads::fence(thread, operation.scope);
      return;
    case MemoryRole::kCommit:
      thread.groups.push_back(thread.copies++);
      return;
    case MemoryRole::kCommitBulk:
      thread.bulk_groups.push_back(thread.copies++);
      return;
    default:
      wait_for_copies(block, number, operation);
      return;
  }
}

void RaceCheck::wait_for_copies(RaceBlock& block, std::uint32_t number, const Operation& operation) const {
  RaceThread& thread = block.threads[number];
  auto& groups = operation.memory_role == MemoryRole::kWaitBulk ? thread.bulk_groups : thread.groups;
  VectorClock::Time done = 0;
  if (operation.offset < 0) {
    groups.clear();
    done = thread.copies++;
  }
  if (const auto open = static_cast<std::uint64_t>(operation.offset); groups.size() > open) {
    const auto first_open = groups.end() - static_cast<std::ptrdiff_t>(open);
    done = *std::prev(first_open);
    groups.erase(groups.begin(), first_open);
  }
  if (done != 0) {
    RaceThreads::know(thread, block.number, block.actor_of_copies(number), done);
  }
}

void RaceCheck::warp_barrier(const WarpContext& warp, LaneMask lanes) {
  RaceThreads::warp_barrier(threads_.block(*warp.block), warp.index * kWarpSize, lanes);
}

}  // namespace warpsim
