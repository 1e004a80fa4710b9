// Attributes of streams, and the access policy window of launches: which lines L2 keeps
// (memory/access/access_window.h).
#pragma once

#include "cuda/context.h"
#include "memory/access/access_window.h"

namespace warpsim::cuda {

// Fails with kInvalidValue for what CUDA refuses: a window larger than the GPU's largest, a ratio beyond 0 to 1,
// persisting misses.
warpsim::AccessWindow access_window(const Device& device, const abi::AccessWindow& window);
// The same as the program would state it.
abi::AccessWindow program_window(const warpsim::AccessWindow& window);

// By the numbers of launch_attributes.h. `value` has the size of an attribute's value.
void set_stream_attribute(Context& context, StreamHandle stream, int number, const void* value);
void get_stream_attribute(Context& context, StreamHandle stream, int number, void* value);
void copy_stream_attributes(Context& context, StreamHandle target, StreamHandle source);

}  // namespace warpsim::cuda
