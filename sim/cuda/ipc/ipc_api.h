// The functions of runtime and driver for memory and events that processes share.
#pragma once

#include <cstdint>

#include "cuda/abi/abi.h"
#include "cuda/ipc/ipc_handles.h"

#pragma GCC visibility push(default)
// NOLINTBEGIN(readability-identifier-naming): the names are CUDA's
extern "C" {
int cudaIpcGetMemHandle(warpsim::cuda::abi::IpcHandle* handle, void* data);
int cudaIpcOpenMemHandle(void** data, warpsim::cuda::abi::IpcHandle handle, unsigned flags);
int cudaIpcCloseMemHandle(void* data);
int cudaIpcGetEventHandle(warpsim::cuda::abi::IpcHandle* handle, warpsim::cuda::EventHandle event);
int cudaIpcOpenEventHandle(warpsim::cuda::EventHandle* event, warpsim::cuda::abi::IpcHandle handle);
int cuIpcGetMemHandle(warpsim::cuda::abi::IpcHandle* handle, std::uint64_t data);
int cuIpcOpenMemHandle(std::uint64_t* data, warpsim::cuda::abi::IpcHandle handle, unsigned flags);
int cuIpcOpenMemHandle_v2(std::uint64_t* data, warpsim::cuda::abi::IpcHandle handle, unsigned flags);
int cuIpcCloseMemHandle(std::uint64_t data);
int cuIpcGetEventHandle(warpsim::cuda::abi::IpcHandle* handle, warpsim::cuda::EventHandle event);
int cuIpcOpenEventHandle(warpsim::cuda::EventHandle* event, warpsim::cuda::abi::IpcHandle handle);
}
// NOLINTEND(readability-identifier-naming)
#pragma GCC visibility pop
