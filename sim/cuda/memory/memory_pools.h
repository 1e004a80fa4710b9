// All memory pools of a program (memory_pool.h): handles, default and current pools of GPUs and of the host, and what
// streams and the host have waited for, which says when memory that was freed may be used again.
#pragma once

#include <cstdint>
#include <map>
#include <memory>

#include "cuda/context.h"
#include "cuda/memory/free_order.h"
#include "cuda/memory/memory_pool.h"

namespace warpsim::cuda {

// All pools of a program.
class MemoryPools {
 public:
  // Fails with kNotSupported and CUDA's errors of properties.
  PoolHandle create(Context& context, const abi::MemoryPoolProperties& properties);
  // Of another process, by a descriptor of it. Fails with kUnknown.
  PoolHandle import(Context& context, int descriptor);
  // kInvalidValue: it is a default pool, or none.
  void destroy(Context& context, PoolHandle pool);
  // kInvalidValue: it is none.
  MemoryPool& pool(const void* handle) const;
  // Of a GPU, or of the host (MemoryPool::kHost).
  PoolHandle default_pool(Context& context, std::uint32_t gpu);
  PoolHandle current(Context& context, std::uint32_t gpu);
  // kInvalidValue: it is a pool of something else.
  void set_current(Context& context, std::uint32_t gpu, PoolHandle pool);
  // The pool whose memory begins there and is not freed, or null.
  PoolHandle owner(Address begin) const;

  FreeOrder& order() { return order_; }
  // The host has waited for a stream, an event's point, or a whole GPU.
  void waited(Context& context, const StreamName& stream);
  void waited(Context& context, const std::shared_ptr<const FreeOrder::Point>& point);
  void waited_for_gpu(Context& context, std::uint32_t gpu);
  // Gives all memory back that is not used, for other allocations.
  void give_all_back(Context& context);

 private:
  // Work that is over, and that the host has waited for.
  void see(Context& context, const PoolSpace::MayUse& is_done);

  std::map<const void*, std::unique_ptr<MemoryPool>> pools_;
  std::map<std::uint32_t, PoolHandle> defaults_;  // by GPU
  std::map<std::uint32_t, PoolHandle> currents_;  // the same, where it is another one
  FreeOrder order_;
};

// What a pool of this location and type belongs to (MemoryPool::kHost). Fails with kInvalidValue, kNotSupported.
std::uint32_t place_of_pools(Context& context, const abi::MemoryLocation& location, int type);
// Fails with kNotSupported if the GPU has no pools.
void require_pools(Context& context, std::uint32_t gpu);
StreamName name_of(const Stream& stream);
// Of a stream's free of memory that a pool owns.
void free_to_pool(Context& context, MemoryPool& pool, Address begin, StreamHandle stream);
// The same by the host, after all work.
void free_to_pool_now(Context& context, MemoryPool& pool, Address begin);

}  // namespace warpsim::cuda
