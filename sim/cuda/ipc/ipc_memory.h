// Device memory that processes share: cudaIpcGetMemHandle, cudaIpcOpenMemHandle, cudaIpcCloseMemHandle.
//
// Modelled: the bytes are the same in all processes, at addresses of each one's own; a handle opened again on a device
// gives the same address, and is closed as often; GPUs of the same number are the same GPU, so that memory of another
// one is remote. Not modelled: the time and the caches of other processes. Evidence: CUDA runtime API, "Device
// Management", cudaIpc*.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <utility>

#include "cuda/ipc/ipc_exports.h"
#include "cuda/ipc/ipc_handles.h"

namespace warpsim::cuda {

class Context;

class IpcMemory {
 public:
  // For an address in an allocation of the program; the handle is that of the whole allocation. Fails with
  // kInvalidValue for memory that is not shared in this way: managed memory, memory of pools, variables, memory of the
  // host or of another process. And with kNotSupported if the GPU cannot share memory.
  abi::IpcHandle export_memory(Context& context, const void* data);
  // For the device that the calling thread uses. Fails as memory_handle(), with kMapFailed if the memory was freed, and
  // with kPeerAccessUnsupported if it is of a GPU that the device cannot access.
  void* import_memory(Context& context, const abi::IpcHandle& handle, unsigned flags);
  // The host waits for all work when the memory goes away. Fails with kInvalidValue if it was not opened.
  void close(Context& context, const void* data);

  bool is_imported(Address begin) const { return imports_.contains(begin); }
  // An allocation is freed.
  void forget(Address begin);

 private:
  using Key = std::pair<std::uint64_t, std::uint32_t>;  // check value of the handle, GPU that has opened it
  struct Import {
    Key key;
    std::uint32_t opened = 0;  // so many times
  };

  std::unique_ptr<IpcExports> exports_;  // null: there were none
  std::map<Address, Import> imports_;
  std::map<Key, Address> opened_;
};

// Fails with kNotSupported on GPUs without memory and events of several processes.
void require_ipc(Context& context);

}  // namespace warpsim::cuda
