// Events that a launch records before its kernel ends: when all blocks let dependent kernels begin
// (cudaLaunchAttributeProgrammaticEvent), or when all blocks have begun (cudaLaunchAttributeLaunchCompletionEvent).
//
// Kernels that wait for such an event begin early; everything else, and the host, waits for the end of the kernel, as
// CUDA allows. In a captured stream the event gives the edges of the nodes that wait for it their port and type.
#pragma once

#include <span>

#include "cuda/context.h"
#include "cuda/streams/launching.h"

namespace warpsim::cuda {

// Fails with kInvalidHandle for events that do not exist, and with kInvalidValue for those that take times.
void check_launch_events(Context& context, std::span<const LaunchEvent> events);
// Whether the device has to report that all blocks have begun.
bool needs_begin(std::span<const LaunchEvent> events);
// The kernel was put into the stream; `work` is null if the stream is captured.
void record_launch_events(Context& context, StreamHandle stream, std::span<const LaunchEvent> events,
                          const WorkHandle& work);

}  // namespace warpsim::cuda
