#include "cuda/graphs/graph_memory.h"

#include <algorithm>

#include "cuda/context.h"
#include "cuda/graphs/graph_state.h"
#include "cuda/memory/memory_calls.h"

namespace warpsim::cuda {

namespace {

// Graphs take memory from the device in large pages.
constexpr std::uint64_t kPage = 2ULL << 20;

std::uint64_t pages(std::uint64_t bytes) {
  return (bytes + kPage - 1) / kPage * kPage;
}

}  // namespace

GraphMemory::GraphMemory(Context& owner, std::shared_ptr<GraphMemoryPool> from, Address address, std::uint64_t size)
    : context(&owner), pool(std::move(from)), begin(address), bytes(size) {}

GraphMemory::~GraphMemory() {
  const bool was_used = in_use;
  pool->allocations_.erase(begin);
  pool->free(*this, false);
  if (!was_used && context->has_device()) {
    context->device().memory().release(begin);
  }
}

std::uint64_t GraphMemoryPool::value(Counter counter) const {
  switch (counter) {
    case Counter::kUsed:
      return used_;
    case Counter::kUsedMost:
      return used_most_;
    case Counter::kReserved:
      return reserved_;
    case Counter::kReservedMost:
      return reserved_most_;
  }
  throw CallError(kInvalidValue);
}

void GraphMemoryPool::reset(Counter counter) {
  if (counter == Counter::kUsedMost) {
    used_most_ = used_;
  } else if (counter == Counter::kReservedMost) {
    reserved_most_ = reserved_;
  } else {
    throw CallError(kInvalidValue);
  }
}

void GraphMemoryPool::trim() {
  std::erase_if(free_, [&](const FreePages& pages) {
    const bool goes = !pages.launching && is_over(pages.end);
    reserved_ -= goes ? pages.bytes : 0;
    return goes;
  });
}

std::shared_ptr<GraphMemory> GraphMemoryPool::allocate(Context& context, std::uint64_t bytes) {
  const Address begin = to_address(take_memory(context, context.device(), bytes));
  auto memory = std::make_shared<GraphMemory>(context, context.graphs().memory, begin, bytes);
  allocations_[begin] = memory;
  return memory;
}

std::shared_ptr<GraphMemory> GraphMemoryPool::find(Address begin) const {
  const auto found = allocations_.find(begin);
  return found == allocations_.end() ? nullptr : found->second.lock();
}

void GraphMemoryPool::use(GraphMemory& memory, std::uint64_t stream) {
  const std::uint64_t needed = pages(memory.bytes);
  memory.in_use = true;
  memory.stream = stream;
  used_ += needed;
  used_most_ = std::max(used_most_, used_);
  const auto found = std::ranges::find_if(free_, [&](const FreePages& free) {
    return free.bytes >= needed && (free.stream == stream || (!free.launching && is_over(free.end)));
  });
  if (found == free_.end()) {
    reserved_ += needed;
    reserved_most_ = std::max(reserved_most_, reserved_);
    return;
  }
  found->bytes -= needed;
  std::erase_if(free_, [](const FreePages& free) { return free.bytes == 0; });
}

void GraphMemoryPool::free(GraphMemory& memory, bool launching) {
  if (memory.in_use) {
    memory.in_use = false;
    used_ -= pages(memory.bytes);
    free_.push_back({pages(memory.bytes), memory.stream, nullptr, launching});
  }
}

void GraphMemoryPool::end_launch(const WorkHandle& end) {
  for (FreePages& free : free_) {
    free.end = free.launching ? end : free.end;
    free.launching = false;
  }
}

abi::AllocationParameters device_allocation(std::size_t bytes) {
  constexpr int kPinned = 1;
  constexpr int kOnDevice = 1;
  abi::AllocationParameters parameters = {};
  parameters.pool.allocation_type = kPinned;
  parameters.pool.location_type = kOnDevice;
  parameters.bytes = bytes;
  return parameters;
}

bool free_graph_memory(Context& context, const void* data) {
  GraphMemoryPool& pool = *context.graphs().memory;
  const std::shared_ptr<GraphMemory> memory = pool.find(to_address(data));
  if (memory == nullptr) {
    return false;
  }
  if (!memory->in_use) {
    throw CallError(kInvalidValue, "a free: no launched graph uses this memory of a graph");
  }
  pool.free(*memory, false);
  return true;
}

}  // namespace warpsim::cuda
