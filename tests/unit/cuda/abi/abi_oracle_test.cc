// Compares the declarations of CUDA's structures with an installed toolkit's. Built only if CMake finds version 13.
#include <cuda.h>
#include <driver_types.h>
#include <texture_types.h>

#include <catch2/catch.hpp>

#include "cuda/abi/abi.h"
#include "cuda/device/device_properties.h"

namespace warpsim::cuda {
namespace {

TEST_CASE("structures have the toolkit's sizes") {
  CHECK(sizeof(abi::Memcpy3d) == sizeof(cudaMemcpy3DParms));
  CHECK(sizeof(abi::Memcpy3dPeer) == sizeof(cudaMemcpy3DPeerParms));
  CHECK(sizeof(abi::DriverMemcpy2d) == sizeof(CUDA_MEMCPY2D));
  CHECK(sizeof(abi::DriverMemcpy3d) == sizeof(CUDA_MEMCPY3D));
  CHECK(sizeof(abi::ArrayDescriptor) == sizeof(CUDA_ARRAY_DESCRIPTOR));
  CHECK(sizeof(abi::Array3dDescriptor) == sizeof(CUDA_ARRAY3D_DESCRIPTOR));
  CHECK(sizeof(abi::ResourceDescription) == sizeof(cudaResourceDesc));
  CHECK(sizeof(abi::TextureDescription) == sizeof(cudaTextureDesc));
  CHECK(sizeof(abi::DriverResourceDescription) == sizeof(CUDA_RESOURCE_DESC));
  CHECK(sizeof(abi::DriverTextureDescription) == sizeof(CUDA_TEXTURE_DESC));
  CHECK(sizeof(abi::FunctionAttributes) == sizeof(cudaFuncAttributes));
  CHECK(sizeof(abi::LaunchAttribute) == sizeof(cudaLaunchAttribute));
  CHECK(sizeof(abi::LaunchConfig) == sizeof(cudaLaunchConfig_t));
  CHECK(sizeof(abi::DriverLaunchConfig) == sizeof(CUlaunchConfig));
  CHECK(sizeof(abi::DeviceProperties13) == sizeof(cudaDeviceProp));
  // Sizes of the toolkits 12 and 11, which are not installed.
  CHECK(sizeof(abi::DeviceProperties12) == 1032);
  CHECK(kProperties11Bytes == 728);
  // The first fields; the rest is reserved since 13.
  CHECK(sizeof(abi::PointerAttributes) == offsetof(cudaPointerAttributes, reserved));
}

TEST_CASE("fields of copies have the toolkit's offsets") {
  CHECK(offsetof(abi::Memcpy3d, source) == offsetof(cudaMemcpy3DParms, srcPtr));
  CHECK(offsetof(abi::Memcpy3d, target_array) == offsetof(cudaMemcpy3DParms, dstArray));
  CHECK(offsetof(abi::Memcpy3d, extent) == offsetof(cudaMemcpy3DParms, extent));
  CHECK(offsetof(abi::Memcpy3d, kind) == offsetof(cudaMemcpy3DParms, kind));
  CHECK(offsetof(abi::DriverMemcpy2d, source_array) == offsetof(CUDA_MEMCPY2D, srcArray));
  CHECK(offsetof(abi::DriverMemcpy2d, target_type) == offsetof(CUDA_MEMCPY2D, dstMemoryType));
  CHECK(offsetof(abi::DriverMemcpy2d, width) == offsetof(CUDA_MEMCPY2D, WidthInBytes));
  CHECK(offsetof(abi::DriverMemcpy3d, source_height) == offsetof(CUDA_MEMCPY3D, srcHeight));
  CHECK(offsetof(abi::DriverMemcpy3d, target_type) == offsetof(CUDA_MEMCPY3D, dstMemoryType));
  CHECK(offsetof(abi::DriverMemcpy3d, depth) == offsetof(CUDA_MEMCPY3D, Depth));
}

TEST_CASE("fields of textures have the toolkit's offsets") {
  CHECK(offsetof(abi::ResourceDescription, resource.linear.bytes) ==
        offsetof(cudaResourceDesc, res.linear.sizeInBytes));
  CHECK(offsetof(abi::ResourceDescription, resource.pitched.pitch) ==
        offsetof(cudaResourceDesc, res.pitch2D.pitchInBytes));
  CHECK(offsetof(abi::TextureDescription, border) == offsetof(cudaTextureDesc, borderColor));
  CHECK(offsetof(abi::TextureDescription, normalized_coordinates) == offsetof(cudaTextureDesc, normalizedCoords));
  CHECK(offsetof(abi::DriverResourceDescription, resource.pitched.pitch) ==
        offsetof(CUDA_RESOURCE_DESC, res.pitch2D.pitchInBytes));
  CHECK(offsetof(abi::DriverTextureDescription, border) == offsetof(CUDA_TEXTURE_DESC, borderColor));
}

TEST_CASE("fields of launches and functions have the toolkit's offsets") {
  CHECK(offsetof(abi::LaunchAttribute, value) == offsetof(cudaLaunchAttribute, val));
  CHECK(offsetof(abi::LaunchConfig, dynamic_shared_bytes) == offsetof(cudaLaunchConfig_t, dynamicSmemBytes));
  CHECK(offsetof(abi::LaunchConfig, attribute_count) == offsetof(cudaLaunchConfig_t, numAttrs));
  CHECK(offsetof(abi::DriverLaunchConfig, dynamic_shared_bytes) == offsetof(CUlaunchConfig, sharedMemBytes));
  CHECK(offsetof(abi::DriverLaunchConfig, attributes) == offsetof(CUlaunchConfig, attrs));
  CHECK(offsetof(abi::FunctionAttributes, registers) == offsetof(cudaFuncAttributes, numRegs));
  CHECK(offsetof(abi::FunctionAttributes, most_dynamic_shared_bytes) ==
        offsetof(cudaFuncAttributes, maxDynamicSharedSizeBytes));
  CHECK(offsetof(abi::FunctionAttributes, larger_cluster_allowed) ==
        offsetof(cudaFuncAttributes, nonPortableClusterSizeAllowed));
}

TEST_CASE("fields of device properties have the toolkit's offsets") {
  CHECK(offsetof(abi::DeviceProperties13, global_bytes) == offsetof(cudaDeviceProp, totalGlobalMem));
  CHECK(offsetof(abi::DeviceProperties13, constant_bytes) == offsetof(cudaDeviceProp, totalConstMem));
  CHECK(offsetof(abi::DeviceProperties13, sms) == offsetof(cudaDeviceProp, multiProcessorCount));
  CHECK(offsetof(abi::DeviceProperties13, textures) == offsetof(cudaDeviceProp, maxTexture1D));
  CHECK(offsetof(abi::DeviceProperties13, surfaces) == offsetof(cudaDeviceProp, maxSurface1D));
  CHECK(offsetof(abi::DeviceProperties13, l2_bytes) == offsetof(cudaDeviceProp, l2CacheSize));
  CHECK(offsetof(abi::DeviceProperties13, cooperative_launch) == offsetof(cudaDeviceProp, cooperativeLaunch));
  CHECK(offsetof(abi::DeviceProperties13, shared_reserved) == offsetof(cudaDeviceProp, reservedSharedMemPerBlock));
  CHECK(offsetof(abi::DeviceProperties13, cluster_launch) == offsetof(cudaDeviceProp, clusterLaunch));
  CHECK(offsetof(abi::DeviceProperties13, host_numa_ipc) == offsetof(cudaDeviceProp, hostNumaMultinodeIpcSupported));
}

}  // namespace
}  // namespace warpsim::cuda
