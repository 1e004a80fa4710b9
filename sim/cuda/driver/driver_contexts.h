// Handles of the driver's contexts.
#pragma once

#include <cstdint>

#include "cuda/context.h"

namespace warpsim::cuda {

// Fails with kInvalidContext if it is no context.
std::uint32_t gpu_of_context(Context& context, const void* handle);
// Null: of the thread's current context, if it has one.
std::uint32_t gpu_of_context_or_current(Context& context, const void* handle);

}  // namespace warpsim::cuda
