// Events that processes share: cudaEventInterprocess, cudaIpcGetEventHandle, cudaIpcOpenEventHandle.
//
// Modelled: a wait is for the record that was the latest when it was requested, of any process; it is done when its
// stream has come so far in that process. Waits take real time: a stream of a device with time waits as for a value in
// memory (memory_operations.h), the host looks again and again; neither takes time of the device or the host. A record
// that can no longer be done, since its process has ended or failed, is an error of the device that waits
// (kLaunchFailure). Refused by name: such events as nodes of graphs. Evidence: CUDA runtime API, cudaIpc*,
// cudaEventRecord.
#pragma once

#include "cuda/context.h"
#include "cuda/ipc/ipc_handles.h"

namespace warpsim::cuda {

// Fails with kInvalidValue for flags that do not exist, and for interprocess events that take times.
EventHandle create_event(Context& context, unsigned flags);
// Fails with kInvalidHandle if it is no interprocess event of this process.
abi::IpcHandle export_event(Context& context, EventHandle event);
// For the device that the calling thread uses. Fails as event_handle().
EventHandle import_event(Context& context, const abi::IpcHandle& handle);

// Of events with Event::shared, as the functions of stream_calls.h without captures.
void record_shared(Context& context, Event& event, StreamHandle stream);
void wait_for_shared(Context& context, StreamHandle stream, const Event& event);
void synchronize_shared(Context& context, const Event& event);
bool ask_shared(Context& context, const Event& event);

}  // namespace warpsim::cuda
