// The driver's texture and surface references: variables of modules, and their bindings.
#include <algorithm>

#include "cuda/calls.h"
#include "cuda/driver/driver_api.h"
#include "cuda/memory/memory_calls.h"
#include "cuda/memory/textures.h"
#include "cuda/modules/code_images.h"

namespace warpsim::cuda {

namespace {

enum Flags : unsigned { kReadAsInteger = 0x01, kNormalizedCoordinates = 0x02, kSrgb = 0x10 };

TextureReference& reference_of(Context& context, const void* handle) {
  const auto found = context.texture_references().find(handle);
  if (found == context.texture_references().end()) {
    throw CallError(kInvalidHandle);
  }
  return *found->second;
}

int find_reference(void** handle, ModuleHandle module, const char* name, bool of_surface) {
  return driver_call([&](Context& context) {
    Module& owner = known_module(context, module);
    context.variable(owner, &result(name));  // fails if there is none
    for (const auto& [known, reference] : context.texture_references()) {
      if (reference->module == module && reference->name == name) {
        result(handle) = const_cast<void*>(known);
        return;
      }
    }
    auto made = std::make_unique<TextureReference>();
    made->module = module;
    made->name = name;
    made->of_surface = of_surface;
    made->texture.read_mode = 1;
    result(handle) = made.get();
    context.texture_references()[made.get()] = std::move(made);
  });
}

// Sets a property of a reference; its binding is renewed.
template <class Set>
int change(void* handle, Set&& set) {
  return driver_call([&](Context& context) {
    TextureReference& reference = reference_of(context, handle);
    set(context, reference);
    if (reference.object != 0) {
      bind(context, reference);
    }
  });
}

void set_array(TextureReference& reference, ArrayHandle array) {
  reference.resource = {};
  reference.resource.type = kArrayResource;
  reference.resource.resource.array = array;
}

}  // namespace

}  // namespace warpsim::cuda

using namespace warpsim::cuda;  // NOLINT(google-build-using-namespace): the functions have C's names

int cuModuleGetTexRef(void** texture, ModuleHandle module, const char* name) {
  return find_reference(texture, module, name, false);
}

int cuModuleGetSurfRef(void** surface, ModuleHandle module, const char* name) {
  return find_reference(surface, module, name, true);
}

int cuTexRefSetFormat(void* texture, int format, int channels) {
  return change(texture, [&](Context&, TextureReference& reference) {
    reference.format = format_of(format, static_cast<unsigned>(channels));
    reference.resource.resource.linear.format =
        reference.resource.type == kLinearResource ? reference.format : reference.resource.resource.linear.format;
  });
}

int cuTexRefSetAddressMode(void* texture, int dimension, int mode) {
  return change(texture, [&](Context&, TextureReference& reference) {
    if (dimension < 0 || dimension > 2) {
      throw CallError(kInvalidValue);
    }
    reference.texture.address_mode[dimension] = mode;
  });
}

int cuTexRefSetFilterMode(void* texture, int mode) {
  return change(texture, [&](Context&, TextureReference& reference) { reference.texture.filter_mode = mode; });
}

int cuTexRefSetFlags(void* texture, unsigned flags) {
  return change(texture, [&](Context&, TextureReference& reference) {
    reference.texture.read_mode = (flags & kReadAsInteger) != 0 ? 0 : 1;
    reference.texture.normalized_coordinates = (flags & kNormalizedCoordinates) != 0 ? 1 : 0;
    reference.texture.srgb = (flags & kSrgb) != 0 ? 1 : 0;
  });
}

int cuTexRefSetBorderColor(void* texture, const float* color) {
  return change(texture, [&](Context&, TextureReference& reference) {
    std::copy_n(&result(color), 4, reference.texture.border);
  });
}

int cuTexRefSetArray(void* texture, ArrayHandle array, unsigned /*flags*/) {
  return driver_call([&](Context& context) {
    TextureReference& reference = reference_of(context, texture);
    set_array(reference, array);
    bind(context, reference);
  });
}

int cuTexRefSetAddress_v2(std::size_t* offset, void* texture, std::uint64_t data, std::size_t bytes) {
  return driver_call([&](Context& context) {
    TextureReference& reference = reference_of(context, texture);
    reference.resource = {};
    reference.resource.type = kLinearResource;
    reference.resource.resource.linear = {to_pointer(data), reference.format, bytes};
    bind(context, reference);
    if (offset != nullptr) {
      *offset = 0;
    }
  });
}

int cuTexRefSetAddress2D_v3(void* texture, const cuda_abi::ArrayDescriptor* descriptor, std::uint64_t data,
                            std::size_t pitch) {
  return driver_call([&](Context& context) {
    TextureReference& reference = reference_of(context, texture);
    const abi::ArrayDescriptor& d = result(descriptor);
    reference.resource = {};
    reference.resource.type = kPitchedResource;
    reference.resource.resource.pitched = {to_pointer(data), format_of(d.format, d.channels), d.width, d.height, pitch};
    bind(context, reference);
  });
}

int cuSurfRefSetArray(void* surface, ArrayHandle array, unsigned /*flags*/) {
  return cuTexRefSetArray(surface, array, 0);
}
