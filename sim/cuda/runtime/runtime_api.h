// The functions of the CUDA runtime that are supported here. Programs and tests call them by these names; all others of
// the toolkits are also exported and return cudaErrorNotSupported (runtime_functions.txt).
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

// Functions that compilers call.
void** __cudaRegisterFatBinary(void* wrapper);
void __cudaRegisterFatBinaryEnd(void** module);
void __cudaUnregisterFatBinary(void** module);
void __cudaRegisterFunction(void** module, const char* stub, char* function, const char* name, int thread_limit,
                            void* thread, void* block, void* block_size, void* grid_size, int* warp_size);
void __cudaRegisterVar(void** module, char* host, char* address, const char* name, int external, std::size_t bytes,
                       int constant, int global);
void __cudaRegisterManagedVar(void** module, void** host, char* address, const char* name, int external,
                              std::size_t bytes, int constant, int global);
void __cudaRegisterHostVar(void** module, const char* name, char* host, std::size_t bytes);
void __cudaRegisterTexture(void** module, const void* host, const void** address, const char* name, int dimensions,
                           int normalized, int external);
void __cudaRegisterSurface(void** module, const void* host, const void** address, const char* name, int dimensions,
                           int external);
char __cudaInitModule(void** module);
unsigned __cudaPushCallConfiguration(cuda_abi::Dim3 grid, cuda_abi::Dim3 block, std::size_t shared_bytes,
                                     StreamHandle stream);
int __cudaPopCallConfiguration(cuda_abi::Dim3* grid, cuda_abi::Dim3* block, std::size_t* shared_bytes, void* stream);
int __cudaGetKernel(KernelHandle* kernel, const void* stub);
int __cudaLaunchKernel(KernelHandle kernel, cuda_abi::Dim3 grid, cuda_abi::Dim3 block, void** arguments,
                       std::size_t shared_bytes, StreamHandle stream);

// Launches and kernels.
int cudaLaunchKernel(const void* function, cuda_abi::Dim3 grid, cuda_abi::Dim3 block, void** arguments,
                     std::size_t shared_bytes, StreamHandle stream);
int cudaLaunchCooperativeKernel(const void* function, cuda_abi::Dim3 grid, cuda_abi::Dim3 block, void** arguments,
                                std::size_t shared_bytes, StreamHandle stream);
int cudaLaunchKernelExC(const cuda_abi::LaunchConfig* config, const void* function, void** arguments);
int cudaLaunchHostFunc(StreamHandle stream, CudaHostFunction function, void* data);
int cudaFuncGetAttributes(cuda_abi::FunctionAttributes* attributes, const void* function);
int cudaFuncSetAttribute(const void* function, int attribute, int value);
int cudaFuncSetCacheConfig(const void* function, int config);
int cudaFuncSetSharedMemConfig(const void* function, int config);
int cudaFuncGetName(const char** name, const void* function);
int cudaFuncGetParamInfo(const void* function, std::size_t index, std::size_t* offset, std::size_t* bytes);
int cudaGetFuncBySymbol(KernelHandle* kernel, const void* stub);
int cudaGetKernel(KernelHandle* kernel, const void* stub);
int cudaKernelSetAttributeForDevice(KernelHandle kernel, int attribute, int value, int device);
int cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* function, int block_threads,
                                                  std::size_t shared_bytes);
int cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* function, int block_threads,
                                                           std::size_t shared_bytes, unsigned flags);
int cudaOccupancyAvailableDynamicSMemPerBlock(std::size_t* bytes, const void* function, int blocks, int block_threads);
int cudaOccupancyMaxPotentialClusterSize(int* blocks, const void* function, const cuda_abi::LaunchConfig* config);
int cudaOccupancyMaxActiveClusters(int* clusters, const void* function, const cuda_abi::LaunchConfig* config);
int cudaLibraryLoadData(ModuleHandle* library, const void* code, int* options, void** values, unsigned count,
                        int* library_options, void** library_values, unsigned library_count);
int cudaLibraryLoadFromFile(ModuleHandle* library, const char* file, int* options, void** values, unsigned count,
                            int* library_options, void** library_values, unsigned library_count);
int cudaLibraryUnload(ModuleHandle library);
int cudaLibraryGetKernel(KernelHandle* kernel, ModuleHandle library, const char* name);
int cudaLibraryGetKernelCount(unsigned* count, ModuleHandle library);
int cudaLibraryEnumerateKernels(KernelHandle* kernels, unsigned room, ModuleHandle library);
int cudaLibraryGetGlobal(void** data, std::size_t* bytes, ModuleHandle library, const char* name);
int cudaLibraryGetManaged(void** data, std::size_t* bytes, ModuleHandle library, const char* name);

// Memory.
int cudaMalloc(void** data, std::size_t bytes);
int cudaFree(void* data);
int cudaMallocManaged(void** data, std::size_t bytes, unsigned flags);
int cudaMallocPitch(void** data, std::size_t* pitch, std::size_t width, std::size_t height);
int cudaMalloc3D(cuda_abi::PitchedPointer* data, cuda_abi::Extent extent);
int cudaMallocHost(void** data, std::size_t bytes);
int cudaHostAlloc(void** data, std::size_t bytes, unsigned flags);
int cudaFreeHost(void* data);
int cudaHostRegister(void* data, std::size_t bytes, unsigned flags);
int cudaHostUnregister(void* data);
int cudaHostGetDevicePointer(void** device, void* host, unsigned flags);
int cudaHostGetFlags(unsigned* flags, void* host);
int cudaMemGetInfo(std::size_t* free, std::size_t* total);
int cudaPointerGetAttributes(cuda_abi::PointerAttributes* attributes, const void* data);
int cudaMemPrefetchAsync(const void* data, std::size_t bytes, cuda_abi::MemoryLocation location, unsigned flags,
                         StreamHandle stream);
int cudaMemPrefetchAsync_v2(const void* data, std::size_t bytes, cuda_abi::MemoryLocation location, unsigned flags,
                            StreamHandle stream);
int warpsimMemPrefetchAsync12(const void* data, std::size_t bytes, int device, StreamHandle stream);
int cudaMemPrefetchBatchAsync(void** data, std::size_t* bytes, std::size_t count, cuda_abi::MemoryLocation* locations,
                              std::size_t* first_ranges, std::size_t location_count, unsigned long long flags,
                              StreamHandle stream);
int cudaMemAdvise(const void* data, std::size_t bytes, int advice, cuda_abi::MemoryLocation location);
int cudaMemAdvise_v2(const void* data, std::size_t bytes, int advice, cuda_abi::MemoryLocation location);
int warpsimMemAdvise12(const void* data, std::size_t bytes, int advice, int device);
int cudaMemRangeGetAttribute(void* value, std::size_t value_bytes, int attribute, const void* data, std::size_t bytes);
int cudaMemRangeGetAttributes(void** values, std::size_t* value_bytes, int* attributes, std::size_t count,
                              const void* data, std::size_t bytes);
int cudaStreamAttachMemAsync(StreamHandle stream, void* data, std::size_t bytes, unsigned flags);

// Copies and fills.
int cudaMemcpy(void* target, const void* source, std::size_t bytes, int kind);
int cudaMemcpyAsync(void* target, const void* source, std::size_t bytes, int kind, StreamHandle stream);
int cudaMemcpyPeer(void* target, int target_device, const void* source, int source_device, std::size_t bytes);
int cudaMemcpyPeerAsync(void* target, int target_device, const void* source, int source_device, std::size_t bytes,
                        StreamHandle stream);
int cudaMemcpy2D(void* target, std::size_t target_pitch, const void* source, std::size_t source_pitch,
                 std::size_t width, std::size_t height, int kind);
int cudaMemcpy2DAsync(void* target, std::size_t target_pitch, const void* source, std::size_t source_pitch,
                      std::size_t width, std::size_t height, int kind, StreamHandle stream);
int cudaMemcpy3D(const cuda_abi::Memcpy3d* copy);
int cudaMemcpy3DAsync(const cuda_abi::Memcpy3d* copy, StreamHandle stream);
int cudaMemcpyToSymbol(const void* symbol, const void* source, std::size_t bytes, std::size_t offset, int kind);
int cudaMemcpyFromSymbol(void* target, const void* symbol, std::size_t bytes, std::size_t offset, int kind);
int cudaMemcpyToSymbolAsync(const void* symbol, const void* source, std::size_t bytes, std::size_t offset, int kind,
                            StreamHandle stream);
int cudaMemcpyFromSymbolAsync(void* target, const void* symbol, std::size_t bytes, std::size_t offset, int kind,
                              StreamHandle stream);
int cudaGetSymbolAddress(void** data, const void* symbol);
int cudaGetSymbolSize(std::size_t* bytes, const void* symbol);
int cudaMemset(void* data, int value, std::size_t bytes);
int cudaMemsetAsync(void* data, int value, std::size_t bytes, StreamHandle stream);
int cudaMemset2D(void* data, std::size_t pitch, int value, std::size_t width, std::size_t height);
int cudaMemset2DAsync(void* data, std::size_t pitch, int value, std::size_t width, std::size_t height,
                      StreamHandle stream);
int cudaMemset3D(cuda_abi::PitchedPointer data, int value, cuda_abi::Extent extent);
int cudaMemset3DAsync(cuda_abi::PitchedPointer data, int value, cuda_abi::Extent extent, StreamHandle stream);

// Arrays, textures and surfaces.
int cudaMallocArray(ArrayHandle* array, const cuda_abi::ChannelFormat* format, std::size_t width, std::size_t height,
                    unsigned flags);
int cudaMalloc3DArray(ArrayHandle* array, const cuda_abi::ChannelFormat* format, cuda_abi::Extent extent,
                      unsigned flags);
int cudaFreeArray(ArrayHandle array);
int cudaMallocMipmappedArray(ArrayHandle* array, const cuda_abi::ChannelFormat* format, cuda_abi::Extent extent,
                             unsigned levels, unsigned flags);
int cudaGetMipmappedArrayLevel(ArrayHandle* level_array, ArrayHandle array, unsigned level);
int cudaFreeMipmappedArray(ArrayHandle array);
int cudaArrayGetInfo(cuda_abi::ChannelFormat* format, cuda_abi::Extent* extent, unsigned* flags, ArrayHandle array);
int cudaGetChannelDesc(cuda_abi::ChannelFormat* format, ArrayHandle array);
cuda_abi::ChannelFormat cudaCreateChannelDesc(int x, int y, int z, int w, int kind);
int cudaMemcpyToArray(ArrayHandle array, std::size_t x, std::size_t y, const void* source, std::size_t bytes, int kind);
int cudaMemcpyToArrayAsync(ArrayHandle array, std::size_t x, std::size_t y, const void* source, std::size_t bytes,
                           int kind, StreamHandle stream);
int cudaMemcpyFromArrayAsync(void* target, ArrayHandle array, std::size_t x, std::size_t y, std::size_t bytes, int kind,
                             StreamHandle stream);
int cudaMemcpyFromArray(void* target, ArrayHandle array, std::size_t x, std::size_t y, std::size_t bytes, int kind);
int cudaMemcpy2DToArray(ArrayHandle array, std::size_t x, std::size_t y, const void* source, std::size_t pitch,
                        std::size_t width, std::size_t height, int kind);
int cudaMemcpy2DToArrayAsync(ArrayHandle array, std::size_t x, std::size_t y, const void* source, std::size_t pitch,
                             std::size_t width, std::size_t height, int kind, StreamHandle stream);
int cudaMemcpy2DFromArray(void* target, std::size_t pitch, ArrayHandle array, std::size_t x, std::size_t y,
                          std::size_t width, std::size_t height, int kind);
int cudaMemcpy2DFromArrayAsync(void* target, std::size_t pitch, ArrayHandle array, std::size_t x, std::size_t y,
                               std::size_t width, std::size_t height, int kind, StreamHandle stream);
int cudaMemcpy2DArrayToArray(ArrayHandle target, std::size_t target_x, std::size_t target_y, ArrayHandle source,
                             std::size_t source_x, std::size_t source_y, std::size_t width, std::size_t height,
                             int kind);
int cudaCreateTextureObject(std::uint64_t* object, const cuda_abi::ResourceDescription* resource,
                            const cuda_abi::TextureDescription* texture, const void* view);
int cudaCreateTextureObject_v2(std::uint64_t* object, const cuda_abi::ResourceDescription* resource,
                               const cuda_abi::TextureDescription* texture, const void* view);
int cudaDestroyTextureObject(std::uint64_t object);
int cudaBindTexture(std::size_t* offset, const cuda_abi::TextureReference* texture, const void* data,
                    const cuda_abi::ChannelFormat* format, std::size_t bytes);
int cudaBindTexture2D(std::size_t* offset, const cuda_abi::TextureReference* texture, const void* data,
                      const cuda_abi::ChannelFormat* format, std::size_t width, std::size_t height, std::size_t pitch);
int cudaBindTextureToArray(const cuda_abi::TextureReference* texture, ArrayHandle array,
                           const cuda_abi::ChannelFormat* format);
int cudaUnbindTexture(const cuda_abi::TextureReference* texture);
int cudaGetTextureAlignmentOffset(std::size_t* offset, const cuda_abi::TextureReference* texture);
int cudaGetTextureReference(const cuda_abi::TextureReference** texture, const void* symbol);
int cudaBindSurfaceToArray(const void* surface, ArrayHandle array, const cuda_abi::ChannelFormat* format);
int cudaGetSurfaceReference(const void** surface, const void* symbol);
int cudaCreateSurfaceObject(std::uint64_t* object, const cuda_abi::ResourceDescription* resource);
int cudaDestroySurfaceObject(std::uint64_t object);

// Devices.
int cudaGetDeviceCount(int* count);
int cudaGetDevice(int* device);
int cudaSetDevice(int device);
int cudaInitDevice(int device, unsigned device_flags, unsigned flags);
int cudaSetValidDevices(int* devices, int count);
int cudaChooseDevice(int* device, const void* properties);
int cudaSetDeviceFlags(unsigned flags);
int cudaGetDeviceFlags(unsigned* flags);
int cudaGetDeviceProperties(void* properties, int device);
int cudaGetDeviceProperties_v2(void* properties, int device);
int cudaDeviceGetAttribute(int* value, int attribute, int device);
int cudaDeviceGetPCIBusId(char* text, int bytes, int device);
int cudaDeviceGetByPCIBusId(int* device, const char* text);
int cudaDeviceSynchronize();
int cudaDeviceReset();
int cudaDeviceSetLimit(int limit, std::size_t value);
int cudaDeviceGetLimit(std::size_t* value, int limit);
int cudaDeviceSetCacheConfig(int config);
int cudaDeviceGetCacheConfig(int* config);
int cudaDeviceSetSharedMemConfig(int config);
int cudaDeviceGetSharedMemConfig(int* config);
int cudaDeviceGetStreamPriorityRange(int* least, int* greatest);
int cudaDeviceCanAccessPeer(int* can, int device, int peer);
int cudaDeviceEnablePeerAccess(int peer, unsigned flags);
int cudaDeviceDisablePeerAccess(int peer);
int cudaDeviceGetP2PAttribute(int* value, int attribute, int device, int peer);
int cudaMemcpy3DPeer(const cuda_abi::Memcpy3dPeer* copy);
int cudaMemcpy3DPeerAsync(const cuda_abi::Memcpy3dPeer* copy, StreamHandle stream);
int cudaCtxResetPersistingL2Cache();
int cudaDriverGetVersion(int* version);
int cudaRuntimeGetVersion(int* version);
int cudaThreadSynchronize();
int cudaThreadExit();
int cudaProfilerStart();
int cudaProfilerStop();
int cudaGetDriverEntryPoint(const char* name, void** function, unsigned long long flags, int* status);
int cudaGetDriverEntryPointByVersion(const char* name, void** function, unsigned version, unsigned long long flags,
                                     int* status);

// Streams and events.
int cudaStreamCreate(StreamHandle* stream);
int cudaStreamCreateWithFlags(StreamHandle* stream, unsigned flags);
int cudaStreamCreateWithPriority(StreamHandle* stream, unsigned flags, int priority);
int cudaStreamDestroy(StreamHandle stream);
int cudaStreamSynchronize(StreamHandle stream);
int cudaStreamQuery(StreamHandle stream);
int cudaStreamWaitEvent(StreamHandle stream, EventHandle event, unsigned flags);
int cudaStreamAddCallback(StreamHandle stream, CudaStreamCallback callback, void* data, unsigned flags);
int cudaStreamGetFlags(StreamHandle stream, unsigned* flags);
int cudaStreamGetPriority(StreamHandle stream, int* priority);
int cudaStreamGetId(StreamHandle stream, unsigned long long* number);
int cudaStreamGetDevice(StreamHandle stream, int* device);
int cudaStreamSetAttribute(StreamHandle stream, int attribute, const void* value);
int cudaStreamGetAttribute(StreamHandle stream, int attribute, void* value);
int cudaStreamCopyAttributes(StreamHandle target, StreamHandle source);
int cudaEventCreate(EventHandle* event);
int cudaEventCreateWithFlags(EventHandle* event, unsigned flags);
int cudaEventDestroy(EventHandle event);
int cudaEventRecord(EventHandle event, StreamHandle stream);
int cudaEventRecordWithFlags(EventHandle event, StreamHandle stream, unsigned flags);
int cudaEventSynchronize(EventHandle event);
int cudaEventQuery(EventHandle event);
int cudaEventElapsedTime(float* milliseconds, EventHandle begin, EventHandle end);

// Errors.
int cudaGetLastError();
int cudaPeekAtLastError();
const char* cudaGetErrorName(int code);
const char* cudaGetErrorString(int code);

// For the library of the toolkit 11, whose structures are shorter.
int warpsimFuncGetAttributes11(void* attributes, const void* function);
int warpsimGetDeviceProperties11(void* properties, int device);
}
// NOLINTEND(readability-identifier-naming,bugprone-reserved-identifier)
#pragma GCC visibility pop
