#include "cuda/memory/pointer_attributes.h"

#include "cuda/device_calls.h"
#include "cuda/memory/memory_calls.h"
#include "cuda/memory/memory_pools.h"
#include "cuda/memory/virtual_memory.h"

namespace warpsim::cuda {

namespace {

enum PointerAttribute : int {
  kContext = 1,
  kMemoryType = 2,
  kDevicePointer = 3,
  kHostPointer = 4,
  kSynchronousOperations = 6,
  kBufferNumber = 7,
  kIsManaged = 8,
  kOrdinal = 9,
  kLegacyIpc = 10,
  kRangeBegin = 11,
  kRangeBytes = 12,
  kMapped = 13,
  kHandleTypes = 14,
  kDirectRdma = 15,
  kAccessOfDevice = 16,
  kPoolHandle = 17,
  kMappingBytes = 18,
  kMappingBegin = 19,
  kBlockNumber = 20,
  kDecompression = 21
};

template <class T>
void store(void* data, T value) {
  *static_cast<T*>(data) = value;
}

struct Described {
  PointerInfo info;
  const DeviceMemory::Allocation* allocation = nullptr;
  const MappedMemory::Mapping* mapping = nullptr;  // null: the program has not mapped it
  PoolHandle pool = nullptr;                       // null: of none
};

Described describe_pointer(Context& context, Address address) {
  Described found;
  found.info = pointer_info(context, to_pointer(address));
  if (found.info.kind == PointerKind::kUnknown) {
    throw CallError(kInvalidValue);
  }
  DeviceMemory& memory = context.device().memory();
  found.allocation = memory.find(address);
  found.mapping = memory.mapped().find(address);
  found.pool = context.pools().owner(found.info.begin);
  return found;
}

// The host's memory has its address there; memory of a GPU has none.
void host_pointer(const Described& pointer, void* data, Address address) {
  if (pointer.info.kind == PointerKind::kDevice) {
    throw CallError(kInvalidValue);
  }
  store(data, address);
}

int access_of_device(const DeviceMemory& memory, const DeviceMemory::Allocation& allocation) {
  if (!memory.reaches(allocation)) {
    return abi::kNoAccess;
  }
  return memory.reaches(allocation, true) ? abi::kReadWriteAccess : abi::kReadAccess;
}

int handle_types(Context& context, const Described& pointer) {
  if (pointer.mapping != nullptr) {
    return context.virtual_memory().handle_types(*pointer.mapping);
  }
  return pointer.pool != nullptr ? pointer.pool->properties().handle_types : 0;
}

// A reserved range counts as a whole.
void range(Context& context, const Described& pointer, int attribute, void* data, Address address) {
  Address begin = pointer.info.begin;
  std::uint64_t bytes = pointer.info.bytes;
  if (pointer.mapping != nullptr && (attribute == kRangeBegin || attribute == kRangeBytes)) {
    const ReservedRanges::Range& reserved = *context.device().memory().mapped().ranges().find(address);
    begin = reserved.begin;
    bytes = reserved.bytes;
  }
  store(data, attribute == kRangeBegin || attribute == kMappingBegin ? begin : bytes);
}

}  // namespace

bool is_accessible(Context& context, Address address) {
  const DeviceMemory& memory = context.device().memory();
  const DeviceMemory::Allocation* const allocation = memory.find(address);
  return allocation != nullptr && (!allocation->mapped || memory.reaches(*allocation));
}

void pointer_attribute(Context& context, void* data, int attribute, Address address) {
  constexpr unsigned kTypeHost = 1;
  constexpr unsigned kTypeDevice = 2;
  const Described pointer = describe_pointer(context, address);
  switch (attribute) {
    case kMemoryType:
      return store(data, pointer.info.kind == PointerKind::kHost ? kTypeHost : kTypeDevice);
    case kHostPointer:
      return host_pointer(pointer, data, address);
    case kDevicePointer:
      if (!is_accessible(context, address)) {
        throw CallError(kInvalidValue);
      }
      return store(data, address);
    case kContext:
      return store(data, handle_of_device(kContextUnit, context.device(pointer.info.gpu)));
    case kBufferNumber:
    case kBlockNumber:
      return store(data, pointer.allocation->number);
    case kLegacyIpc:  // of whole allocations of a GPU, which only the program's own processes open
      return store(
          data,
          pointer.info.kind == PointerKind::kDevice && pointer.mapping == nullptr && pointer.pool == nullptr ? 1U : 0U);
    case kIsManaged:
      return store(data, pointer.info.kind == PointerKind::kManaged ? 1U : 0U);
    case kOrdinal:
      return store(data, static_cast<int>(pointer.info.gpu));
    case kRangeBegin:
    case kRangeBytes:
    case kMappingBytes:
    case kMappingBegin:
      return range(context, pointer, attribute, data, address);
    case kMapped:
      return store(data, 1U);
    case kSynchronousOperations:
      return store(data, pointer.info.kind == PointerKind::kDevice ? 1U : 0U);
    case kDirectRdma:
    case kDecompression:
      return store(data, 0U);
    case kHandleTypes:
      return store(data, static_cast<std::uint64_t>(handle_types(context, pointer)));
    case kAccessOfDevice:
      return store(data, access_of_device(context.device().memory(), *pointer.allocation));
    case kPoolHandle:
      return store(data, static_cast<void*>(pointer.pool));
    default:
      throw CallError(kInvalidValue);
  }
}

}  // namespace warpsim::cuda
