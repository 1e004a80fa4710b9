// Texture and surface references, of the toolkits up to 11.
#include <algorithm>

#include "cuda/calls.h"
#include "cuda/memory/memory_calls.h"
#include "cuda/memory/textures.h"
#include "cuda/runtime/runtime_api.h"

namespace warpsim::cuda {

namespace {

TextureReference& reference_at(Context& context, const void* host) {
  const auto found = context.texture_references().find(host);
  if (found == context.texture_references().end()) {
    throw CallError(kInvalidTexture);
  }
  return *found->second;
}

// The current content of the program's own object.
void take_modes(TextureReference& reference, const abi::TextureReference& host) {
  abi::TextureDescription& texture = reference.texture;
  std::copy(host.address_mode, host.address_mode + 3, texture.address_mode);
  texture.filter_mode = host.filter_mode;
  texture.normalized_coordinates = host.normalized_coordinates;
  texture.srgb = host.srgb;
}

}  // namespace

}  // namespace warpsim::cuda

using namespace warpsim::cuda;  // NOLINT(google-build-using-namespace): the functions have C's names

int cudaBindTexture(std::size_t* offset, const abi::TextureReference* texture, const void* data,
                    const abi::ChannelFormat* format, std::size_t bytes) {
  return runtime_call([&](Context& context) {
    TextureReference& reference = reference_at(context, texture);
    take_modes(reference, *texture);
    reference.resource = {};
    reference.resource.type = kLinearResource;
    // Without a size, the whole allocation is used.
    const PointerInfo info = pointer_info(context, data);
    const std::size_t left = info.bytes - (to_address(data) - info.begin);
    reference.resource.resource.linear = {const_cast<void*>(data), result(format), std::min(bytes, left)};
    bind(context, reference);
    if (offset != nullptr) {
      *offset = 0;
    }
  });
}

int cudaBindTexture2D(std::size_t* offset, const abi::TextureReference* texture, const void* data,
                      const abi::ChannelFormat* format, std::size_t width, std::size_t height, std::size_t pitch) {
  return runtime_call([&](Context& context) {
    TextureReference& reference = reference_at(context, texture);
    take_modes(reference, *texture);
    reference.resource = {};
    reference.resource.type = kPitchedResource;
    reference.resource.resource.pitched = {const_cast<void*>(data), result(format), width, height, pitch};
    bind(context, reference);
    if (offset != nullptr) {
      *offset = 0;
    }
  });
}

int cudaBindTextureToArray(const abi::TextureReference* texture, ArrayHandle array,
                           const abi::ChannelFormat* /*format*/) {
  return runtime_call([&](Context& context) {
    TextureReference& reference = reference_at(context, texture);
    take_modes(reference, *texture);
    reference.resource = {};
    reference.resource.type = kArrayResource;
    reference.resource.resource.array = array;
    bind(context, reference);
  });
}

int cudaUnbindTexture(const abi::TextureReference* texture) {
  return runtime_call([&](Context& context) { unbind(context, reference_at(context, texture)); });
}

int cudaGetTextureAlignmentOffset(std::size_t* offset, const abi::TextureReference* texture) {
  return runtime_call([&](Context& context) {
    reference_at(context, texture);
    result(offset) = 0;
  });
}

// The program's object is the reference.
int cudaGetTextureReference(const abi::TextureReference** texture, const void* symbol) {
  return runtime_call([&](Context& context) {
    reference_at(context, symbol);
    result(texture) = static_cast<const abi::TextureReference*>(symbol);
  });
}

int cudaBindSurfaceToArray(const void* surface, ArrayHandle array, const abi::ChannelFormat* /*format*/) {
  return runtime_call([&](Context& context) {
    TextureReference& reference = reference_at(context, surface);
    reference.resource = {};
    reference.resource.type = kArrayResource;
    reference.resource.resource.array = array;
    bind(context, reference);
  });
}

int cudaGetSurfaceReference(const void** surface, const void* symbol) {
  return runtime_call([&](Context& context) {
    reference_at(context, symbol);
    result(surface) = symbol;
  });
}
