#include "cuda/memory/memory_pools.h"

#include <algorithm>
#include <utility>

#include "cuda/device/device_properties.h"
#include "cuda/device_calls.h"
#include "cuda/streams/stream_calls.h"

namespace warpsim::cuda {

namespace {

constexpr std::uint32_t kAllPools = 0xffffffffU;
constexpr int kMemoryPoolsAttribute = 115;

void require_pool_that(bool good, const char* why) {
  if (!good) {
    throw CallError(kInvalidValue, why);
  }
}

}  // namespace

PoolHandle MemoryPools::create(Context& context, const abi::MemoryPoolProperties& properties) {
  auto made = std::make_unique<MemoryPool>(context, properties);
  require_pools(context, made->gpu() == MemoryPool::kHost ? context.device().number() : made->gpu());
  MemoryPool* const pool = made.get();
  pools_[pool] = std::move(made);
  return pool;
}

PoolHandle MemoryPools::import(Context& context, int descriptor) {
  std::shared_ptr<SharedPool> shared = SharedPool::import(descriptor);
  if (shared == nullptr) {
    throw CallError(kUnknown, "a pool of another process: the descriptor is of something else");
  }
  context.note_other_processes();
  auto made = std::make_unique<MemoryPool>(context, std::move(shared));
  MemoryPool* const pool = made.get();
  pools_[pool] = std::move(made);
  return pool;
}

void MemoryPools::destroy(Context& context, PoolHandle handle) {
  MemoryPool& destroyed = pool(handle);
  const auto is_it = [handle](const auto& entry) { return entry.second == handle; };
  require_pool_that(std::ranges::none_of(defaults_, is_it), "a default pool cannot be destroyed");
  std::erase_if(currents_, is_it);
  destroyed.destroy();
  destroyed.trim(context, 0, 0);
  if (destroyed.is_gone()) {
    pools_.erase(handle);
  }
}

MemoryPool& MemoryPools::pool(const void* handle) const {
  const auto found = pools_.find(handle);
  require_pool_that(found != pools_.end() && !found->second->is_destroyed(), "this is no memory pool");
  return *found->second;
}

PoolHandle MemoryPools::default_pool(Context& context, std::uint32_t gpu) {
  PoolHandle& pool = defaults_[gpu];
  if (pool == nullptr) {
    abi::MemoryPoolProperties properties = {};
    properties.allocation_type = abi::kPinned;
    properties.location_type = gpu == MemoryPool::kHost ? abi::MemoryLocation::kHost : abi::MemoryLocation::kDevice;
    properties.location = gpu == MemoryPool::kHost ? 0 : static_cast<int>(gpu);
    pool = create(context, properties);
  }
  return pool;
}

PoolHandle MemoryPools::current(Context& context, std::uint32_t gpu) {
  const auto found = currents_.find(gpu);
  return found == currents_.end() ? default_pool(context, gpu) : found->second;
}

void MemoryPools::set_current(Context& context, std::uint32_t gpu, PoolHandle handle) {
  require_pool_that(pool(handle).gpu() == gpu && !pool(handle).is_imported(),
                    "a pool is set for something else than it is of, or it is of another process");
  default_pool(context, gpu);
  currents_[gpu] = handle;
}

PoolHandle MemoryPools::owner(Address begin) const {
  const auto found = std::ranges::find_if(pools_, [begin](const auto& pool) { return pool.second->holds(begin); });
  return found == pools_.end() ? nullptr : found->second.get();
}

void MemoryPools::see(Context& context, const PoolSpace::MayUse& is_done) {
  const PoolSpace::MayUse is_seen = [&](const PoolSpace::Freed& freed) {
    return is_over(freed.work) && is_done(freed);
  };
  for (const auto& [handle, pool] : pools_) {
    pool->see(context, is_seen);
  }
  std::erase_if(pools_, [](const auto& entry) { return entry.second->is_gone(); });
}

void MemoryPools::waited(Context& context, const StreamName& stream) {
  see(context, [&](const PoolSpace::Freed& freed) { return order_.follows(stream, freed); });
}

void MemoryPools::waited(Context& context, const std::shared_ptr<const FreeOrder::Point>& point) {
  see(context, [&](const PoolSpace::Freed& freed) { return FreeOrder::is_before(freed, point); });
}

void MemoryPools::waited_for_gpu(Context& context, std::uint32_t gpu) {
  see(context, [gpu](const PoolSpace::Freed& freed) { return gpu == kAllPools || freed.stream.gpu == gpu; });
}

void MemoryPools::give_all_back(Context& context) {
  waited_for_gpu(context, kAllPools);
  for (const auto& [handle, pool] : pools_) {
    pool->trim(context, 0, 0);
  }
}

std::uint32_t place_of_pools(Context& context, const abi::MemoryLocation& location, int type) {
  if (location.type == abi::MemoryLocation::kHostNumaCurrent) {
    throw CallError(kNotSupported, "pools have no location that depends on the thread");
  }
  if (type == abi::kManagedByDriver) {
    throw CallError(kNotSupported, "pools of managed memory are not supported");
  }
  require_pool_that(type == abi::kPinned, "a pool: there is no such type of memory");
  switch (location.type) {
    case abi::MemoryLocation::kDevice:
      return device_at(context, location.id).number();
    case abi::MemoryLocation::kHostNuma:
      require_pool_that(location.id == 0, "a pool: the host has one NUMA node, with the number 0");
      return MemoryPool::kHost;
    default:
      require_pool_that(location.type == abi::MemoryLocation::kHost, "a pool: its location is none");
      return MemoryPool::kHost;
  }
}

void require_pools(Context& context, std::uint32_t gpu) {
  if (device_attribute(context.device(gpu), kMemoryPoolsAttribute) == 0) {
    throw CallError(kNotSupported, "the GPU has no memory pools: they exist from compute capability 6.0 on");
  }
}

StreamName name_of(const Stream& stream) {
  constexpr unsigned kNonBlocking = 1;
  return {stream.gpu, stream.number, (stream.flags & kNonBlocking) == 0};
}

void free_to_pool(Context& context, MemoryPool& pool, Address begin, StreamHandle stream) {
  const StreamName name = name_of(context.stream(stream));
  const SharedPool::Block block = pool.begin_free(begin);
  PoolSpace::Freed freed{name, context.pools().order().add(name), {}};
  try {
    freed.work =
        put(context, stream, InstantOperation{[&context, &pool, begin, block] { pool.close(context, begin, block); }});
  } catch (const CallError&) {
    pool.free(block, freed);  // the call reports an earlier failure
    throw;
  }
  pool.free(block, freed);
}

void free_to_pool_now(Context& context, MemoryPool& pool, Address begin) {
  const SharedPool::Block block = pool.begin_free(begin);
  const std::uint32_t gpu = context.device().number();
  pool.close(context, begin, block);
  pool.free(block, {{gpu}, 0, nullptr});
  context.pools().waited_for_gpu(context, gpu);
}

}  // namespace warpsim::cuda
