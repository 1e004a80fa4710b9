// Functions that compilers call from constructors and stubs: code, kernels and variables of the program.
#include <algorithm>
#include <vector>

#include "cuda/calls.h"
#include "cuda/modules/code_images.h"
#include "cuda/runtime/runtime_api.h"
#include "cuda/streams/launching.h"

namespace warpsim::cuda {

namespace {

// Between `<<<...>>>` and the stub that it calls.
std::vector<LaunchRequest>& configurations() {
  static thread_local std::vector<LaunchRequest> stack;
  return stack;
}

Module* module_of(void** handle) {
  return reinterpret_cast<Module*>(handle);
}

}  // namespace

}  // namespace warpsim::cuda

using namespace warpsim::cuda;  // NOLINT(google-build-using-namespace): the functions have C's names

void** __cudaRegisterFatBinary(void* wrapper) {
  Module* module = nullptr;
  runtime_call(
      [&](Context& context) {
        module = &context.add_module(embedded_module(static_cast<const abi::FatBinaryWrapper*>(wrapper)));
      },
      StickyErrors::kIgnore);
  return reinterpret_cast<void**>(module);
}

void __cudaRegisterFatBinaryEnd(void** /*module*/) {}

void __cudaUnregisterFatBinary(void** module) {
  runtime_call(
      [&](Context& context) {
        if (context.is_module(module_of(module))) {
          context.remove_module(*module_of(module));
        }
      },
      StickyErrors::kIgnore);
}

void __cudaRegisterFunction(void** module, const char* stub, char* /*function*/, const char* name, int /*thread_limit*/,
                            void* /*thread*/, void* /*block*/, void* /*block_size*/, void* /*grid_size*/,
                            int* /*warp_size*/) {
  runtime_call(
      [&](Context& context) { context.register_kernel(stub, context.kernel(result(module_of(module)), name)); },
      StickyErrors::kIgnore);
}

void __cudaRegisterVar(void** module, char* host, char* /*address*/, const char* name, int /*external*/,
                       std::size_t /*bytes*/, int /*constant*/, int /*global*/) {
  runtime_call(
      [&](Context& context) {
        context.register_symbol(host, {module_of(module), name, nullptr});
      },
      StickyErrors::kIgnore);
}

void __cudaRegisterManagedVar(void** module, void** host, char* /*address*/, const char* name, int /*external*/,
                              std::size_t /*bytes*/, int /*constant*/, int /*global*/) {
  runtime_call(
      [&](Context& context) {
        context.register_symbol(host, {module_of(module), name, host});
      },
      StickyErrors::kIgnore);
}

void __cudaRegisterHostVar(void** /*module*/, const char* /*name*/, char* /*host*/, std::size_t /*bytes*/) {}

void __cudaRegisterTexture(void** module, const void* host, const void** /*address*/, const char* name,
                           int /*dimensions*/, int normalized, int /*external*/) {
  runtime_call(
      [&](Context& context) {
        auto reference = std::make_unique<TextureReference>();
        reference->module = &result(module_of(module));
        reference->name = name;
        reference->texture.read_mode = normalized;
        context.texture_references()[host] = std::move(reference);
      },
      StickyErrors::kIgnore);
}

void __cudaRegisterSurface(void** module, const void* host, const void** /*address*/, const char* name,
                           int /*dimensions*/, int /*external*/) {
  runtime_call(
      [&](Context& context) {
        auto reference = std::make_unique<TextureReference>();
        reference->module = &result(module_of(module));
        reference->name = name;
        reference->of_surface = true;
        context.texture_references()[host] = std::move(reference);
      },
      StickyErrors::kIgnore);
}

char __cudaInitModule(void** module) {
  const int code = runtime_call([&](Context& context) { context.bind_managed(result(module_of(module))); });
  return code == kSuccess ? 1 : 0;
}

unsigned __cudaPushCallConfiguration(abi::Dim3 grid, abi::Dim3 block, std::size_t shared_bytes, StreamHandle stream) {
  LaunchRequest request;
  request.grid = grid;
  request.block = block;
  request.dynamic_shared_bytes = shared_bytes;
  request.stream = stream;
  configurations().push_back(request);
  return 0;
}

int __cudaPopCallConfiguration(abi::Dim3* grid, abi::Dim3* block, std::size_t* shared_bytes, void* stream) {
  return runtime_call(
      [&](Context&) {
        if (configurations().empty()) {
          throw CallError(kMissingConfiguration);
        }
        const LaunchRequest request = configurations().back();
        configurations().pop_back();
        *grid = request.grid;
        *block = request.block;
        *shared_bytes = request.dynamic_shared_bytes;
        *static_cast<StreamHandle*>(stream) = request.stream;
      },
      StickyErrors::kIgnore);
}

int __cudaGetKernel(KernelHandle* kernel, const void* stub) {
  return runtime_call([&](Context& context) { result(kernel) = &context.kernel_of(stub); }, StickyErrors::kIgnore);
}

int __cudaLaunchKernel(KernelHandle kernel, abi::Dim3 grid, abi::Dim3 block, void** arguments, std::size_t shared_bytes,
                       StreamHandle stream) {
  return cudaLaunchKernel(kernel, grid, block, arguments, shared_bytes, stream);
}
