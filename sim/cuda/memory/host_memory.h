// Memory of the host that kernels may access: pinned by CUDA, or the program's own that it registers.
#pragma once

#include <cstddef>
#include <utility>

#include "cuda/context.h"

namespace warpsim::cuda {

// Memory of a pool: `open_to` as of DeviceMemory. Returns null if there is none.
void* map_host_pages(Context& context, std::size_t bytes, std::uint32_t open_to);
void unmap_host_pages(Context& context, Address begin, std::size_t bytes);

void* allocate_host(Context& context, std::size_t bytes, unsigned flags);
void release_host(Context& context, void* data);
void register_host(Context& context, void* data, std::size_t bytes, unsigned flags);
void unregister_host(Context& context, void* data);
// The block of pinned memory that contains the byte; fails with kInvalidValue.
const std::pair<const std::uint64_t, Context::HostMemory>& host_block(Context& context, const void* data);

}  // namespace warpsim::cuda
