#include "cuda/memory/managed_calls.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include "cuda/calls.h"
#include "cuda/device_calls.h"
#include "cuda/graphs/capture.h"
#include "cuda/memory/memory_calls.h"
#include "cuda/streams/stream_calls.h"
#include "device/managed/managed_memory.h"

namespace warpsim::cuda {

namespace {

constexpr int kNoDevice = -2;    // cudaInvalidDeviceId
constexpr int kHostDevice = -1;  // cudaCpuDeviceId

// cudaMemoryAdvise.
enum class Advice : int {
  kSetReadMostly = 1,
  kUnsetReadMostly,
  kSetPreferred,
  kUnsetPreferred,
  kSetAccessedBy,
  kUnsetAccessedBy,
};

// cudaMemRangeAttribute.
enum class RangeAttribute : int {
  kReadMostly = 1,
  kPreferred,
  kAccessedBy,
  kLastPrefetch,
  kPreferredType,
  kPreferredId,
  kLastPrefetchType,
  kLastPrefetchId,
};

bool has_page_faults(const Device& device) {
  return device.config().managed_memory.page_faults;
}

ManagedMemory& managed_of(Device& device) {
  if (device.managed() == nullptr) {
    throw CallError(kNotSupported);
  }
  return *device.managed();
}

// The processor of a location.
std::uint32_t processor_at(Context& context, const MemoryLocation& location) {
  if (location.type != MemoryLocation::kDevice) {
    const bool is_numa = location.type == MemoryLocation::kHostNuma;
    const bool is_host = location.type == MemoryLocation::kHost || location.type == MemoryLocation::kHostNumaCurrent;
    if (!is_host && !(is_numa && location.id == 0)) {
      throw CallError(is_numa ? kInvalidDevice : kInvalidValue);
    }
    return ManagedPages::kHost;
  }
  Device& device = device_at(context, location.id);
  if (!has_page_faults(device)) {
    throw CallError(kInvalidDevice);
  }
  return device.number();
}

ManagedMemory::Range managed_range(Context& context, const ManagedRange& range) {
  const Address begin = to_address(range.data);
  const DeviceMemory::Allocation* const allocation = context.device().memory().find(begin);
  if (range.bytes == 0 || allocation == nullptr || !allocation->managed || range.bytes > allocation->end() - begin) {
    throw CallError(kInvalidValue);
  }
  return {begin, range.bytes};
}

MemoryLocation location_of_processor(std::optional<std::uint32_t> processor) {
  if (!processor) {
    return {0, kNoDevice};
  }
  return *processor == ManagedPages::kHost ? MemoryLocation{MemoryLocation::kHost, kHostDevice}
                                           : MemoryLocation{MemoryLocation::kDevice, static_cast<int>(*processor)};
}

// What all pieces of a range agree on; otherwise nothing.
template <typename Get>
auto common(const ManagedRanges& ranges, const ManagedMemory::Range& range, Get&& get) {
  const ManagedRanges::Span span = ranges.span_of(range.begin, range.bytes);
  auto value = get(ranges.advice(span.first));
  for (std::uint64_t piece = span.first; piece < span.end; ++piece) {
    if (get(ranges.advice(piece)) != value) {
      value = {};
    }
  }
  return value;
}

template <typename Value>
void write_value(std::span<std::byte> data, Value value) {
  if (data.size() != sizeof value) {
    throw CallError(kInvalidValue);
  }
  std::memcpy(data.data(), &value, sizeof value);
}

}  // namespace

MemoryLocation location_of(int device) {
  return device == kHostDevice ? MemoryLocation{MemoryLocation::kHost, 0}
                               : MemoryLocation{MemoryLocation::kDevice, device};
}

void prefetch(Context& context, const ManagedRange& range, const MemoryLocation& location, StreamHandle stream) {
  const ManagedMemory::Range managed = managed_range(context, range);
  const std::uint32_t to = processor_at(context, location);
  Stream& where = context.stream(stream);
  Device& device = context.device(where.gpu);
  if (!has_page_faults(device)) {
    throw CallError(kInvalidDevice);
  }
  forbid_waiting(context, stream);
  ManagedMemory* const memory = &managed_of(device);
  memory->note_prefetch(managed, to);
  Work work;
  work.kind = WorkKind::kMigration;
  work.place.gpu = where.gpu;
  work.place.stream = where.number;
  work.bytes = range.bytes;
  work.prepare = [memory, managed, to, gpu = where.gpu] { return memory->prefetch_ns(managed, to, gpu); };
  work.effect = [memory, managed, to] { memory->prefetch(managed, to); };
  device.queue().submit(std::move(work));
  context.check_device();
}

void prefetch(Context& context, const PrefetchBatch& batch, StreamHandle stream) {
  const std::span<const std::size_t> first = batch.index_of;
  if (batch.ranges.empty() || first.empty() || first.size() > batch.ranges.size() || first[0] != 0 ||
      first.size() != batch.locations.size() || !std::ranges::is_sorted(first) || first.back() >= batch.ranges.size()) {
    throw CallError(kInvalidValue);
  }
  std::size_t location = 0;
  for (std::size_t i = 0; i < batch.ranges.size(); ++i) {
    location += location + 1 < first.size() && i >= first[location + 1] ? 1 : 0;
    prefetch(context, batch.ranges[i], batch.locations[location], stream);
  }
}

void advise(Context& context, const ManagedRange& range, int advice, const MemoryLocation& location) {
  const ManagedMemory::Range managed = managed_range(context, range);
  ManagedMemory& memory = managed_of(context.device());
  switch (static_cast<Advice>(advice)) {
    case Advice::kSetReadMostly:
    case Advice::kUnsetReadMostly:  // the location is ignored
      memory.set_read_mostly(managed, static_cast<Advice>(advice) == Advice::kSetReadMostly);
      return;
    case Advice::kSetPreferred:
      memory.set_preferred(managed, processor_at(context, location));
      return;
    case Advice::kUnsetPreferred:
      memory.set_preferred(managed, std::nullopt);
      return;
    case Advice::kSetAccessedBy:
    case Advice::kUnsetAccessedBy:
      memory.set_accessed_by(managed, processor_at(context, location),
                             static_cast<Advice>(advice) == Advice::kSetAccessedBy);
      return;
  }
  throw CallError(kInvalidValue);
}

void range_attribute(Context& context, const ManagedRange& range, int attribute, std::span<std::byte> data) {
  const ManagedMemory::Range managed = managed_range(context, range);
  const ManagedRanges& ranges = managed_of(context.device()).ranges();
  const MemoryLocation preferred =
      location_of_processor(common(ranges, managed, [](const PageAdvice& advice) { return advice.preferred; }));
  const MemoryLocation prefetched =
      location_of_processor(common(ranges, managed, [](const PageAdvice& advice) { return advice.prefetched; }));
  switch (static_cast<RangeAttribute>(attribute)) {
    case RangeAttribute::kReadMostly:
      write_value(data,
                  static_cast<int>(common(ranges, managed, [](const auto& advice) { return advice.read_mostly; })));
      return;
    case RangeAttribute::kAccessedBy: {
      if (data.empty() || data.size() % sizeof(int) != 0) {
        throw CallError(kInvalidValue);
      }
      const auto all = common(ranges, managed, [](const PageAdvice& advice) { return advice.accessed_by; });
      std::vector<int> devices;
      for (std::uint32_t processor = 0; processor <= ManagedPages::kHost; ++processor) {
        if ((all & ManagedPages::bit(processor)) != 0) {
          devices.push_back(location_of_processor(processor).id);
        }
      }
      devices.resize(data.size() / sizeof(int), kNoDevice);
      std::memcpy(data.data(), devices.data(), data.size());
      return;
    }
    case RangeAttribute::kPreferred:
    case RangeAttribute::kPreferredId:
      write_value(data, preferred.id);
      return;
    case RangeAttribute::kPreferredType:
      write_value(data, preferred.type);
      return;
    case RangeAttribute::kLastPrefetch:
    case RangeAttribute::kLastPrefetchId:
      write_value(data, prefetched.id);
      return;
    case RangeAttribute::kLastPrefetchType:
      write_value(data, prefetched.type);
      return;
  }
  throw CallError(kInvalidValue);
}

void range_attributes(Context& context, const ManagedRange& range, const AttributeList& list) {
  for (std::size_t i = 0; i < list.count; ++i) {
    auto* const target = &result(static_cast<std::byte*>((&result(list.values))[i]));
    range_attribute(context, range, (&result(list.attributes))[i], {target, (&result(list.bytes))[i]});
  }
}

std::uint64_t free_bytes(Device& device) {
  const std::uint64_t left = device.memory().capacity() - device.memory().used();
  const bool moves = device.managed() != nullptr && has_page_faults(device);
  return left - std::min(left, moves ? device.managed()->bytes_at(device.number()) : 0);
}

double bring(Device& device, Address begin, std::uint64_t bytes, bool writes) {
  ManagedMemory* const managed = device.managed();
  const bool is_managed = managed != nullptr && bytes != 0 && managed->pages().contains(begin);
  return is_managed ? managed->bring({begin, bytes}, device.number(), writes) : 0;
}

void finish_fill(Context& context, const void* data) {
  const DeviceMemory::Allocation* const allocation = context.device().memory().find(to_address(data));
  if (allocation != nullptr && (allocation->managed || allocation->registered)) {
    synchronize(context, StreamHandle{nullptr});
  }
}

void bring_all(Device& device, std::uint64_t stream) {
  ManagedMemory* const managed = device.managed();
  if (managed == nullptr || managed->has_page_faults(device.number()) || !managed->host_has_any()) {
    return;
  }
  const CopiesConfig& copies = device.config().copies;
  Work work;
  work.kind = WorkKind::kMigration;
  work.place.gpu = device.number();
  work.place.stream = stream;
  work.prepare = [managed, gpu = device.number(), &copies] {
    const std::uint64_t bytes = managed->bring_all(gpu);
    return bytes == 0 ? 0 : copies.to_device_ns + transfer_ns(bytes, copies.to_device_gb_per_s);
  };
  device.queue().submit(std::move(work));
}

}  // namespace warpsim::cuda
