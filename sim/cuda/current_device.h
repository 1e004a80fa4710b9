// Which GPU a thread of the program uses: that of the driver's context on top of the thread's stack, or of
// cudaSetDevice(). All contexts of a GPU are its primary context.
//
// Evidence: CUDA driver API, "Context Management": a stack of contexts for each thread; CUDA runtime API,
// cudaSetDevice: makes the primary context current.
#pragma once

#include <cstdint>
#include <optional>

namespace warpsim::cuda {

// 0 in a thread that has chosen none.
std::uint32_t current_device();
// Replaces the thread's current context, if it has one.
void use_device(std::uint32_t device);
void push_context(std::uint32_t device);
// As calls of the runtime do: the primary context of the first device becomes current in a thread without one.
void enter_primary_context();
// Returns the device of the context that was current; none: there was none.
std::optional<std::uint32_t> pop_context();
std::optional<std::uint32_t> current_context();
// The thread as it was at its start.
void forget_devices();

}  // namespace warpsim::cuda
