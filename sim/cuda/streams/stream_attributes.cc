#include "cuda/streams/stream_attributes.h"

#include <algorithm>
#include <cstring>

#include "cuda/calls.h"
#include "cuda/device/device_properties.h"
#include "cuda/memory/memory_calls.h"
#include "cuda/streams/launch_attributes.h"

namespace warpsim::cuda {

namespace {

// cudaAccessProperty.
constexpr int kNormal = 0;
constexpr int kStreaming = 1;
constexpr int kPersisting = 2;

// The driver accepts other numbers (tests/hardware/l2_persistence, window.property); they have no effect here.
LinePriority priority_of(int property) {
  switch (property) {
    case kNormal:
      return LinePriority::kNormal;
    case kStreaming:
      return LinePriority::kFirst;
    case kPersisting:
      return LinePriority::kPersisting;
    default:
      return LinePriority::kUnstated;
  }
}

// Attributes that streams have. Those without an effect here are remembered.
bool is_of_streams(int number) {
  return number == kAttributeWindow || number == kAttributeSynchronizationPolicy || number == kAttributePriority ||
         number == kAttributeMemoryDomainMap || number == kAttributeMemoryDomain;
}

}  // namespace

warpsim::AccessWindow access_window(const Device& device, const abi::AccessWindow& window) {
  const auto largest = static_cast<std::size_t>(device_attribute(device, kMaxAccessWindow));
  require_valid(window.bytes <= largest && window.hit_ratio >= 0 && window.hit_ratio <= 1 &&
                window.miss_property != kPersisting);
  warpsim::AccessWindow checked;
  checked.begin = reinterpret_cast<std::uintptr_t>(window.begin);
  checked.bytes = window.bytes;
  checked.hit_ratio = window.hit_ratio;
  checked.hit = priority_of(window.hit_property);
  checked.miss = priority_of(window.miss_property);
  return checked;
}

abi::AccessWindow program_window(const warpsim::AccessWindow& window) {
  const auto property = [](LinePriority priority) {
    return priority == LinePriority::kPersisting ? kPersisting
           : priority == LinePriority::kFirst    ? kStreaming
                                                 : kNormal;
  };
  return {to_pointer(window.begin), window.bytes, static_cast<float>(window.hit_ratio), property(window.hit),
          property(window.miss)};
}

void set_stream_attribute(Context& context, StreamHandle handle, int number, const void* value) {
  Stream& stream = context.stream(handle);
  require_valid(is_of_streams(number));
  abi::LaunchAttribute attribute = {};
  attribute.id = number;
  std::memcpy(&attribute.value, &result(static_cast<const char*>(value)), sizeof attribute.value);
  if (number == kAttributeWindow) {
    stream.window = access_window(context.device(stream.gpu), attribute.value.window);
  } else if (number == kAttributePriority && attribute.value.integer != stream.priority) {
    throw CallError(kNotSupported, "the priority of a stream is that of its creation");
  }
  stream.attributes[number] = attribute;
}

void get_stream_attribute(Context& context, StreamHandle handle, int number, void* value) {
  const Stream& stream = context.stream(handle);
  require_valid(is_of_streams(number));
  abi::LaunchAttribute attribute = {};
  if (const auto set = stream.attributes.find(number); set != stream.attributes.end()) {
    attribute = set->second;
  } else if (number == kAttributePriority) {
    attribute.value.integer = stream.priority;
  } else if (number == kAttributeMemoryDomainMap) {
    attribute.value.bytes[1] = 1;  // the numbers of the two domains
  }
  std::memcpy(&result(static_cast<char*>(value)), &attribute.value, sizeof attribute.value);
}

void copy_stream_attributes(Context& context, StreamHandle target, StreamHandle source) {
  const Stream& from = context.stream(source);
  Stream& to = context.stream(target);
  require_valid(from.gpu == to.gpu);
  to.attributes = from.attributes;
  to.attributes.erase(kAttributePriority);
  to.window = from.window;
}

}  // namespace warpsim::cuda
