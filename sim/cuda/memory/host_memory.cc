#include "cuda/memory/host_memory.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <iterator>

#include "cuda/graphs/capture.h"
#include "cuda/memory/memory_calls.h"
#include "cuda/memory/memory_errors.h"
#include "cuda/memory/memory_pools.h"

namespace warpsim::cuda {

namespace {

constexpr std::uint64_t kHostPage = 4096;
constexpr Address kPinnedBegin = 0x6000'0000'0000;  // fixed, so that runs see the same addresses

std::uint64_t whole_pages(std::uint64_t bytes) {
  return (std::max<std::uint64_t>(bytes, 1) + kHostPage - 1) / kHostPage * kHostPage;
}

// Pinned memory: after the last block if the range is free, otherwise at an address of the system's choice.
void* map_pinned(const std::map<std::uint64_t, Context::HostMemory>& blocks, std::uint64_t bytes) {
  Address wanted = kPinnedBegin;
  for (const auto& [begin, block] : blocks) {
    if (begin >= wanted && begin < kPinnedBegin * 2) {
      wanted = begin + whole_pages(block.bytes);
    }
  }
  constexpr int kFlags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  void* const mapped =
      mmap(to_pointer(wanted), whole_pages(bytes), PROT_READ | PROT_WRITE, kFlags, -1, 0);  // the place is a wish
  return mapped == MAP_FAILED ? nullptr : mapped;
}

}  // namespace

void* map_host_pages(Context& context, std::size_t bytes, std::uint32_t open_to) {
  void* const data = map_pinned(context.host_memory(), bytes);
  if (data == nullptr || !context.device().memory().register_host(data, bytes, open_to)) {
    return nullptr;
  }
  context.host_memory()[to_address(data)] = {bytes, 0, false};
  return data;
}

void unmap_host_pages(Context& context, Address begin, std::size_t bytes) {
  context.device().memory().release(begin);
  munmap(to_pointer(begin), whole_pages(bytes));
  context.host_memory().erase(begin);
}

void* allocate_host(Context& context, std::size_t bytes, unsigned flags) {
  forbid_unsafe(context);
  if (bytes == 0) {
    return nullptr;
  }
  void* const data = map_pinned(context.host_memory(), bytes);
  if (data == nullptr || !context.device().memory().register_host(data, bytes)) {
    throw CallError(kOutOfMemory);
  }
  context.host_memory()[to_address(data)] = {bytes, flags, true};
  return data;
}

void release_host(Context& context, void* data) {
  if (data == nullptr) {
    return;
  }
  const auto found = context.host_memory().find(to_address(data));
  if (found == context.host_memory().end() || !found->second.owned) {
    throw CallError(kInvalidValue, fmt::format("a free of pinned memory: {}",
                                               why_not(context.device().memory(), to_address(data), 0)));
  }
  wait_for_all(context);
  context.device().memory().release(to_address(data));
  munmap(data, whole_pages(found->second.bytes));
  context.host_memory().erase(found);
}

void register_host(Context& context, void* data, std::size_t bytes, unsigned flags) {
  forbid_unsafe(context);
  if (data == nullptr || bytes == 0) {
    throw CallError(kInvalidValue);
  }
  if (!context.device().memory().register_host(data, bytes)) {
    throw CallError(kHostMemoryAlreadyRegistered);
  }
  context.host_memory()[to_address(data)] = {bytes, flags, false};
}

void unregister_host(Context& context, void* data) {
  const auto found = context.host_memory().find(to_address(data));
  const DeviceMemory::Allocation* const allocation = context.device().memory().find(to_address(data));
  const bool other =
      allocation != nullptr && (allocation->mapped || context.pools().owner(to_address(data)) != nullptr);
  if (found == context.host_memory().end() || found->second.owned || other) {
    throw CallError(kHostMemoryNotRegistered);
  }
  wait_for_all(context);
  context.device().memory().release(to_address(data));
  context.host_memory().erase(found);
}

const std::pair<const std::uint64_t, Context::HostMemory>& host_block(Context& context, const void* data) {
  const auto next = context.host_memory().upper_bound(to_address(data));
  if (next != context.host_memory().begin()) {
    const auto& block = *std::prev(next);
    if (to_address(data) - block.first < block.second.bytes) {
      return block;
    }
  }
  throw CallError(kInvalidValue);
}

}  // namespace warpsim::cuda
