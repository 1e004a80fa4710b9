#include "emulator/races/race_threads.h"

#include "emulator/operations/lanes.h"

namespace warpsim {

namespace {

// Merges the knowledge and the times of the threads; their next accesses are later.
void publish(RaceBlock& block, std::uint32_t first, LaneMask lanes, VectorClock& clock) {
  const VectorClock* last = nullptr;
  for_lanes(lanes, [&](std::uint32_t lane) {
    RaceThread& thread = block.threads[first + lane];
    if (thread.seen != nullptr && thread.seen.get() != last) {
      clock.join(*thread.seen);
      last = thread.seen.get();
    }
    clock.raise(block.number, first + lane, thread.time++);
  });
}

void learn(RaceThread& thread, const VectorClock& clock) {
  auto seen = std::make_shared<VectorClock>(clock);
  if (thread.seen != nullptr) {
    seen->join(*thread.seen);
  }
  thread.seen = std::move(seen);
}

void release_as(const RaceBlock& block, std::uint32_t number, RaceObject& object, MemoryScope scope,
                const VectorClock* seen, VectorClock::Time time) {
  const bool narrow = scope == MemoryScope::kBlock;
  if (narrow && object.block != block.number) {
    object.of_block = {};
    object.block = block.number;
  }
  VectorClock& clock = narrow ? object.of_block : object.all;
  if (seen != nullptr) {
    clock.join(*seen);
  }
  clock.raise(block.number, number, time);
}

}  // namespace

RaceBlock& RaceThreads::start(const BlockMemory& memory, std::uint32_t threads) {
  auto block = std::make_unique<RaceBlock>();
  block->number = static_cast<std::uint32_t>(memory.linear_index);
  block->index = memory.index;
  block->threads.resize(threads);
  block->shared.resize((memory.shared_bytes() + kShadowWord - 1) / kShadowWord);
  clusters_.erase(&memory);
  last_ = {};
  return *(blocks_[&memory] = std::move(block));
}

// --- barriers ---

void RaceThreads::arrive(RaceBlock& block, std::uint32_t barrier, std::uint32_t first, LaneMask lanes) const {
  publish(block, first, lanes, block.barriers[barrier]);
}

void RaceThreads::leave(RaceBlock& block, std::uint32_t barrier, std::uint32_t first, LaneMask lanes) {
  if (block.ended == nullptr) {
    block.barriers[barrier].join(block.exited);
    block.ended = std::make_shared<const VectorClock>(block.barriers[barrier]);
  }
  for_lanes(lanes, [&](std::uint32_t lane) { block.threads[first + lane].seen = block.ended; });
}

void RaceThreads::end_phase(RaceBlock& block, std::uint32_t barrier) {
  block.barriers[barrier] = {};
  block.ended = nullptr;
}

void RaceThreads::warp_barrier(RaceBlock& block, std::uint32_t first, LaneMask lanes) {
  auto clock = std::make_shared<VectorClock>();
  publish(block, first, lanes, *clock);
  for_lanes(lanes, [&](std::uint32_t lane) { block.threads[first + lane].seen = clock; });
}

void RaceThreads::exited(RaceBlock& block, std::uint32_t first, LaneMask lanes) {
  publish(block, first, lanes, block.exited);
}

void RaceThreads::arrive_in_cluster(const BlockMemory& memory, std::uint64_t phase, std::uint32_t first,
                                    LaneMask lanes) {
  auto& phases = clusters_[cluster_of(memory)];
  publish(block(memory), first, lanes, phases[phase]);
  phases.erase(phases.begin(), phases.lower_bound(phase - 1));
}

void RaceThreads::leave_cluster(const BlockMemory& memory, std::uint64_t phase, std::uint32_t first, LaneMask lanes) {
  const auto& phases = clusters_[cluster_of(memory)];
  const auto found = phases.find(phase - 1);
  if (found == phases.end() || lanes == 0) {
    return;
  }
  RaceBlock& here = block(memory);
  for_lanes(lanes, [&](std::uint32_t lane) { learn(here.threads[first + lane], found->second); });
}

// --- fences and objects ---

void RaceThreads::fence(RaceThread& thread, MemoryScope scope) {
  if (!thread.acquired.empty()) {
    learn(thread, thread.acquired);
    thread.acquired = {};
  }
  thread.fenced = thread.seen;
  thread.fence_time = thread.time++;
  thread.fence_scope = scope;
}

RaceObject& RaceThreads::object(RaceBlock* shared, Address address) {
  return (shared != nullptr ? shared->objects : objects_)[address / kShadowWord];
}

const RaceObject* RaceThreads::find_object(const RaceBlock* shared, Address address) const {
  const auto& objects = shared != nullptr ? shared->objects : objects_;
  const auto found = objects.find(address / kShadowWord);
  return found == objects.end() ? nullptr : &found->second;
}

void RaceThreads::acquire(const RaceBlock& block, RaceThread& thread, const RaceObject& object, bool at_once) {
  for (const VectorClock* const clock : {&object.all, &object.of_block}) {
    if (clock->empty() || (clock == &object.of_block && object.block != block.number)) {
      continue;
    }
    // Threads that poll find the same again and again.
    if (thread.seen != nullptr && thread.seen->covers(*clock)) {
      continue;
    }
    if (at_once) {
      learn(thread, *clock);
    } else if (!thread.acquired.covers(*clock)) {
      thread.acquired.join(*clock);
    }
  }
}

void RaceThreads::release(RaceBlock& block, std::uint32_t number, RaceObject& object, MemoryScope scope) {
  RaceThread& thread = block.threads[number];
  release_as(block, number, object, scope, thread.seen.get(), thread.time++);
}

void RaceThreads::release_fenced(const RaceBlock& block, std::uint32_t number, RaceObject& object) {
  const RaceThread& thread = block.threads[number];
  release_as(block, number, object, thread.fence_scope, thread.fenced.get(), thread.fence_time);
}

void RaceThreads::know(RaceThread& thread, std::uint32_t block, std::uint32_t actor, VectorClock::Time time) {
  auto seen = thread.seen == nullptr ? std::make_shared<VectorClock>() : std::make_shared<VectorClock>(*thread.seen);
  seen->raise(block, actor, time);
  thread.seen = std::move(seen);
}

}  // namespace warpsim
