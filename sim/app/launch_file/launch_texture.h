// Textures of a launch file.
#pragma once

#include "app/launch_file/launch_file.h"
#include "app/launch_file/launch_map.h"

namespace warpsim {

LaunchTexture read_launch_texture(const ConfigNode& node, ConfigProblems& problems);

// A buffer's type is that of the texture's channels; reports types that textures cannot have.
void set_texture_type(LaunchTexture& texture, ElementType type, ConfigProblems& problems);

// Bytes of the buffer that the texture reads.
std::uint64_t bytes_of(const cuda::TextureDescription& texture);

}  // namespace warpsim
