// The order of the threads of a launch: program order, barriers of warp, block and cluster, fences with strong accesses
// (release and acquire), mbarriers, waits for asynchronous copies. As in PTX's memory model.
//
// Each thread has a time of its own, which advances when it publishes its accesses, and a vector clock of what it
// knows. Copies that are made for a thread (cp.async and the like) have a time of their own: the thread knows of them
// after it has waited. If the exact effect of a synchronisation is unknown, it orders more: no order is
// missing, so no race is reported falsely.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <unordered_map>
#include <vector>

#include "base/types.h"
#include "emulator/execution/barriers.h"
#include "emulator/memory/block_memory.h"
#include "emulator/operations/operation.h"
#include "emulator/races/race_shadow.h"
#include "emulator/races/vector_clock.h"

namespace warpsim {

struct RaceThread {
  std::shared_ptr<const VectorClock> seen = {};
  VectorClock::Time time = 1;
  VectorClock::Time copies = 1;  // the time of its copies
  // Its knowledge at its last fence, and its time then; 0: no fence yet.
  std::shared_ptr<const VectorClock> fenced = {};
  VectorClock::Time fence_time = 0;
  MemoryScope fence_scope = MemoryScope::kBlock;
  VectorClock acquired = {};  // by strong reads; effective after a fence
  // Copies by group, oldest first, until a wait for them.
  std::vector<VectorClock::Time> groups = {};
  std::vector<VectorClock::Time> bulk_groups = {};
};

// The knowledge that a reader of an object in memory acquires, by the scope of the release.
struct RaceObject {
  VectorClock all;
  VectorClock of_block;
  std::uint32_t block = 0;  // of `of_block`
};

struct RaceBlock {
  std::uint32_t number = 0;
  Dim3 index;
  std::vector<RaceThread> threads;
  std::vector<ShadowCell> shared;
  std::unordered_map<Address, RaceObject> objects;  // in shared memory, by word
  std::array<VectorClock, kBarriersPerBlock> barriers;
  std::shared_ptr<const VectorClock> ended;  // of the barrier whose threads continue
  VectorClock exited;

  std::uint32_t actor_of_copies(std::uint32_t thread) const {
    return thread + static_cast<std::uint32_t>(threads.size());
  }
};

class RaceThreads {
 public:
  RaceBlock& start(const BlockMemory& memory, std::uint32_t threads);
  RaceBlock& block(const BlockMemory& memory) {
    if (&memory != last_.memory) {
      last_ = {&memory, blocks_.at(&memory).get()};
    }
    return *last_.block;
  }

  // Threads: numbers in the block.
  void arrive(RaceBlock& block, std::uint32_t barrier, std::uint32_t first, LaneMask lanes) const;
  void leave(RaceBlock& block, std::uint32_t barrier, std::uint32_t first, LaneMask lanes);
  static void end_phase(RaceBlock& block, std::uint32_t barrier);
  static void warp_barrier(RaceBlock& block, std::uint32_t first, LaneMask lanes);
  static void exited(RaceBlock& block, std::uint32_t first, LaneMask lanes);
  void arrive_in_cluster(const BlockMemory& memory, std::uint64_t phase, std::uint32_t first, LaneMask lanes);
  void leave_cluster(const BlockMemory& memory, std::uint64_t phase, std::uint32_t first, LaneMask lanes);

  static void fence(RaceThread& thread, MemoryScope scope);
  // The objects of shared or global memory.
  RaceObject& object(RaceBlock* shared, Address address);
  const RaceObject* find_object(const RaceBlock* shared, Address address) const;
  static void acquire(const RaceBlock& block, RaceThread& thread, const RaceObject& object, bool at_once);
  // With its own scope, or that of the thread's last fence.
  static void release(RaceBlock& block, std::uint32_t thread, RaceObject& object, MemoryScope scope);
  static void release_fenced(const RaceBlock& block, std::uint32_t thread, RaceObject& object);
  static void know(RaceThread& thread, std::uint32_t block, std::uint32_t actor, VectorClock::Time time);

 private:
  static const BlockMemory* cluster_of(const BlockMemory& memory) {
    return memory.cluster.empty() ? &memory : memory.cluster.front();
  }

  std::unordered_map<const BlockMemory*, std::unique_ptr<RaceBlock>> blocks_;
  struct {
    const BlockMemory* memory = nullptr;
    RaceBlock* block = nullptr;
  } last_;                                                                                 // that was asked for
  std::unordered_map<Address, RaceObject> objects_;                                        // in global memory, by word
  std::unordered_map<const BlockMemory*, std::map<std::uint64_t, VectorClock>> clusters_;  // arrivals by phase
};

}  // namespace warpsim
