// The runtime's launches and queries about kernels.
#include "cuda/calls.h"
#include "cuda/memory/memory_calls.h"
#include "cuda/modules/code_images.h"
#include "cuda/runtime/runtime_api.h"
#include "cuda/streams/launching.h"
#include "cuda/streams/stream_calls.h"

namespace warpsim::cuda {

namespace {

LaunchRequest request_of(const abi::LaunchConfig& config) {
  LaunchRequest request;
  request.grid = config.grid;
  request.block = config.block;
  request.dynamic_shared_bytes = config.dynamic_shared_bytes;
  request.stream = config.stream;
  if (config.attributes != nullptr) {
    read_attributes(request, {config.attributes, config.attribute_count});
  }
  return request;
}

int library_variable(void** data, std::size_t* bytes, ModuleHandle library, const char* name) {
  return runtime_call([&](Context& context) {
    const VariableInfo& variable = context.variable(known_module(context, library), name);
    if (data != nullptr) {
      *data = to_pointer(variable.address);
    }
    if (bytes != nullptr) {
      *bytes = variable.bytes;
    }
  });
}

}  // namespace

}  // namespace warpsim::cuda

using namespace warpsim::cuda;  // NOLINT(google-build-using-namespace): the functions have C's names

int cudaLaunchKernel(const void* function, abi::Dim3 grid, abi::Dim3 block, void** arguments, std::size_t shared_bytes,
                     StreamHandle stream) {
  return runtime_call([&](Context& context) {
    LaunchRequest request;
    request.grid = grid;
    request.block = block;
    request.dynamic_shared_bytes = shared_bytes;
    request.stream = stream;
    request.arguments = arguments;
    launch(context, context.kernel_of(function), request);
  });
}

int cudaLaunchCooperativeKernel(const void* function, abi::Dim3 grid, abi::Dim3 block, void** arguments,
                                std::size_t shared_bytes, StreamHandle stream) {
  return runtime_call([&](Context& context) {
    LaunchRequest request;
    request.grid = grid;
    request.block = block;
    request.dynamic_shared_bytes = shared_bytes;
    request.stream = stream;
    request.arguments = arguments;
    request.cooperative = true;
    launch(context, context.kernel_of(function), request);
  });
}

int cudaLaunchKernelExC(const abi::LaunchConfig* config, const void* function, void** arguments) {
  return runtime_call([&](Context& context) {
    LaunchRequest request = request_of(result(config));
    request.arguments = arguments;
    launch(context, context.kernel_of(function), request);
  });
}

int cudaLaunchHostFunc(StreamHandle stream, CudaHostFunction function, void* data) {
  return runtime_call([&](Context& context) { call_host(context, stream, function, data); });
}

int cudaFuncGetAttributes(abi::FunctionAttributes* attributes, const void* function) {
  return runtime_call(
      [&](Context& context) { result(attributes) = function_attributes(context, context.kernel_of(function)); });
}

int warpsimFuncGetAttributes11(void* attributes, const void* function) {
  return runtime_call([&](Context& context) {
    constexpr std::size_t kBytes = offsetof(abi::FunctionAttributes, cluster_must_be_set);
    const abi::FunctionAttributes all = function_attributes(context, context.kernel_of(function));
    const auto* const begin = reinterpret_cast<const std::byte*>(&all);
    std::copy(begin, begin + kBytes, &result(static_cast<std::byte*>(attributes)));
  });
}

int cudaFuncSetAttribute(const void* function, int attribute, int value) {
  return runtime_call(
      [&](Context& context) { set_function_attribute(context, context.kernel_of(function), attribute, value); });
}

int cudaKernelSetAttributeForDevice(KernelHandle kernel, int attribute, int value, int /*device*/) {
  return cudaFuncSetAttribute(kernel, attribute, value);
}

// Preferences between L1 and shared memory, and of the width of banks: hints that the simulated device does not need.
int cudaFuncSetCacheConfig(const void* function, int /*config*/) {
  return runtime_call([&](Context& context) { context.kernel_of(function); });
}

int cudaFuncSetSharedMemConfig(const void* function, int /*config*/) {
  return runtime_call([&](Context& context) { context.kernel_of(function); });
}

int cudaFuncGetName(const char** name, const void* function) {
  return runtime_call([&](Context& context) { result(name) = context.kernel_of(function).name.c_str(); });
}

int cudaFuncGetParamInfo(const void* function, std::size_t index, std::size_t* offset, std::size_t* bytes) {
  return runtime_call(
      [&](Context& context) { give_parameter(context, context.kernel_of(function), index, &result(offset), bytes); });
}

int cudaGetFuncBySymbol(KernelHandle* kernel, const void* stub) {
  return runtime_call([&](Context& context) { result(kernel) = &context.kernel_of(stub); });
}

int cudaGetKernel(KernelHandle* kernel, const void* stub) {
  return cudaGetFuncBySymbol(kernel, stub);
}

int cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* function, int block_threads,
                                                  std::size_t shared_bytes) {
  return runtime_call([&](Context& context) {
    result(blocks) = active_blocks(context, context.kernel_of(function), block_threads, shared_bytes);
  });
}

int cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* function, int block_threads,
                                                           std::size_t shared_bytes, unsigned /*flags*/) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function, block_threads, shared_bytes);
}

int cudaOccupancyAvailableDynamicSMemPerBlock(std::size_t* bytes, const void* function, int blocks, int block_threads) {
  return runtime_call([&](Context& context) {
    result(bytes) = available_shared(context, context.kernel_of(function), blocks, block_threads);
  });
}

int cudaOccupancyMaxPotentialClusterSize(int* blocks, const void* function, const abi::LaunchConfig* config) {
  return runtime_call([&](Context& context) {
    result(blocks) = largest_cluster(context, context.kernel_of(function), request_of(result(config)));
  });
}

int cudaOccupancyMaxActiveClusters(int* clusters, const void* function, const abi::LaunchConfig* config) {
  return runtime_call([&](Context& context) {
    result(clusters) = active_clusters(context, context.kernel_of(function), request_of(result(config)));
  });
}

int cudaLibraryLoadData(ModuleHandle* library, const void* code, int* /*options*/, void** /*values*/,
                        unsigned /*count*/, int* /*library_options*/, void** /*library_values*/,
                        unsigned /*library_count*/) {
  return runtime_call([&](Context& context) { result(library) = &load_module(context, module_of_image(code)); });
}

int cudaLibraryLoadFromFile(ModuleHandle* library, const char* file, int* /*options*/, void** /*values*/,
                            unsigned /*count*/, int* /*library_options*/, void** /*library_values*/,
                            unsigned /*library_count*/) {
  return runtime_call([&](Context& context) { result(library) = &load_module(context, module_of_file(file)); });
}

int cudaLibraryUnload(ModuleHandle library) {
  return runtime_call([&](Context& context) { context.remove_module(known_module(context, library)); });
}

int cudaLibraryGetKernel(KernelHandle* kernel, ModuleHandle library, const char* name) {
  return runtime_call([&](Context& context) {
    Kernel& found = context.kernel(known_module(context, library), &result(name));
    context.info(found);
    result(kernel) = &found;
  });
}

int cudaLibraryGetKernelCount(unsigned* count, ModuleHandle library) {
  return runtime_call([&](Context& context) {
    result(count) = static_cast<unsigned>(context.kernels(known_module(context, library)).size());
  });
}

int cudaLibraryEnumerateKernels(KernelHandle* kernels, unsigned room, ModuleHandle library) {
  return runtime_call([&](Context& context) { list_kernels(context, known_module(context, library), kernels, room); });
}

int cudaLibraryGetGlobal(void** data, std::size_t* bytes, ModuleHandle library, const char* name) {
  return library_variable(data, bytes, library, name);
}

int cudaLibraryGetManaged(void** data, std::size_t* bytes, ModuleHandle library, const char* name) {
  return library_variable(data, bytes, library, name);
}
