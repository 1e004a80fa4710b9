// The driver's functions of modules, launches and occupancy.
#include <cstring>

#include "cuda/calls.h"
#include "cuda/device_calls.h"
#include "cuda/driver/driver_api.h"
#include "cuda/memory/memory_calls.h"
#include "cuda/streams/launching.h"
#include "cuda/streams/stream_calls.h"

namespace warpsim::cuda {

namespace {

LaunchRequest request_of(const abi::DriverLaunchConfig& config) {
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

int launch_kernel(KernelHandle kernel, const LaunchRequest& request) {
  return stream_call(request.stream, [&](Context& context) { launch(context, context.kernel_of(kernel), request); });
}

}  // namespace

}  // namespace warpsim::cuda

using namespace warpsim::cuda;  // NOLINT(google-build-using-namespace): the functions have C's names

int cuFuncGetAttribute(int* value, int attribute, KernelHandle kernel) {
  return driver_call(
      [&](Context& context) { result(value) = function_attribute(context, context.kernel_of(kernel), attribute); });
}

int cuFuncSetAttribute(KernelHandle kernel, int attribute, int value) {
  return driver_call(
      [&](Context& context) { set_function_attribute(context, context.kernel_of(kernel), attribute, value); });
}

int cuFuncSetCacheConfig(KernelHandle kernel, int /*config*/) {
  return driver_call([&](Context& context) { context.kernel_of(kernel); });
}

int cuFuncSetSharedMemConfig(KernelHandle kernel, int /*config*/) {
  return cuFuncSetCacheConfig(kernel, 0);
}

int cuFuncGetName(const char** name, KernelHandle kernel) {
  return driver_call([&](Context& context) { result(name) = context.kernel_of(kernel).name.c_str(); });
}

int cuFuncGetParamInfo(KernelHandle kernel, std::size_t index, std::size_t* offset, std::size_t* bytes) {
  return driver_call(
      [&](Context& context) { give_parameter(context, context.kernel_of(kernel), index, &result(offset), bytes); });
}

int cuFuncGetModule(ModuleHandle* module, KernelHandle kernel) {
  return driver_call([&](Context& context) { result(module) = context.kernel_of(kernel).module; });
}

int cuFuncLoad(KernelHandle kernel) {
  return driver_call([&](Context& context) { context.info(context.kernel_of(kernel)); });
}

int cuFuncIsLoaded(int* loaded, KernelHandle kernel) {
  return driver_call([&](Context& context) {
    const auto& on = context.kernel_of(kernel).on;
    const auto own = on.find(current_device());
    result(loaded) = own != on.end() && own->second.id != 0 ? 1 : 0;
  });
}

int cuLaunchKernel(KernelHandle kernel, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                   unsigned block_y, unsigned block_z, unsigned shared_bytes, StreamHandle stream, void** arguments,
                   void** buffers) {
  LaunchRequest request;
  request.grid = {grid_x, grid_y, grid_z};
  request.block = {block_x, block_y, block_z};
  request.dynamic_shared_bytes = shared_bytes;
  request.stream = stream;
  request.arguments = arguments;
  request.buffers = buffers;
  return launch_kernel(kernel, request);
}

int cuLaunchKernelEx(const abi::DriverLaunchConfig* config, KernelHandle kernel, void** arguments, void** buffers) {
  return context_call([&](Context& context) {
    LaunchRequest request = request_of(result(config));
    request.arguments = arguments;
    request.buffers = buffers;
    launch(context, context.kernel_of(kernel), request);
  });
}

int cuLaunchCooperativeKernel(KernelHandle kernel, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                              unsigned block_y, unsigned block_z, unsigned shared_bytes, StreamHandle stream,
                              void** arguments) {
  LaunchRequest request;
  request.grid = {grid_x, grid_y, grid_z};
  request.block = {block_x, block_y, block_z};
  request.dynamic_shared_bytes = shared_bytes;
  request.stream = stream;
  request.arguments = arguments;
  request.cooperative = true;
  return launch_kernel(kernel, request);
}

int cuLaunchHostFunc(StreamHandle stream, CudaHostFunction function, void* data) {
  return driver_call([&](Context& context) { call_host(context, stream, function, data); });
}

int cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, KernelHandle kernel, int block_threads,
                                                std::size_t shared_bytes) {
  return context_call([&](Context& context) {
    result(blocks) = active_blocks(context, context.kernel_of(kernel), block_threads, shared_bytes);
  });
}

int cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, KernelHandle kernel, int block_threads,
                                                         std::size_t shared_bytes, unsigned /*flags*/) {
  return cuOccupancyMaxActiveBlocksPerMultiprocessor(blocks, kernel, block_threads, shared_bytes);
}

int cuOccupancyMaxPotentialBlockSize(int* grid, int* block, KernelHandle kernel, CudaSharedOfBlock shared_of_block,
                                     std::size_t shared_bytes, int most_threads) {
  return context_call([&](Context& context) {
    const BlockSuggestion best =
        suggest_block(context, context.kernel_of(kernel), shared_of_block, shared_bytes, most_threads);
    result(grid) = best.grid;
    result(block) = best.block;
  });
}

int cuOccupancyMaxPotentialBlockSizeWithFlags(int* grid, int* block, KernelHandle kernel,
                                              CudaSharedOfBlock shared_of_block, std::size_t shared_bytes,
                                              int most_threads, unsigned /*flags*/) {
  return cuOccupancyMaxPotentialBlockSize(grid, block, kernel, shared_of_block, shared_bytes, most_threads);
}

int cuOccupancyAvailableDynamicSMemPerBlock(std::size_t* bytes, KernelHandle kernel, int blocks, int block_threads) {
  return context_call([&](Context& context) {
    result(bytes) = available_shared(context, context.kernel_of(kernel), blocks, block_threads);
  });
}

int cuOccupancyMaxPotentialClusterSize(int* blocks, KernelHandle kernel, const abi::DriverLaunchConfig* config) {
  return driver_call([&](Context& context) {
    result(blocks) = largest_cluster(context, context.kernel_of(kernel), request_of(result(config)));
  });
}

int cuOccupancyMaxActiveClusters(int* clusters, KernelHandle kernel, const abi::DriverLaunchConfig* config) {
  return driver_call([&](Context& context) {
    result(clusters) = active_clusters(context, context.kernel_of(kernel), request_of(result(config)));
  });
}
