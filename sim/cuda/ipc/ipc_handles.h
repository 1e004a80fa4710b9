// The opaque handles of memory and events that processes give each other.
//
// A handle names a descriptor of the process that made it, which another process opens through /proc: nothing is left
// in the system when that process ends. A random check value tells whether what is found there is still what the
// handle was made for. Processes need the same user and the same numbers of processes.
#pragma once

#include <cstddef>
#include <cstdint>

#include "emulator/memory/shared_pages.h"

namespace warpsim::cuda {

namespace abi {

// cudaIpcMemHandle_t, cudaIpcEventHandle_t and those of the driver.
struct IpcHandle {
  std::byte bytes[64];
};

}  // namespace abi

// The process that has made a handle.
struct HandleOwner {
  std::int64_t process = 0;
  std::uint64_t started = 0;  // process_start()
};
HandleOwner this_owner();
bool is_running(const HandleOwner& owner);

// Memory: an entry in the owner's table of exports, and where the bytes are.
struct MemoryHandle {
  HandleOwner owner;
  std::uint64_t check = 0;
  std::uint64_t offset = 0;  // in the file of `pages`
  std::uint64_t bytes = 0;
  std::int32_t table = -1;  // descriptors
  std::int32_t pages = -1;
  std::uint32_t entry = 0;
  std::uint32_t gpu = 0;
};
struct SharedEventHandle {
  HandleOwner owner;
  std::uint64_t check = 0;
  std::int32_t descriptor = -1;
};

abi::IpcHandle packed(const MemoryHandle& handle);
abi::IpcHandle packed(const SharedEventHandle& handle);
// Fail with kInvalidValue if it is no such handle, with kInvalidContext if it is of the calling process, and with
// kMapFailed if its process has ended.
MemoryHandle memory_handle(const abi::IpcHandle& handle);
SharedEventHandle event_handle(const abi::IpcHandle& handle);

// The pages behind the owner's descriptor. Fails with kMapFailed.
SharedPages open_pages(const HandleOwner& owner, int descriptor);

// A random number that is not 0.
std::uint64_t random_check();

}  // namespace warpsim::cuda
