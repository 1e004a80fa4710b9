// The functions of runtime and driver for memory and events that processes share.
#include "cuda/calls.h"
#include "cuda/ipc/ipc_api.h"
#include "cuda/ipc/ipc_events.h"
#include "cuda/ipc/ipc_memory.h"
#include "cuda/memory/memory_calls.h"

using namespace warpsim::cuda;  // NOLINT(google-build-using-namespace): the functions have C's names

int cudaIpcGetMemHandle(abi::IpcHandle* handle, void* data) {
  return runtime_call([&](Context& context) { result(handle) = context.ipc_memory().export_memory(context, data); });
}

int cudaIpcOpenMemHandle(void** data, abi::IpcHandle handle, unsigned flags) {
  return runtime_call(
      [&](Context& context) { result(data) = context.ipc_memory().import_memory(context, handle, flags); });
}

int cudaIpcCloseMemHandle(void* data) {
  return runtime_call([&](Context& context) { context.ipc_memory().close(context, data); });
}

int cudaIpcGetEventHandle(abi::IpcHandle* handle, EventHandle event) {
  return runtime_call([&](Context& context) { result(handle) = export_event(context, event); });
}

int cudaIpcOpenEventHandle(EventHandle* event, abi::IpcHandle handle) {
  return runtime_call([&](Context& context) { result(event) = import_event(context, handle); });
}

int cuIpcGetMemHandle(abi::IpcHandle* handle, std::uint64_t data) {
  return driver_call(
      [&](Context& context) { result(handle) = context.ipc_memory().export_memory(context, to_pointer(data)); });
}

int cuIpcOpenMemHandle(std::uint64_t* data, abi::IpcHandle handle, unsigned flags) {
  return cuIpcOpenMemHandle_v2(data, handle, flags);
}

int cuIpcOpenMemHandle_v2(std::uint64_t* data, abi::IpcHandle handle, unsigned flags) {
  return driver_call(
      [&](Context& context) { result(data) = to_address(context.ipc_memory().import_memory(context, handle, flags)); });
}

int cuIpcCloseMemHandle(std::uint64_t data) {
  return context_call([&](Context& context) { context.ipc_memory().close(context, to_pointer(data)); });
}

int cuIpcGetEventHandle(abi::IpcHandle* handle, EventHandle event) {
  return driver_call([&](Context& context) { result(handle) = export_event(context, event); });
}

int cuIpcOpenEventHandle(EventHandle* event, abi::IpcHandle handle) {
  return driver_call([&](Context& context) { result(event) = import_event(context, handle); });
}
