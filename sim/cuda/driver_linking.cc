// The driver's linker: PTX and fat binaries become one image, which the program loads as a module.

#include "base/input_file.h"
#include "cuda/calls.h"
#include "cuda/code_images.h"
#include "cuda/driver_api.h"

namespace warpsim::cuda {

namespace {

enum InputType : int { kPtxInput = 1, kFatBinaryInput = 2 };

LinkState& state_of(Context& context, const void* handle) {
  const auto found = context.links().find(handle);
  if (found == context.links().end()) {
    throw CallError(kInvalidHandle);
  }
  return *found->second;
}

void add(Context& context, LinkState& state, int type, std::string data) {
  if (type == kFatBinaryInput) {
    const std::vector<FatBinaryEntry> entries = read_fat_binary(std::as_bytes(std::span(data)));
    state.texts.push_back(ptx_text(choose_ptx(entries, context.capability(), false)));
    return;
  }
  if (type != kPtxInput) {
    throw CallError(kNoBinaryForGpu, "only PTX is linked, not machine code");
  }
  data.resize(std::min(data.find('\0'), data.size()));
  state.texts.push_back(std::move(data));
}

}  // namespace

}  // namespace warpsim::cuda

using namespace warpsim::cuda;  // NOLINT(google-build-using-namespace): the functions have C's names

int cuLinkCreate_v2(unsigned /*count*/, int* /*options*/, void** /*values*/, void** state) {
  return driver_call([&](Context& context) {
    auto made = std::make_unique<LinkState>();
    result(state) = made.get();
    context.links()[made.get()] = std::move(made);
  });
}

int cuLinkAddData_v2(void* state, int type, const void* data, std::size_t bytes, const char* /*name*/,
                     unsigned /*count*/, int* /*options*/, void** /*values*/) {
  return driver_call([&](Context& context) {
    const auto* const begin = &result(static_cast<const char*>(data));
    add(context, state_of(context, state), type, {begin, bytes});
  });
}

int cuLinkAddFile_v2(void* state, int type, const char* path, unsigned /*count*/, int* /*options*/, void** /*values*/) {
  return driver_call([&](Context& context) {
    std::string text;
    std::string fault;
    if (!warpsim::read_input(&result(path), warpsim::kInputLimitBytes, text, fault)) {
      throw CallError(kFileNotFound);
    }
    add(context, state_of(context, state), type, text);
  });
}

int cuLinkComplete(void* state, void** image, std::size_t* bytes) {
  return driver_call([&](Context& context) {
    LinkState& link = state_of(context, state);
    if (link.texts.empty()) {
      throw CallError(kInvalidValue);
    }
    link.image = linked_image(link.texts);
    // Errors in the code are reported here, as by a linker.
    const std::unique_ptr<Module> module = module_of_image(link.image.data());
    context.load(*module);
    context.device().unload_module(module->id);
    result(image) = link.image.data();
    if (bytes != nullptr) {
      *bytes = link.image.size();
    }
  });
}

int cuLinkDestroy(void* state) {
  return driver_call([&](Context& context) {
    state_of(context, state);
    context.links().erase(state);
  });
}
