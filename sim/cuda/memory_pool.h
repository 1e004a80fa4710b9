// One of CUDA's memory pools: what streams allocate from and free to.
//
// Modelled: attributes and counters, thresholds, limits, access, reuse by its three policies, destroyed pools whose
// memory is still in use; a GPU counts the memory that its pools have reserved as used. How a pool takes memory is in
// pool_space.h. Frees count when they are requested; the memory can be accessed until the free is done in its stream.
// Not modelled: pools of managed memory. Evidence: cuda.h of CUDA 13, "Stream Ordered Memory Allocator"; calls on an
// H100. Assumed: with the policy of internal dependencies a stream waits for another one only if there is no other
// memory, as measured with free memory left.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <vector>

#include "cuda/context.h"
#include "cuda/free_order.h"
#include "cuda/graphs/graph_abi.h"
#include "cuda/pool_space.h"
#include "cuda/virtual_memory_abi.h"

namespace warpsim::cuda {

class MemoryPool {
 public:
  static constexpr std::uint32_t kHost = 0xffffffffU;
  enum Attribute : int {
    kFollowEvents = 1,
    kOpportunistic = 2,
    kInternal = 3,
    kThreshold = 4,
    kReserved = 5,
    kReservedHigh = 6,
    kUsed = 7,
    kUsedHigh = 8
  };

  // Fails with CUDA's errors of properties.
  MemoryPool(Context& context, const abi::MemoryPoolProperties& properties);
  MemoryPool(const MemoryPool&) = delete;
  MemoryPool& operator=(const MemoryPool&) = delete;

  const abi::MemoryPoolProperties& properties() const { return properties_; }
  // kHost: of the host.
  std::uint32_t gpu() const { return gpu_; }

  // For the work of a stream that follows. Fails with kOutOfMemory. 0 bytes: the result is 0.
  Address allocate(Context& context, std::uint64_t bytes, StreamHandle stream);
  bool holds(Address begin) const { return allocations_.contains(begin); }
  // The memory that begins there will be freed by work of a stream.
  void free(Address begin, const PoolSpace::Freed& freed);
  // That work is done: nobody may access the memory any more. `bytes`: as allocated.
  void close(Context& context, Address begin, std::uint64_t bytes) const;
  std::uint64_t bytes_of(Address begin) const { return allocations_.at(begin).bytes; }

  // Frees for which it is true are over, as the host has seen. What the pool then has beyond its threshold goes back.
  void see(Context& context, const PoolSpace::MayUse& is_done);
  void trim(Context& context, std::uint64_t most, std::uint64_t least);

  // `value`: an int or 64 bits, as the attribute has. Fail with kInvalidValue.
  void set_attribute(int attribute, const void* value);
  void attribute(int attribute, void* value) const;
  // Fails with kInvalidDevice, kNotSupported and kInvalidValue.
  void set_access(Context& context, const abi::AccessDescription* descriptions, std::size_t count);
  int access(Context& context, const abi::MemoryLocation& location) const;

  // The program has destroyed it. It is gone when its memory is not used any more.
  void destroy() { destroyed_ = true; }
  bool is_destroyed() const { return destroyed_; }
  bool is_gone() const { return destroyed_ && space_.empty() && space_.reserved() == 0; }

 private:
  struct Allocation {
    std::uint64_t offset = 0;
    std::uint64_t bytes = 0;
  };
  std::optional<std::uint64_t> take(Context& context, std::uint64_t bytes, const StreamName& stream);
  bool grow(Context& context, std::uint64_t bytes);
  Address open(Context& context, std::uint64_t bytes) const;
  void check_access(Context& context, const abi::AccessDescription& wanted) const;
  void note_most();

  abi::MemoryPoolProperties properties_;
  std::uint32_t gpu_ = kHost;
  std::uint64_t most_bytes_ = std::numeric_limits<std::uint64_t>::max();
  PoolSpace space_;
  std::map<Address, Allocation> allocations_;  // by begin
  std::uint32_t open_to_ = 0;                  // bit i: kernels of GPU i may access its memory
  bool follow_events_ = true;
  bool opportunistic_ = true;
  bool internal_ = true;
  std::uint64_t threshold_ = 0;
  std::uint64_t reserved_most_ = 0;
  std::uint64_t used_most_ = 0;
  bool destroyed_ = false;
};

using PoolHandle = MemoryPool*;

}  // namespace warpsim::cuda
