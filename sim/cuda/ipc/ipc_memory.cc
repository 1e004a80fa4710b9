#include "cuda/ipc/ipc_memory.h"

#include <fmt/format.h>

#include "cuda/context.h"
#include "cuda/device/device_properties.h"
#include "cuda/device_calls.h"
#include "cuda/graphs/capture.h"
#include "cuda/graphs/graph_memory.h"
#include "cuda/graphs/graph_state.h"
#include "cuda/memory/memory_calls.h"

namespace warpsim::cuda {

namespace {

using ExportedPages = DeviceMemory::ExportedPages;

constexpr unsigned kLazyPeerAccess = 1;
constexpr int kIpcSupport = 125;  // cudaDevAttrIpcEventSupport

const char* why_not_exported(Context& context, const DeviceMemory::Allocation* allocation) {
  if (allocation == nullptr) {
    return "the address is in no allocation";
  }
  if (allocation->registered) {
    return "it is memory of the host";
  }
  if (context.managed_memory().contains(allocation->begin) || allocation->managed) {
    return "it is managed memory";
  }
  if (!allocation->name.empty()) {
    return "it is a variable";
  }
  if (allocation->pooled || context.graphs().memory->find(allocation->begin) != nullptr) {
    return "it is memory of a pool";
  }
  if (allocation->mapped) {
    return "it was mapped with cuMemMap";
  }
  if (allocation->sharing == AddressSpace::Sharing::kImported) {
    return "it is memory of another process";
  }
  return nullptr;
}

}  // namespace

void require_ipc(Context& context) {
  if (device_attribute(context.device(), kIpcSupport) == 0) {
    throw CallError(kNotSupported, "memory and events of several processes need compute capability 2.0");
  }
}

abi::IpcHandle IpcMemory::export_memory(Context& context, const void* data) {
  require_ipc(context);
  const DeviceMemory::Allocation* const allocation = context.device().memory().find(to_address(data));
  if (const char* const reason = why_not_exported(context, allocation)) {
    throw CallError(kInvalidValue, fmt::format("a handle for other processes of memory at {:#x} is not possible: {}",
                                               to_address(data), reason));
  }
  if (exports_ == nullptr) {
    exports_ = std::make_unique<IpcExports>();
  }
  const Address begin = allocation->begin;
  const std::uint32_t gpu = allocation->gpu;
  const ExportedPages pages = context.device(gpu).memory().export_allocation(begin);
  const IpcExports::Entry entry = exports_->add(begin);
  context.note_other_processes();
  return packed(MemoryHandle{.owner = this_owner(),
                             .check = entry.check,
                             .offset = pages.offset,
                             .bytes = pages.bytes,
                             .table = exports_->descriptor(),
                             .pages = pages.descriptor,
                             .entry = entry.number,
                             .gpu = gpu});
}

void* IpcMemory::import_memory(Context& context, const abi::IpcHandle& packed_handle, unsigned flags) {
  require_ipc(context);
  if (flags != kLazyPeerAccess) {
    throw CallError(kInvalidValue);
  }
  const MemoryHandle handle = memory_handle(packed_handle);
  const std::uint32_t own = context.device().number();
  const Key key = {handle.check, own};
  if (const auto known = opened_.find(key); known != opened_.end()) {
    ++imports_.at(known->second).opened;
    return to_pointer(known->second);
  }
  if (handle.gpu >= context.device_count()) {
    throw CallError(kInvalidDevice, fmt::format("memory of GPU {} of another process is opened, which this program "
                                                "does not have",
                                                handle.gpu));
  }
  if (handle.gpu != own && !has_peer_access(context, own, handle.gpu)) {
    throw CallError(kPeerAccessUnsupported);
  }
  if (IpcExports::check_of(open_pages(handle.owner, handle.table), handle.entry) != handle.check) {
    throw CallError(kMapFailed, "memory that another process has shared does not exist any more");
  }
  const SharedPages pages = open_pages(handle.owner, handle.pages);
  if (handle.offset > pages.bytes() || handle.bytes > pages.bytes() - handle.offset) {
    throw CallError(kInvalidValue);
  }
  DeviceMemory& memory = context.device(handle.gpu).memory();
  const Address begin = memory.import_allocation(pages, handle.offset, handle.bytes);
  if (begin == 0) {
    throw CallError(kOutOfMemory);
  }
  memory.open_allocation(begin, own, true);
  context.note_other_processes();
  imports_[begin] = {key, 1};
  opened_[key] = begin;
  return to_pointer(begin);
}

void IpcMemory::close(Context& context, const void* data) {
  const auto found = imports_.find(to_address(data));
  if (found == imports_.end()) {
    throw CallError(kInvalidValue, fmt::format("memory at {:#x} is closed that was not opened as memory of another "
                                               "process",
                                               to_address(data)));
  }
  if (--found->second.opened != 0) {
    return;
  }
  forbid_unsafe(context);
  context.finish_work();
  context.check_device();
  opened_.erase(found->second.key);
  context.device().memory().release(found->first);
  imports_.erase(found);
}

void IpcMemory::forget(Address begin) {
  if (exports_ != nullptr) {
    exports_->remove(begin);
  }
}

}  // namespace warpsim::cuda
