#include "cuda/memory/virtual_memory.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "cuda/calls.h"
#include "cuda/device_calls.h"

namespace warpsim::cuda {

namespace {

using Access = MappedMemory::Access;

void require_virtual(bool good, const char* why) {
  if (!good) {
    throw CallError(kInvalidValue, why);
  }
}

MappedMemory& mappings_of(Context& context) {
  return context.device().memory().mapped();
}

// The errors of properties, in the driver's order.
PhysicalMemory::Home home_of(Context& context, const abi::AllocationProperties& properties) {
  require_virtual(properties.type == abi::kPinned, "cuMemCreate: the type of memory is not pinned");
  const auto& [type, id] = properties.location;
  const auto location = static_cast<std::uint32_t>(type);
  PhysicalMemory::Home home{PhysicalMemory::kHost, location};
  switch (type) {
    case abi::MemoryLocation::kDevice:
      home = {device_at(context, id).number(), location};
      break;
    case abi::MemoryLocation::kHost:
      require_virtual(properties.handle_types == 0, "cuMemCreate: memory of the host without a node cannot be shared");
      break;
    case abi::MemoryLocation::kHostNuma:
      require_virtual(id == 0, "cuMemCreate: the host has one NUMA node, with the number 0");
      break;
    default:
      throw CallError(kInvalidValue, "cuMemCreate: the location of the memory is none");
  }
  require_virtual((properties.handle_types & (abi::kWin32 | abi::kWin32Kmt)) == 0,
                  "cuMemCreate: handles of Windows do not exist here");
  if ((properties.handle_types & abi::kFabric) != 0) {
    throw CallError(kNotPermitted, "cuMemCreate: there is no fabric whose handles could be shared");
  }
  return home;
}

Access access_of_flags(int flags) {
  switch (flags) {
    case abi::kNoAccess:
      return Access::kNone;
    case abi::kReadAccess:
      return Access::kRead;
    case abi::kReadWriteAccess:
      return Access::kReadWrite;
    default:
      throw CallError(kInvalidValue, "cuMemSetAccess: the access is not none, read, or read and write");
  }
}

// By one range, or several that follow each other.
bool is_reserved(const ReservedRanges& ranges, const AddressRange& wanted) {
  const Address end = wanted.begin + wanted.bytes;
  for (Address next = wanted.begin; next < end;) {
    const ReservedRanges::Range* const range = ranges.find(next);
    if (range == nullptr) {
      return false;
    }
    next = range->end();
  }
  return wanted.begin < end;
}

int flags_of(Access access) {
  return access == Access::kNone ? abi::kNoAccess : access == Access::kRead ? abi::kReadAccess : abi::kReadWriteAccess;
}

void check_access(Context& context, const std::vector<const MappedMemory::Mapping*>& mappings,
                  const abi::AccessDescription& wanted) {
  access_of_flags(wanted.flags);
  const auto& [type, id] = wanted.location;
  require_virtual(type >= abi::MemoryLocation::kDevice && type <= abi::MemoryLocation::kHostNuma,
                  "cuMemSetAccess: the location is none");
  if (type == abi::MemoryLocation::kDevice) {
    require_virtual(id >= 0 && static_cast<std::uint32_t>(id) < context.device_count(),
                    "cuMemSetAccess: there is no such GPU");
  }
  for (const MappedMemory::Mapping* const mapping : mappings) {
    const PhysicalMemory& memory = *mapping->memory;
    if (type != abi::MemoryLocation::kDevice && !memory.of_host()) {
      throw CallError(kNotSupported, "cuMemSetAccess: the host cannot access memory of a GPU");
    }
    const auto gpu = static_cast<std::uint32_t>(id);
    if (type == abi::MemoryLocation::kDevice && wanted.flags != 0 && !memory.of_host() && memory.home().gpu != gpu &&
        !has_peer_access(context, gpu, memory.home().gpu)) {
      throw CallError(kInvalidDevice,
                      fmt::format("cuMemSetAccess: GPU {} has no access to memory of GPU {}", gpu, memory.home().gpu));
    }
  }
}

void apply_access(MappedMemory& mapped, const MappedMemory::Mapping& mapping, const abi::AccessDescription& wanted) {
  const Access access = access_of_flags(wanted.flags);
  bool done = true;
  switch (wanted.location.type) {
    case abi::MemoryLocation::kDevice:
      mapped.open_to_gpu(mapping.begin, static_cast<std::uint32_t>(wanted.location.id), access);
      // The host has access to its own memory, unless the program has stated something else.
      if (mapping.memory->of_host() && !mapping.host_stated && access != Access::kNone) {
        done = mapped.open_to_host(mapping.begin, Access::kReadWrite, false);
      }
      break;
    case abi::MemoryLocation::kHostNuma:
      mapped.open_to_numa_node(mapping.begin, access);
      [[fallthrough]];
    default:
      done = mapped.open_to_host(mapping.begin, access, true);
  }
  if (!done) {
    throw CallError(kOutOfMemory, "cuMemSetAccess: the process cannot have more mappings");
  }
}

}  // namespace

std::uint64_t VirtualMemory::create(Context& context, std::uint64_t bytes,
                                    const abi::AllocationProperties& properties) {
  require_virtual(bytes != 0 && bytes % kGranularity == 0,
                  "cuMemCreate: the size is not a multiple of the granularity, 2 MiB");
  const PhysicalMemory::Home home = home_of(context, properties);
  const std::shared_ptr<AddressSpace>& space = context.device().memory().space();
  std::shared_ptr<PhysicalMemory> memory = PhysicalMemory::create(space, bytes, home);
  if (memory == nullptr) {
    throw CallError(kOutOfMemory);
  }
  return add(std::move(memory), properties);
}

std::uint64_t VirtualMemory::add(std::shared_ptr<PhysicalMemory> memory, const abi::AllocationProperties& properties) {
  std::erase_if(handles_, [](const auto& entry) { return entry.second.mapped.expired(); });
  constexpr std::uint64_t kStep = 0x10;
  next_ += kStep;
  Handle& handle = handles_[next_];
  handle.mapped = memory;
  handle.memory = std::move(memory);
  handle.properties = properties;
  return next_;
}

VirtualMemory::Handle& VirtualMemory::find(std::uint64_t handle) {
  const auto found = handles_.find(handle);
  require_virtual(found != handles_.end() && found->second.references != 0, "this is no handle of physical memory");
  return found->second;
}

void VirtualMemory::release(std::uint64_t handle) {
  Handle& released = find(handle);
  if (--released.references == 0) {
    released.memory = nullptr;
  }
}

std::uint64_t VirtualMemory::retain(Context& context, Address address) {
  const MappedMemory::Mapping* const mapping = mappings_of(context).find(address);
  require_virtual(mapping != nullptr, "cuMemRetainAllocationHandle: nothing is mapped at this address");
  Handle& handle = handles_.at(mapping->handle);
  handle.memory = mapping->memory;
  ++handle.references;
  return mapping->handle;
}

int VirtualMemory::handle_types(const MappedMemory::Mapping& mapping) const {
  return handles_.at(mapping.handle).properties.handle_types;
}

int VirtualMemory::share(std::uint64_t handle, int type) {
  const Handle& shared = find(handle);
  require_virtual(type == abi::kFileDescriptor && (shared.properties.handle_types & abi::kFileDescriptor) != 0,
                  "cuMemExportToShareableHandle: the memory was not created to be shared in this way");
  const int descriptor = fcntl(shared.memory->pages().descriptor(), F_DUPFD_CLOEXEC, 0);
  if (descriptor < 0) {
    throw CallError(kOperatingSystem, "cuMemExportToShareableHandle: the process cannot have more descriptors");
  }
  return descriptor;
}

std::uint64_t VirtualMemory::import(Context& context, int descriptor, int type) {
  require_virtual(type != abi::kNotShareable, "cuMemImportFromShareableHandle: the type of the handle is none");
  if (type != abi::kFileDescriptor) {
    throw CallError(kNotSupported, "cuMemImportFromShareableHandle: only descriptors of files are shared");
  }
  std::shared_ptr<PhysicalMemory> memory = PhysicalMemory::import(context.device().memory().space(), descriptor);
  if (memory == nullptr) {
    throw CallError(kUnknown, "cuMemImportFromShareableHandle: the descriptor is not that of memory of a GPU here");
  }
  context.note_other_processes();
  abi::AllocationProperties properties = {};
  properties.type = abi::kPinned;
  properties.location.type = static_cast<int>(memory->home().location_type);
  properties.location.id = memory->of_host() ? 0 : static_cast<int>(memory->home().gpu);
  return add(std::move(memory), properties);
}

void VirtualMemory::map(Context& context, const AddressRange& range, std::uint64_t offset, std::uint64_t handle) {
  const Handle& mapped = find(handle);
  require_virtual(range.begin != 0 && range.begin % kGranularity == 0 && range.bytes != 0,
                  "cuMemMap: the address is not a multiple of the granularity, 2 MiB, or the range is empty");
  if (offset != 0 || range.bytes != mapped.memory->bytes()) {
    throw CallError(kNotSupported, fmt::format("cuMemMap: {} bytes from byte {} on of a memory of {} bytes; only the "
                                               "whole memory can be mapped",
                                               range.bytes, offset, mapped.memory->bytes()));
  }
  MappedMemory& memory = mappings_of(context);
  const ReservedRanges::Range* const reserved = memory.ranges().find(range.begin);
  require_virtual(reserved != nullptr && range.bytes <= reserved->end() - range.begin,
                  "cuMemMap: the addresses are not reserved");
  require_virtual(memory.in(range.begin, range.bytes).empty(), "cuMemMap: something is mapped at these addresses");
  if (!memory.map(range.begin, mapped.memory, handle)) {
    throw CallError(kOutOfMemory, "cuMemMap: the process cannot have more mappings");
  }
}

Address reserve_addresses(Context& context, std::uint64_t bytes, std::uint64_t alignment, Address wanted) {
  constexpr std::uint64_t kUnit = VirtualMemory::kGranularity;
  require_virtual(bytes != 0 && bytes % kUnit == 0, "cuMemAddressReserve: the size is not a multiple of 2 MiB");
  require_virtual((alignment & (alignment - 1)) == 0, "cuMemAddressReserve: the alignment is not a power of two");
  require_virtual(wanted % kUnit == 0, "cuMemAddressReserve: the wanted address is not a multiple of 2 MiB");
  ReservedRanges& ranges = mappings_of(context).ranges();
  const ReservedRanges::Range* const range = ranges.reserve(bytes, std::max(alignment, kUnit), wanted);
  if (range == nullptr) {
    throw CallError(kOutOfMemory, "cuMemAddressReserve: the process has no place for this range of addresses");
  }
  context.watch_reserved();
  return range->begin;
}

void free_addresses(Context& context, const AddressRange& range) {
  MappedMemory& memory = mappings_of(context);
  const ReservedRanges::Range* const reserved = memory.ranges().find(range.begin);
  require_virtual(reserved != nullptr && reserved->begin == range.begin && reserved->bytes == range.bytes,
                  "cuMemAddressFree: this is not a whole range that was reserved");
  require_virtual(memory.in(range.begin, range.bytes).empty(), "cuMemAddressFree: memory is mapped in the range");
  memory.ranges().release(range.begin);
}

void unmap(Context& context, const AddressRange& range) {
  MappedMemory& memory = mappings_of(context);
  require_virtual(range.bytes != 0 && is_reserved(memory.ranges(), range),
                  "cuMemUnmap: the addresses are not reserved");
  std::vector<Address> begins;
  for (const MappedMemory::Mapping* const mapping : memory.in(range.begin, range.bytes)) {
    require_virtual(mapping->begin >= range.begin && mapping->end() <= range.begin + range.bytes,
                    "cuMemUnmap: the range holds a part of a mapping");
    begins.push_back(mapping->begin);
  }
  context.finish_work();
  for (const Address begin : begins) {
    context.host_memory().erase(begin);
    memory.unmap(begin);
  }
}

void set_access(Context& context, const AddressRange& range, const abi::AccessDescription* descriptions,
                std::size_t count) {
  MappedMemory& memory = mappings_of(context);
  require_virtual(descriptions != nullptr && count != 0, "cuMemSetAccess: no access is stated");
  require_virtual(
      range.bytes != 0 && range.begin + range.bytes > range.begin && memory.is_whole(range.begin, range.bytes),
      "cuMemSetAccess: the range does not consist of whole mappings");
  const std::vector<const MappedMemory::Mapping*> mappings = memory.in(range.begin, range.bytes);
  for (std::size_t i = 0; i < count; ++i) {
    check_access(context, mappings, descriptions[i]);
  }
  context.finish_work();
  for (std::size_t i = 0; i < count; ++i) {
    for (const MappedMemory::Mapping* const mapping : mappings) {
      apply_access(memory, *mapping, descriptions[i]);
      if (mapping->host != Access::kNone) {
        context.host_memory()[mapping->begin] = {mapping->bytes, 0, false};  // the program may watch it
      }
    }
  }
}

int access_of(Context& context, Address address, const abi::MemoryLocation& location) {
  const MappedMemory& memory = mappings_of(context);
  const MappedMemory::Mapping* const mapping = memory.find(address);
  require_virtual(mapping != nullptr, "cuMemGetAccess: nothing is mapped at this address");
  switch (location.type) {
    case abi::MemoryLocation::kDevice:
      return flags_of(memory.access_of_gpu(mapping->begin, device_at(context, location.id).number()));
    case abi::MemoryLocation::kHost:
      return flags_of(mapping->host);
    case abi::MemoryLocation::kHostNuma:
      return flags_of(mapping->numa_node);
    default:
      throw CallError(kInvalidValue, "cuMemGetAccess: the location is none");
  }
}

void require_access(Context& context, Address begin, std::uint64_t bytes, bool writes) {
  const DeviceMemory& memory = context.device().memory();
  const DeviceMemory::Allocation* const first = memory.find(begin);
  if (first == nullptr || !first->mapped) {
    return;
  }
  const std::uint32_t gpus = std::uint32_t{1} << context.device().number() | std::uint32_t{1} << first->gpu;
  const bool open = (first->open_to & (writes ? ~first->read_only_to : ~0U) & gpus) != 0;
  if (!open || bytes > memory.space()->end_of_run(*first, gpus, writes) - begin) {
    throw CallError(kInvalidValue, fmt::format("a copy or fill: {} bytes at {:#x} are in mappings that no GPU may {} "
                                               "(cuMemSetAccess), or go beyond them",
                                               bytes, begin, writes ? "write" : "access"));
  }
}

}  // namespace warpsim::cuda
