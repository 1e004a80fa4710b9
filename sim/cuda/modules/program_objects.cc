#include "cuda/modules/program_objects.h"

#include <algorithm>

#include "cuda/current_device.h"
#include "cuda/device/device_properties.h"
#include "cuda/device/error_codes.h"
#include "cuda/streams/null_stream.h"

namespace warpsim::cuda {

namespace {

constexpr unsigned kNonBlocking = 1;

std::uint64_t this_thread() {
  static std::uint64_t threads = 0;  // calls are serialised
  thread_local std::uint64_t number = 0;
  number = number == 0 ? ++threads : number;
  return number;
}

template <class Handles, class Handle>
auto& existing(Handles& all, Handle handle) {
  const auto found = all.find(handle);
  if (found == all.end()) {
    throw CallError(kInvalidHandle);
  }
  return *found->second;
}

}  // namespace

StreamHandle ProgramObjects::create_stream(Device& device, unsigned flags, int priority) {
  priority = std::clamp(priority, first_priority(device.config()), 0);
  auto made = std::make_unique<Stream>(Stream{device.number(), flags, priority, next_stream_++});
  const StreamHandle handle = made.get();
  device.queue().open_stream(made->number, {(flags & kNonBlocking) == 0, priority});
  streams_[handle] = std::move(made);
  return handle;
}

std::unique_ptr<Stream> ProgramObjects::remove_stream(StreamHandle stream) {
  existing(streams_, stream);
  return std::move(streams_.extract(stream).mapped());
}

Stream& ProgramObjects::stream(StreamHandle stream) {
  const auto value = reinterpret_cast<std::uintptr_t>(stream);
  const std::uint32_t gpu = current_device();
  const bool own_stream = value == kThreadStream || (value == 0 && null_stream_is_own());
  if (value <= kLegacyStream && !own_stream) {
    return default_streams_.try_emplace(gpu, Stream{.gpu = gpu}).first->second;
  }
  if (own_stream) {
    std::unique_ptr<Stream>& own = thread_streams_[{this_thread(), gpu}];
    if (own == nullptr) {
      own = std::make_unique<Stream>(Stream{gpu, 0, 0, next_stream_++});
    }
    return *own;
  }
  return existing(streams_, stream);
}

EventHandle ProgramObjects::create_event(const Device& device, unsigned flags) {
  auto made = std::make_unique<Event>();
  made->gpu = device.number();
  made->flags = flags;
  const EventHandle handle = made.get();
  events_[handle] = std::move(made);
  return handle;
}

void ProgramObjects::destroy_event(EventHandle event) {
  existing(events_, event);
  events_.erase(event);
}

Event& ProgramObjects::event(EventHandle event) {
  return existing(events_, event);
}

ArrayHandle ProgramObjects::add_array(const Array& array) {
  auto made = std::make_unique<Array>(array);
  const ArrayHandle handle = made.get();
  arrays_[handle] = std::move(made);
  return handle;
}

Array& ProgramObjects::array(ArrayHandle array) {
  return existing(arrays_, array);
}

}  // namespace warpsim::cuda
