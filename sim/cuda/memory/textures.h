// Texture and surface objects from the descriptions that programs give.
#pragma once

#include <cstdint>

#include "cuda/context.h"

namespace warpsim::cuda {

// The resource of a texture, by CUDA's number (cudaResourceType).
enum ResourceType : int { kArrayResource = 0, kMipmappedResource = 1, kLinearResource = 2, kPitchedResource = 3 };

// The driver's formats of texels.
abi::ChannelFormat format_of(int driver_format, unsigned channels);  // fails with kInvalidValue
int driver_format_of(const abi::ChannelFormat& format);
unsigned channels_of(const abi::ChannelFormat& format);

// Fail with kInvalidValue for descriptions that contradict themselves, with kNotSupported for other kinds.
std::uint64_t create_texture(Context& context, const abi::ResourceDescription& resource,
                             const abi::TextureDescription& texture);
std::uint64_t create_surface(Context& context, const abi::ResourceDescription& resource);

// Gives the variable an object for the reference's current resource and modes; the previous one is destroyed.
void bind(Context& context, TextureReference& reference);
// Removes the binding of the variable.
void unbind(Context& context, TextureReference& reference);

// From the driver's structures.
abi::ResourceDescription translate(const abi::DriverResourceDescription& resource);
abi::TextureDescription translate(const abi::DriverTextureDescription& texture);

}  // namespace warpsim::cuda
