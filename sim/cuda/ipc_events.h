// Events that processes share: cudaEventInterprocess, cudaIpcGetEventHandle, cudaIpcOpenEventHandle.
//
// Modelled: whoever waits, waits for the record that was the latest when it was requested, of whichever process; it is
// done when its stream has come so far in that process. What waits does so in real time: a stream of a device with time
// as for a value in memory (memory_operations.h), the host by looking again and again; neither takes time of
// the device or the host. A record that can no longer be done, since its process has ended or failed, is an error
// of the device that waits (kLaunchFailure). Evidence: CUDA runtime API, cudaIpc*, cudaEventRecord. Refused by name:
// such events as nodes of graphs.
#pragma once

#include "cuda/context.h"
#include "cuda/ipc_handles.h"

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
