// Why the host may not copy, fill or free at an address: for messages, and as CUDA's error.
#pragma once

#include <cstddef>
#include <string>

#include "cuda/context.h"

namespace warpsim::cuda {

std::string why_not(const DeviceMemory& memory, Address address, std::size_t bytes);
// Fails with kInvalidValue if no allocation begins there that the program has made with cudaMalloc or the like.
void require_own(Context& context, const void* data);

}  // namespace warpsim::cuda
