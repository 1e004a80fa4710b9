// One of CUDA's memory pools: what streams allocate from and free to.
//
// Modelled: attributes and counters, thresholds, limits, access, reuse by its three policies, destroyed pools whose
// memory is still in use; a GPU counts the memory that its pools have reserved as used. How a pool takes memory is in
// pool_space.h. Frees count when they are requested; the memory can be accessed until the free is done in its stream.
// Pools of a GPU can be shared with other processes (shared_pool.h), which import them and single pointers.
// Not modelled: pools of managed memory. Evidence: cuda.h of CUDA 13, "Stream Ordered Memory Allocator"; calls on an
// H100. Assumed: with the policy of internal dependencies a stream waits for another one only if there is no other
// memory, as measured with free memory left.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "cuda/abi/virtual_memory_abi.h"
#include "cuda/context.h"
#include "cuda/graphs/graph_abi.h"
#include "cuda/memory/free_order.h"
#include "cuda/memory/pool_space.h"
#include "cuda/memory/shared_pool.h"

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
  // One that another process has shared: only its pointers are imported. Fails with kUnknown.
  MemoryPool(Context& context, std::shared_ptr<SharedPool> shared);
  MemoryPool(const MemoryPool&) = delete;
  MemoryPool& operator=(const MemoryPool&) = delete;

  const abi::MemoryPoolProperties& properties() const { return properties_; }
  // kHost: of the host.
  std::uint32_t gpu() const { return gpu_; }

  // For the work of a stream that follows. Fails with kOutOfMemory. 0 bytes: the result is 0.
  Address allocate(Context& context, std::uint64_t bytes, StreamHandle stream);
  bool holds(Address begin) const { return allocations_.contains(begin); }
  // The memory that begins there does not belong to the program any more.
  SharedPool::Block begin_free(Address begin);
  // Work of a stream frees the block; when it is done, it calls close().
  void free(const SharedPool::Block& block, const PoolSpace::Freed& freed);
  // Ends all access to the memory.
  void close(Context& context, Address begin, const SharedPool::Block& block);

  // A new descriptor of the pool. Fails with kInvalidValue if it was not created to be shared in this way.
  int share(int type) const;
  // What another process needs to import memory that begins there, and the import. Fail with kInvalidValue.
  abi::PoolPointer describe(Address begin) const;
  Address import_pointer(Context& context, const abi::PoolPointer& pointer);
  bool is_imported() const { return imported_; }

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
  bool is_gone() const {
    return destroyed_ && allocations_.empty() && closing_ == 0 && space_.empty() && space_.reserved() == 0;
  }

 private:
  std::optional<std::uint64_t> take(Context& context, std::uint64_t bytes, const StreamName& stream);
  bool grow(Context& context, std::uint64_t bytes);
  Address open(Context& context, const SharedPool::Block& block) const;
  void check_access(Context& context, const abi::AccessDescription& wanted) const;
  void note_most();

  abi::MemoryPoolProperties properties_ = {};
  std::uint32_t gpu_ = kHost;
  std::uint64_t most_bytes_ = std::numeric_limits<std::uint64_t>::max();
  PoolSpace space_;
  std::map<Address, SharedPool::Block> allocations_;  // by begin
  std::uint64_t closing_ = 0;                         // freed, and the work that frees is not over
  std::shared_ptr<SharedPool> shared_;                // null: it is not shared
  bool imported_ = false;
  std::uint32_t open_to_ = 0;  // bit i: kernels of GPU i may access its memory
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
