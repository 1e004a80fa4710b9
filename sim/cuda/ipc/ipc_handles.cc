#include "cuda/ipc/ipc_handles.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <new>
#include <string>

#include "base/process_start.h"
#include "base/random_name.h"
#include "cuda/device/error_codes.h"

namespace warpsim::cuda {

namespace {

// Distinguish handles of memory, handles of events, and other bytes.
constexpr std::uint64_t kMemoryMark = 0x7761'7270'6d65'6d31U;
constexpr std::uint64_t kEventMark = 0x7761'7270'6576'6e31U;

template <class Handle>
struct Marked {
  std::uint64_t mark = 0;
  Handle handle;
};

template <class Handle>
abi::IpcHandle packed_with(std::uint64_t mark, const Handle& handle) {
  const Marked<Handle> marked = {mark, handle};
  static_assert(sizeof marked <= sizeof(abi::IpcHandle));
  abi::IpcHandle packed = {};
  std::memcpy(packed.bytes, &marked, sizeof marked);
  return packed;
}

template <class Handle>
Handle unpacked(std::uint64_t mark, const abi::IpcHandle& packed) {
  Marked<Handle> marked;
  std::memcpy(&marked, packed.bytes, sizeof marked);
  if (marked.mark != mark) {
    throw CallError(kInvalidValue);
  }
  if (marked.handle.owner.process == getpid()) {
    throw CallError(kInvalidContext, "a handle of memory or of an event is opened in the process that has made it");
  }
  if (!is_running(marked.handle.owner)) {
    throw CallError(kMapFailed, fmt::format("a handle of memory or of an event is of process {}, which has ended",
                                            marked.handle.owner.process));
  }
  return marked.handle;
}

}  // namespace

HandleOwner this_owner() {
  return {getpid(), process_start(getpid())};
}

bool is_running(const HandleOwner& owner) {
  return owner.started != 0 && process_start(owner.process) == owner.started;
}

abi::IpcHandle packed(const MemoryHandle& handle) {
  return packed_with(kMemoryMark, handle);
}

abi::IpcHandle packed(const SharedEventHandle& handle) {
  return packed_with(kEventMark, handle);
}

MemoryHandle memory_handle(const abi::IpcHandle& handle) {
  return unpacked<MemoryHandle>(kMemoryMark, handle);
}

SharedEventHandle event_handle(const abi::IpcHandle& handle) {
  return unpacked<SharedEventHandle>(kEventMark, handle);
}

SharedPages open_pages(const HandleOwner& owner, int descriptor) {
  const std::string path = fmt::format("/proc/{}/fd/{}", owner.process, descriptor);
  const int opened = open(path.c_str(), O_RDWR | O_CLOEXEC);
  if (opened < 0) {
    throw CallError(kMapFailed, fmt::format("what process {} has shared cannot be opened: {}", owner.process,
                                            std::strerror(errno)));
  }
  try {
    return SharedPages::of_descriptor(opened);
  } catch (const std::bad_alloc&) {
    throw CallError(kMapFailed, fmt::format("what process {} has shared does not exist any more", owner.process));
  }
}

std::uint64_t random_check() {
  constexpr std::size_t kDigits = 16;
  constexpr int kBase = 16;
  const std::uint64_t number = std::stoull(random_hex(kDigits), nullptr, kBase);
  return number == 0 ? 1 : number;
}

}  // namespace warpsim::cuda
