#include "cuda/device_calls.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>

#include "cuda/device/device_limits.h"
#include "cuda/device/device_properties.h"

namespace warpsim::cuda {

namespace {

constexpr std::uint32_t kFirstWithoutDepth = 90;  // kernels do not wait for launches
constexpr int kSmCountAttribute = 16;

}  // namespace

Device& device_at(Context& context, int number) {
  if (number < 0) {
    throw CallError(kInvalidDevice);
  }
  return context.device(static_cast<std::uint32_t>(number));
}

void check_device(Context& context, int number) {
  device_at(context, number);
}

void* handle_of_device(std::uintptr_t unit, const Device& device) {
  return reinterpret_cast<void*>(unit * (device.number() + 1));  // NOLINT(performance-no-int-to-ptr): a handle
}

std::optional<std::uint32_t> device_of_handle(Context& context, std::uintptr_t unit, const void* handle) {
  const auto value = reinterpret_cast<std::uintptr_t>(handle);
  if (value == 0 || value % unit != 0 || value / unit > context.device_count()) {
    return std::nullopt;
  }
  return static_cast<std::uint32_t>(value / unit - 1);
}

std::size_t device_limit(Context& context, int limit) {
  require_valid(limit >= 0 && limit <= kGraphicsFallbackLimit);
  const GpuConfig& gpu = context.device().config();
  const L2PersistenceConfig& persistence = gpu.memory.l2.persistence;
  if ((limit == kPersistingL2Limit && persistence.max_sixteenths == 0) ||
      (limit == kSyncDepthLimit && architecture_of(gpu.compute_capability) >= kFirstWithoutDepth) ||
      limit == kGraphicsFallbackLimit) {
    throw CallError(kUnsupportedLimit);
  }
  if (limit > kLastLimit) {
    return limit == kSharedBytesLimit ? gpu.occupancy.shared_bytes_per_block : 0;
  }
  const auto set = context.limits().find({context.device().number(), limit});
  if (set != context.limits().end()) {
    return set->second;
  }
  switch (limit) {
    case kPrintfLimit:
      return kPrintfBytesPerSm * static_cast<std::size_t>(device_attribute(context.device(), kSmCountAttribute));
    case kPersistingL2Limit:
      return l2_part(gpu, persistence.first_sixteenths);
    default:
      return kFirstLimits[static_cast<std::size_t>(limit)];
  }
}

void set_device_limit(Context& context, int limit, std::size_t value) {
  device_limit(context, limit);
  if (limit > kLastLimit) {
    throw CallError(kNotPermitted);
  }
  if (limit == kPersistingL2Limit) {
    // Whole sixteenths, as measured (tests/hardware/l2_persistence, limit).
    const GpuConfig& gpu = context.device().config();
    const std::size_t unit = l2_part(gpu, 1);
    require_valid(value <= l2_part(gpu, gpu.memory.l2.persistence.max_sixteenths));
    const std::size_t sixteenths = (value + unit - 1) / unit;
    context.device().set_aside_l2(static_cast<std::uint32_t>(sixteenths));
    value = sixteenths * unit;
  } else if (limit == kStackLimit) {
    context.device().set_stack_bytes(static_cast<std::uint32_t>(std::min<std::size_t>(value, UINT32_MAX)));
  } else if (limit == kHeapLimit) {
    context.device().set_heap_bytes(value);
  }
  if (limit != kPrintfLimit) {
    context.device().set_limit(limit, value);
  }
  context.limits()[{context.device().number(), limit}] = value;
}

void copy_text(char* target, int bytes, const char* text) {
  if (target == nullptr || bytes <= 0) {
    throw CallError(kInvalidValue);
  }
  const std::size_t room = static_cast<std::size_t>(bytes) - 1;
  const std::size_t length = std::min(room, std::strlen(text));
  std::memcpy(target, text, length);
  target[length] = '\0';
}

}  // namespace warpsim::cuda
