// The functions of the CUDA driver that are supported here. All others of the toolkits are also exported and return
// CUDA_ERROR_NOT_SUPPORTED (driver_functions.txt).
#pragma once

#include <cstddef>
#include <cstdint>

#include "cuda/abi/abi.h"

#pragma GCC visibility push(default)
// NOLINTBEGIN(readability-identifier-naming,bugprone-reserved-identifier): the names are CUDA's
extern "C" {

using warpsim::cuda::ArrayHandle;
using warpsim::cuda::EventHandle;
using warpsim::cuda::KernelHandle;
using warpsim::cuda::ModuleHandle;
using warpsim::cuda::StreamHandle;
namespace cuda_abi = warpsim::cuda::abi;
using CudaHostFunction = void (*)(void*);
using CudaStreamCallback = void (*)(StreamHandle, int, void*);
using CudaSharedOfBlock = std::size_t (*)(int);

// Devices and contexts.
int cuInit(unsigned flags);
int cuDriverGetVersion(int* version);
int cuDeviceGetCount(int* count);
int cuDeviceGet(int* device, int ordinal);
int cuDeviceGetName(char* name, int bytes, int device);
int cuDeviceGetUuid(cuda_abi::Uuid* uuid, int device);
int cuDeviceGetUuid_v2(cuda_abi::Uuid* uuid, int device);
int cuDeviceTotalMem_v2(std::size_t* bytes, int device);
int cuDeviceGetAttribute(int* value, int attribute, int device);
int cuDeviceComputeCapability(int* major, int* minor, int device);
int cuDeviceGetPCIBusId(char* text, int bytes, int device);
int cuDeviceCanAccessPeer(int* can, int device, int peer);
int cuDeviceGetP2PAttribute(int* value, int attribute, int device, int peer);
int cuDeviceGetByPCIBusId(int* device, const char* text);
int cuCtxEnablePeerAccess(void* peer, unsigned flags);
int cuCtxDisablePeerAccess(void* peer);
int cuMemcpyPeer(std::uint64_t target, void* target_context, std::uint64_t source, void* source_context,
                 std::size_t bytes);
int cuMemcpyPeerAsync(std::uint64_t target, void* target_context, std::uint64_t source, void* source_context,
                      std::size_t bytes, StreamHandle stream);
int cuDevicePrimaryCtxRetain(void** handle, int device);
int cuDevicePrimaryCtxRelease_v2(int device);
int cuDevicePrimaryCtxReset_v2(int device);
int cuDevicePrimaryCtxSetFlags_v2(int device, unsigned flags);
int cuDevicePrimaryCtxGetState(int device, unsigned* flags, int* active);
int cuCtxCreate_v2(void** handle, unsigned flags, int device);
int cuCtxCreate_v3(void** handle, void* affinity, int count, unsigned flags, int device);
int cuCtxCreate_v4(void** handle, void* parameters, unsigned flags, int device);
int cuCtxDestroy_v2(void* handle);
int cuCtxPushCurrent_v2(void* handle);
int cuCtxPopCurrent_v2(void** handle);
int cuCtxSetCurrent(void* handle);
int cuCtxGetCurrent(void** handle);
int cuCtxGetDevice(int* device);
int cuCtxGetDevice_v2(int* device, void* handle);
int cuCtxGetFlags(unsigned* flags);
int cuCtxGetId(void* handle, unsigned long long* number);
int cuCtxGetApiVersion(void* handle, unsigned* version);
int cuCtxSynchronize();
int cuCtxSynchronize_v2(void* handle);
int cuGetExportTable(const void** table, const cuda_abi::Uuid* id);
int cuCtxSetLimit(int limit, std::size_t value);
int cuCtxGetLimit(std::size_t* value, int limit);
int cuCtxSetCacheConfig(int config);
int cuCtxGetCacheConfig(int* config);
int cuCtxSetSharedMemConfig(int config);
int cuCtxGetSharedMemConfig(int* config);
int cuCtxGetStreamPriorityRange(int* least, int* greatest);
int cuCtxResetPersistingL2Cache();
int cuProfilerStart();
int cuProfilerStop();
int cuGetErrorName(int code, const char** text);
int cuGetErrorString(int code, const char** text);
int cuGetProcAddress(const char* name, void** function, int version, std::uint64_t flags);
int cuGetProcAddress_v2(const char* name, void** function, int version, std::uint64_t flags, int* status);

// Memory.
int cuMemAlloc_v2(std::uint64_t* data, std::size_t bytes);
int cuMemAllocManaged(std::uint64_t* data, std::size_t bytes, unsigned flags);
int cuMemAllocPitch_v2(std::uint64_t* data, std::size_t* pitch, std::size_t width, std::size_t height,
                       unsigned element_bytes);
int cuMemFree_v2(std::uint64_t data);
int cuMemGetInfo_v2(std::size_t* free, std::size_t* total);
int cuMemGetAddressRange_v2(std::uint64_t* begin, std::size_t* bytes, std::uint64_t data);
int cuMemAllocHost_v2(void** data, std::size_t bytes);
int cuMemHostAlloc(void** data, std::size_t bytes, unsigned flags);
int cuMemFreeHost(void* data);
int cuMemHostRegister_v2(void* data, std::size_t bytes, unsigned flags);
int cuMemHostUnregister(void* data);
int cuMemHostGetDevicePointer_v2(std::uint64_t* device, void* host, unsigned flags);
int cuMemHostGetFlags(unsigned* flags, void* host);
int cuPointerGetAttribute(void* data, int attribute, std::uint64_t address);
int cuPointerGetAttributes(unsigned count, const int* attributes, void** data, std::uint64_t address);
int cuMemPrefetchAsync(std::uint64_t data, std::size_t bytes, int device, StreamHandle stream);
int cuMemPrefetchAsync_v2(std::uint64_t data, std::size_t bytes, cuda_abi::MemoryLocation location, unsigned flags,
                          StreamHandle stream);
int cuMemPrefetchBatchAsync(std::uint64_t* data, std::size_t* bytes, std::size_t count,
                            cuda_abi::MemoryLocation* locations, std::size_t* first_ranges, std::size_t location_count,
                            unsigned long long flags, StreamHandle stream);
int cuMemAdvise(std::uint64_t data, std::size_t bytes, int advice, int device);
int cuMemAdvise_v2(std::uint64_t data, std::size_t bytes, int advice, cuda_abi::MemoryLocation location);
int cuMemRangeGetAttribute(void* value, std::size_t value_bytes, int attribute, std::uint64_t data, std::size_t bytes);
int cuMemRangeGetAttributes(void** values, std::size_t* value_bytes, int* attributes, std::size_t count,
                            std::uint64_t data, std::size_t bytes);
int cuStreamAttachMemAsync(StreamHandle stream, std::uint64_t data, std::size_t bytes, unsigned flags);
int cuMemsetD8_v2(std::uint64_t data, unsigned char value, std::size_t count);
int cuMemsetD16_v2(std::uint64_t data, unsigned short value, std::size_t count);
int cuMemsetD32_v2(std::uint64_t data, unsigned value, std::size_t count);
int cuMemsetD8Async(std::uint64_t data, unsigned char value, std::size_t count, StreamHandle stream);
int cuMemsetD16Async(std::uint64_t data, unsigned short value, std::size_t count, StreamHandle stream);
int cuMemsetD32Async(std::uint64_t data, unsigned value, std::size_t count, StreamHandle stream);
int cuMemsetD2D8_v2(std::uint64_t data, std::size_t pitch, unsigned char value, std::size_t width, std::size_t height);
int cuMemsetD2D16_v2(std::uint64_t data, std::size_t pitch, unsigned short value, std::size_t width,
                     std::size_t height);
int cuMemsetD2D32_v2(std::uint64_t data, std::size_t pitch, unsigned value, std::size_t width, std::size_t height);
int cuMemsetD2D8Async(std::uint64_t data, std::size_t pitch, unsigned char value, std::size_t width, std::size_t height,
                      StreamHandle stream);
int cuMemsetD2D16Async(std::uint64_t data, std::size_t pitch, unsigned short value, std::size_t width,
                       std::size_t height, StreamHandle stream);
int cuMemsetD2D32Async(std::uint64_t data, std::size_t pitch, unsigned value, std::size_t width, std::size_t height,
                       StreamHandle stream);

// Copies, arrays and textures.
int cuMemcpy(std::uint64_t target, std::uint64_t source, std::size_t bytes);
int cuMemcpyAsync(std::uint64_t target, std::uint64_t source, std::size_t bytes, StreamHandle stream);
int cuMemcpyHtoD_v2(std::uint64_t target, const void* source, std::size_t bytes);
int cuMemcpyHtoDAsync_v2(std::uint64_t target, const void* source, std::size_t bytes, StreamHandle stream);
int cuMemcpyDtoH_v2(void* target, std::uint64_t source, std::size_t bytes);
int cuMemcpyDtoHAsync_v2(void* target, std::uint64_t source, std::size_t bytes, StreamHandle stream);
int cuMemcpyDtoD_v2(std::uint64_t target, std::uint64_t source, std::size_t bytes);
int cuMemcpyDtoDAsync_v2(std::uint64_t target, std::uint64_t source, std::size_t bytes, StreamHandle stream);
int cuMemcpy2D_v2(const cuda_abi::DriverMemcpy2d* copy);
int cuMemcpy2DUnaligned_v2(const cuda_abi::DriverMemcpy2d* copy);
int cuMemcpy2DAsync_v2(const cuda_abi::DriverMemcpy2d* copy, StreamHandle stream);
int cuMemcpy3D_v2(const cuda_abi::DriverMemcpy3d* copy);
int cuMemcpy3DAsync_v2(const cuda_abi::DriverMemcpy3d* copy, StreamHandle stream);
int cuMemcpy3DPeer(const cuda_abi::DriverMemcpy3d* copy);
int cuMemcpy3DPeerAsync(const cuda_abi::DriverMemcpy3d* copy, StreamHandle stream);
int cuMemcpyHtoA_v2(ArrayHandle array, std::size_t offset, const void* source, std::size_t bytes);
int cuMemcpyHtoAAsync_v2(ArrayHandle array, std::size_t offset, const void* source, std::size_t bytes,
                         StreamHandle stream);
int cuMemcpyAtoHAsync_v2(void* target, ArrayHandle array, std::size_t offset, std::size_t bytes, StreamHandle stream);
int cuMemcpyAtoH_v2(void* target, ArrayHandle array, std::size_t offset, std::size_t bytes);
int cuMemcpyDtoA_v2(ArrayHandle array, std::size_t offset, std::uint64_t source, std::size_t bytes);
int cuMemcpyAtoD_v2(std::uint64_t target, ArrayHandle array, std::size_t offset, std::size_t bytes);
int cuArrayCreate_v2(ArrayHandle* array, const cuda_abi::ArrayDescriptor* descriptor);
int cuArray3DCreate_v2(ArrayHandle* array, const cuda_abi::Array3dDescriptor* descriptor);
int cuArrayDestroy(ArrayHandle array);
int cuMipmappedArrayCreate(ArrayHandle* array, const cuda_abi::Array3dDescriptor* descriptor, unsigned levels);
int cuMipmappedArrayGetLevel(ArrayHandle* level_array, ArrayHandle array, unsigned level);
int cuMipmappedArrayDestroy(ArrayHandle array);
int cuArray3DGetDescriptor_v2(cuda_abi::Array3dDescriptor* descriptor, ArrayHandle array);
int cuTexObjectCreate(std::uint64_t* object, const cuda_abi::DriverResourceDescription* resource,
                      const cuda_abi::DriverTextureDescription* texture, const void* view);
int cuTexObjectDestroy(std::uint64_t object);
int cuSurfObjectCreate(std::uint64_t* object, const cuda_abi::DriverResourceDescription* resource);
int cuSurfObjectDestroy(std::uint64_t object);
int cuModuleGetTexRef(void** texture, ModuleHandle module, const char* name);
int cuModuleGetSurfRef(void** surface, ModuleHandle module, const char* name);
int cuTexRefSetFormat(void* texture, int format, int channels);
int cuTexRefSetAddressMode(void* texture, int dimension, int mode);
int cuTexRefSetFilterMode(void* texture, int mode);
int cuTexRefSetFlags(void* texture, unsigned flags);
int cuTexRefSetBorderColor(void* texture, const float* color);
int cuTexRefSetArray(void* texture, ArrayHandle array, unsigned flags);
int cuTexRefSetAddress_v2(std::size_t* offset, void* texture, std::uint64_t data, std::size_t bytes);
int cuTexRefSetAddress2D_v3(void* texture, const cuda_abi::ArrayDescriptor* descriptor, std::uint64_t data,
                            std::size_t pitch);
int cuSurfRefSetArray(void* surface, ArrayHandle array, unsigned flags);
int cuLinkCreate_v2(unsigned count, int* options, void** values, void** state);
int cuLinkAddData_v2(void* state, int type, const void* data, std::size_t bytes, const char* name, unsigned count,
                     int* options, void** values);
int cuLinkAddFile_v2(void* state, int type, const char* path, unsigned count, int* options, void** values);
int cuLinkComplete(void* state, void** image, std::size_t* bytes);
int cuLinkDestroy(void* state);
int cuTensorMapEncodeTiled(void* map, int type, unsigned dimensions, void* data, const std::uint64_t* size,
                           const std::uint64_t* stride, const std::uint32_t* box, const std::uint32_t* element_stride,
                           int interleave, int swizzle, int promotion, int fill);
int cuTensorMapEncodeIm2col(void* map, int type, unsigned dimensions, void* data, const std::uint64_t* size,
                            const std::uint64_t* stride, const int* lower, const int* upper, unsigned channels,
                            unsigned pixels, const std::uint32_t* element_stride, int interleave, int swizzle,
                            int promotion, int fill);
int cuTensorMapReplaceAddress(void* map, void* data);

// Modules, kernels and launches.
int cuModuleLoad(ModuleHandle* module, const char* path);
int cuModuleLoadData(ModuleHandle* module, const void* image);
int cuModuleLoadDataEx(ModuleHandle* module, const void* image, unsigned count, int* options, void** values);
int cuModuleLoadFatBinary(ModuleHandle* module, const void* image);
int cuModuleUnload(ModuleHandle module);
int cuModuleGetLoadingMode(int* mode);
int cuModuleGetFunction(KernelHandle* kernel, ModuleHandle module, const char* name);
int cuModuleGetGlobal_v2(std::uint64_t* data, std::size_t* bytes, ModuleHandle module, const char* name);
int cuLibraryLoadData(ModuleHandle* library, const void* code, int* options, void** values, unsigned count,
                      int* library_options, void** library_values, unsigned library_count);
int cuLibraryLoadFromFile(ModuleHandle* library, const char* path, int* options, void** values, unsigned count,
                          int* library_options, void** library_values, unsigned library_count);
int cuLibraryUnload(ModuleHandle library);
int cuLibraryGetKernel(KernelHandle* kernel, ModuleHandle library, const char* name);
int cuLibraryGetModule(ModuleHandle* module, ModuleHandle library);
int cuLibraryGetKernelCount(unsigned* count, ModuleHandle library);
int cuLibraryEnumerateKernels(KernelHandle* kernels, unsigned room, ModuleHandle library);
int cuModuleGetFunctionCount(unsigned* count, ModuleHandle module);
int cuModuleEnumerateFunctions(KernelHandle* kernels, unsigned room, ModuleHandle module);
int cuKernelGetLibrary(ModuleHandle* library, KernelHandle kernel);
int cuKernelGetParamInfo(KernelHandle kernel, std::size_t index, std::size_t* offset, std::size_t* bytes);
int cuKernelSetCacheConfig(KernelHandle kernel, int config, int device);
int cuFuncGetParamInfo(KernelHandle kernel, std::size_t index, std::size_t* offset, std::size_t* bytes);
int cuLibraryGetGlobal(std::uint64_t* data, std::size_t* bytes, ModuleHandle library, const char* name);
int cuLibraryGetManaged(std::uint64_t* data, std::size_t* bytes, ModuleHandle library, const char* name);
int cuKernelGetFunction(KernelHandle* function, KernelHandle kernel);
int cuKernelGetAttribute(int* value, int attribute, KernelHandle kernel, int device);
int cuKernelSetAttribute(int attribute, int value, KernelHandle kernel, int device);
int cuKernelGetName(const char** name, KernelHandle kernel);
int cuFuncGetAttribute(int* value, int attribute, KernelHandle kernel);
int cuFuncSetAttribute(KernelHandle kernel, int attribute, int value);
int cuFuncSetCacheConfig(KernelHandle kernel, int config);
int cuFuncSetSharedMemConfig(KernelHandle kernel, int config);
int cuFuncGetName(const char** name, KernelHandle kernel);
int cuFuncGetModule(ModuleHandle* module, KernelHandle kernel);
int cuFuncLoad(KernelHandle kernel);
int cuFuncIsLoaded(int* loaded, KernelHandle kernel);
int cuLaunchKernel(KernelHandle kernel, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                   unsigned block_y, unsigned block_z, unsigned shared_bytes, StreamHandle stream, void** arguments,
                   void** buffers);
int cuLaunchKernelEx(const cuda_abi::DriverLaunchConfig* config, KernelHandle kernel, void** arguments, void** buffers);
int cuLaunchCooperativeKernel(KernelHandle kernel, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                              unsigned block_y, unsigned block_z, unsigned shared_bytes, StreamHandle stream,
                              void** arguments);
int cuLaunchHostFunc(StreamHandle stream, CudaHostFunction function, void* data);
int cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, KernelHandle kernel, int block_threads,
                                                std::size_t shared_bytes);
int cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, KernelHandle kernel, int block_threads,
                                                         std::size_t shared_bytes, unsigned flags);
int cuOccupancyMaxPotentialBlockSize(int* grid, int* block, KernelHandle kernel, CudaSharedOfBlock shared_of_block,
                                     std::size_t shared_bytes, int most_threads);
int cuOccupancyMaxPotentialBlockSizeWithFlags(int* grid, int* block, KernelHandle kernel,
                                              CudaSharedOfBlock shared_of_block, std::size_t shared_bytes,
                                              int most_threads, unsigned flags);
int cuOccupancyAvailableDynamicSMemPerBlock(std::size_t* bytes, KernelHandle kernel, int blocks, int block_threads);
int cuOccupancyMaxPotentialClusterSize(int* blocks, KernelHandle kernel, const cuda_abi::DriverLaunchConfig* config);
int cuOccupancyMaxActiveClusters(int* clusters, KernelHandle kernel, const cuda_abi::DriverLaunchConfig* config);

// Streams and events.
int cuStreamCreate(StreamHandle* stream, unsigned flags);
int cuStreamCreateWithPriority(StreamHandle* stream, unsigned flags, int priority);
int cuStreamDestroy_v2(StreamHandle stream);
int cuStreamSynchronize(StreamHandle stream);
int cuStreamQuery(StreamHandle stream);
int cuStreamWaitEvent(StreamHandle stream, EventHandle event, unsigned flags);
int cuStreamAddCallback(StreamHandle stream, CudaStreamCallback callback, void* data, unsigned flags);
int cuStreamGetFlags(StreamHandle stream, unsigned* flags);
int cuStreamGetPriority(StreamHandle stream, int* priority);
int cuStreamSetAttribute(StreamHandle stream, int attribute, const void* value);
int cuStreamGetAttribute(StreamHandle stream, int attribute, void* value);
int cuStreamCopyAttributes(StreamHandle target, StreamHandle source);
int cuStreamGetId(StreamHandle stream, unsigned long long* number);
int cuStreamGetCtx(StreamHandle stream, void** handle);
int cuStreamGetDevice(StreamHandle stream, int* device);
int cuEventCreate(EventHandle* event, unsigned flags);
int cuEventDestroy_v2(EventHandle event);
int cuEventRecord(EventHandle event, StreamHandle stream);
int cuEventRecordWithFlags(EventHandle event, StreamHandle stream, unsigned flags);
int cuEventSynchronize(EventHandle event);
int cuEventQuery(EventHandle event);
int cuEventElapsedTime(float* milliseconds, EventHandle begin, EventHandle end);
int cuEventElapsedTime_v2(float* milliseconds, EventHandle begin, EventHandle end);
}
// NOLINTEND(readability-identifier-naming,bugprone-reserved-identifier)
#pragma GCC visibility pop
