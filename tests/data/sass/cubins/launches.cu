// Launches from kernels, as relocatable code and linked with a unit that stands for the device runtime
// (launches_runtime.cu). The cubins are made by nvcc 13.0:
//
//   for sm in 80 90; do
//     nvcc -arch=sm_$sm -rdc=true -cubin launches.cu -o launches.sm_$sm.cubin
//     nvcc -arch=sm_$sm -rdc=true -cubin launches_runtime.cu -o runtime.cubin
//     nvlink -arch=sm_$sm --ignore-host-info launches.sm_$sm.cubin runtime.cubin -o launches_linked.sm_$sm.cubin
//   done
extern "C" __global__ void child(int* log, int v) {
  log[1 + atomicAdd(log, 1)] = v;
}

__device__ void (*kernels[1])(int*, int) = {child};

// 5 from a child that the code names, 6 from one of a table, 7 from a tail launch; a fill on the stack's arguments.
extern "C" __global__ void parent(int* log, char* bytes) {
  child<<<1, 1, 0, cudaStreamTailLaunch>>>(log, 7);
  child<<<1, 1>>>(log, 5);
  kernels[0]<<<1, 1>>>(log, 6);
  cudaPitchedPtr to;
  to.ptr = bytes;
  to.pitch = 8;
  to.xsize = 8;
  to.ysize = 2;
  cudaExtent extent;
  extent.width = 3;
  extent.height = 2;
  extent.depth = 2;
  cudaMemset3DAsync(to, 0x33, extent, 0);
}
