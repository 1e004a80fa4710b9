// In the place of the device runtime's library, whose functions ask the driver: these must never run (launches.cu).
#undef __cudaCDP2GetParameterBufferV2
#undef __cudaCDP2LaunchDeviceV2
#undef __cudaCDP2Memset3DAsync

extern "C" {
__device__ void* cnpGetParameterBufferV2(void* kernel, dim3 grid, dim3 block, unsigned shared);
__device__ cudaError_t cnpLaunchDeviceV2(void* buffer, void* stream);

__device__ void* __cudaCDP2GetParameterBufferV2(void* kernel, dim3 grid, dim3 block, unsigned shared) {
  return cnpGetParameterBufferV2(kernel, grid, block, shared);
}
__device__ cudaError_t __cudaCDP2LaunchDeviceV2(void* buffer, cudaStream_t stream) {
  return cnpLaunchDeviceV2(buffer, stream);
}
__device__ cudaError_t __cudaCDP2Memset3DAsync(cudaPitchedPtr to, int value, cudaExtent extent, cudaStream_t stream) {
  return cnpLaunchDeviceV2(to.ptr, stream);
}
}
