#include "cuda/streams/memory_operations.h"

#include <algorithm>
#include <cstring>

#include "cuda/graphs/graph_node.h"
#include "cuda/streams/stream_calls.h"

namespace warpsim::cuda {

namespace {

constexpr unsigned kMostOperations = 255;

// Conditions of waits.
constexpr unsigned kGreaterOrEqual = 0;
constexpr unsigned kEqual = 1;
constexpr unsigned kAnd = 2;
constexpr unsigned kNor = 3;
constexpr unsigned kFlush = 1U << 30U;
// Of writes, in the first version.
constexpr unsigned kWithoutBarrier = 1;
constexpr unsigned kBarrierOfGpu = 1;

bool is_wait(int type) {
  return type == abi::kWaitValue32 || type == abi::kWaitValue64;
}

bool is_write(int type) {
  return type == abi::kWriteValue32 || type == abi::kWriteValue64;
}

std::size_t bytes_of(int type) {
  return type == abi::kWaitValue64 || type == abi::kWriteValue64 ? sizeof(std::uint64_t) : sizeof(std::uint32_t);
}

// Managed memory is also in the allocations of the device.
void check_address(Context& context, std::uint64_t address, std::size_t bytes) {
  const DeviceMemory& memory = context.device().memory();
  const auto* const allocation = memory.find(address);
  require_valid(address % bytes == 0 && allocation != nullptr &&
                context.device().memory().host(address, bytes) != nullptr);
  require_valid(!context.managed_memory().contains(allocation->begin));
}

void check(Context& context, const abi::MemoryOperation& operation, MemoryOperationApi api) {
  if (is_wait(operation.type)) {
    if ((operation.value.flags & kFlush) != 0) {
      throw CallError(kNotSupported, "a wait for a value with a flush of remote writes is not supported");
    }
    require_valid(operation.value.flags <= kNor);
    check_address(context, operation.value.address, bytes_of(operation.type));
  } else if (is_write(operation.type)) {
    require_valid(operation.value.flags <= (api == MemoryOperationApi::kFirst ? kWithoutBarrier : 0));
    check_address(context, operation.value.address, bytes_of(operation.type));
  } else if (operation.type == abi::kMemoryBarrier) {
    require_valid(api == MemoryOperationApi::kSecond && operation.plain.flags <= kBarrierOfGpu);
  } else if (operation.type == abi::kFlushWrites) {
    throw CallError(kNotSupported, "a flush of remote writes is not supported");
  } else {
    throw CallError(kInvalidValue);
  }
}

template <class Unsigned, class Signed>
bool holds(unsigned condition, Unsigned found, Unsigned value) {
  switch (condition) {
    case kGreaterOrEqual:
      return static_cast<Signed>(found - value) >= 0;  // cyclic
    case kEqual:
      return found == value;
    case kAnd:
      return (found & value) != 0;
    default:
      return static_cast<Unsigned>(~(found | value)) != 0;
  }
}

template <class Unsigned, class Signed>
std::function<bool()> wait_of(Device& device, const abi::MemoryOperation& operation) {
  return [&device, address = operation.value.address, value = static_cast<Unsigned>(operation.value.value),
          condition = operation.value.flags] {
    const std::byte* const place = device.memory().host(address, sizeof(Unsigned));
    if (place == nullptr) {
      return false;
    }
    // The host may write the value meanwhile.
    const auto* const word = reinterpret_cast<const Unsigned*>(place);
    return holds<Unsigned, Signed>(condition, __atomic_load_n(word, __ATOMIC_ACQUIRE), value);
  };
}

template <class Unsigned>
std::function<void()> write_of(Device& device, const abi::MemoryOperation& operation) {
  return [&device, address = operation.value.address, value = static_cast<Unsigned>(operation.value.value)] {
    if (std::byte* const place = device.memory().host(address, sizeof(Unsigned)); place != nullptr) {
      __atomic_store_n(reinterpret_cast<Unsigned*>(place), value, __ATOMIC_RELEASE);
    }
  };
}

MemoryStep step_of(Device& device, const abi::MemoryOperation& operation) {
  switch (operation.type) {
    case abi::kWaitValue32:
      return {wait_of<std::uint32_t, std::int32_t>(device, operation)};
    case abi::kWaitValue64:
      return {wait_of<std::uint64_t, std::int64_t>(device, operation)};
    case abi::kWriteValue32:
      return {.effect = write_of<std::uint32_t>(device, operation)};
    case abi::kWriteValue64:
      return {.effect = write_of<std::uint64_t>(device, operation)};
    default:
      return {};
  }
}

}  // namespace

void check_batch(Context& context, std::span<const abi::MemoryOperation> operations, unsigned flags,
                 MemoryOperationApi api) {
  require_valid(flags == 0 && !operations.empty() && operations.size() <= kMostOperations);
  for (const abi::MemoryOperation& operation : operations) {
    check(context, operation, api);
  }
}

void put_batch(Context& context, StreamHandle stream, std::span<const abi::MemoryOperation> operations, unsigned flags,
               MemoryOperationApi api) {
  check_batch(context, operations, flags, api);
  BatchOperation batch{{operations.begin(), operations.end()}};
  for (abi::MemoryOperation& operation : batch.operations) {
    if (is_write(operation.type)) {
      operation.value.flags = 0;  // that a write needs no barrier changes nothing
    }
  }
  put(context, stream, batch);
}

std::vector<MemoryStep> steps_of(Device& device, std::span<const abi::MemoryOperation> operations) {
  std::vector<MemoryStep> steps;
  for (const abi::MemoryOperation& operation : operations) {
    if (operation.type != abi::kMemoryBarrier) {
      steps.push_back(step_of(device, operation));
    }
  }
  return steps;
}

std::vector<abi::MemoryOperation> batch_of(Context& context, const abi::BatchNodeParameters& parameters) {
  require_valid(parameters.operations != nullptr);
  const std::span operations(parameters.operations, parameters.count);
  check_batch(context, operations, parameters.flags);
  return {operations.begin(), operations.end()};
}

}  // namespace warpsim::cuda
