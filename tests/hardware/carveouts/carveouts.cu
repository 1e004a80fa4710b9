// Whether a kernel that needs shared memory runs beside one that holds all SMs with another amount of it.
//
//   nvcc -arch=native carveouts.cu -o carveouts && ./carveouts > h100.csv
//
// A kernel with a block of 64 threads on each SM and `held` KiB waits for the host; then another one with `wanted` KiB
// for each block is launched, whose blocks end at once. Prints name,unit,value: 1 if it has ended while the first one
// was there, else 0; and the first one's preferred carve-out, in percent, -1 for the driver's choice.
#include <cuda_runtime.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include "../cuda_check.h"

// The flag is in the GPU's memory: many accesses to that of the host would delay the launches themselves.
__global__ void hold(volatile int* go) {
  while (threadIdx.x == 0 && *go == 0) {
    __nanosleep(1000);
  }
  __syncthreads();
}
__global__ void end_at_once(int* ran) {
  if (threadIdx.x == 0) {
    atomicAdd(ran, 1);
  }
}

int main() {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  std::printf("name,unit,value\n");
  volatile int* go = nullptr;
  int* ran = nullptr;
  CHECK(cudaMalloc(const_cast<int**>(&go), 4096));
  int* one = nullptr;
  CHECK(cudaMallocHost(&one, 4096));
  *one = 1;
  cudaStream_t third;
  CHECK(cudaStreamCreateWithFlags(&third, cudaStreamNonBlocking));
  CHECK(cudaMalloc(&ran, 4096));
  int sms = 0;
  CHECK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
  CHECK(cudaFuncSetAttribute(hold, cudaFuncAttributeMaxDynamicSharedMemorySize, 227 * 1024));
  CHECK(cudaFuncSetAttribute(end_at_once, cudaFuncAttributeMaxDynamicSharedMemorySize, 227 * 1024));
  cudaStream_t first;
  cudaStream_t second;
  CHECK(cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking));
  CHECK(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
  for (const int carveout : {-1, 0, 25, 50, 100}) {
    for (const int held : {0, 1, 16, 64, 100}) {
      CHECK(cudaFuncSetAttribute(hold, cudaFuncAttributePreferredSharedMemoryCarveout, carveout));
      for (const int wanted : {0, 1, 4, 8, 16, 24, 31, 48, 64, 99, 120, 130, 160, 200, 227}) {
        CHECK(cudaMemset(const_cast<int*>(go), 0, sizeof(int)));
        CHECK(cudaMemset(ran, 0, sizeof(int)));
        CHECK(cudaDeviceSynchronize());
        hold<<<sms, 64, held * 1024, first>>>(const_cast<int*>(go));
        CHECK(cudaGetLastError());
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        end_at_once<<<sms, 64, wanted * 1024, second>>>(ran);
        CHECK(cudaGetLastError());
        std::this_thread::sleep_for(std::chrono::milliseconds(3));
        const bool ended = cudaStreamQuery(second) == cudaSuccess;
        CHECK(cudaMemcpyAsync(const_cast<int*>(go), one, sizeof(int), cudaMemcpyHostToDevice, third));
        CHECK(cudaDeviceSynchronize());
        std::printf("carveout.%d.held.%d.wanted.%d,,%d\n", carveout, held, wanted, ended ? 1 : 0);
      }
    }
  }

  // Blocks of other sizes; no shared memory, or a KiB.
  CHECK(cudaFuncSetAttribute(hold, cudaFuncAttributePreferredSharedMemoryCarveout, -1));
  for (const int held : {0, 1}) {
    for (const int holding : {1024, 512, 256, 128, 64, 32}) {
      for (const int wanted : {0, 1}) {
        for (const int wanting : {1024, 512, 256, 128, 64, 32}) {
          CHECK(cudaMemset(const_cast<int*>(go), 0, sizeof(int)));
          CHECK(cudaMemset(ran, 0, sizeof(int)));
          CHECK(cudaDeviceSynchronize());
          hold<<<sms, holding, held * 1024, first>>>(const_cast<int*>(go));
          CHECK(cudaGetLastError());
          std::this_thread::sleep_for(std::chrono::milliseconds(1));
          end_at_once<<<sms, wanting, wanted * 1024, second>>>(ran);
          CHECK(cudaGetLastError());
          std::this_thread::sleep_for(std::chrono::milliseconds(3));
          const bool ended = cudaStreamQuery(second) == cudaSuccess;
          CHECK(cudaMemcpyAsync(const_cast<int*>(go), one, sizeof(int), cudaMemcpyHostToDevice, third));
          CHECK(cudaDeviceSynchronize());
          std::printf("threads.%d.held.%d.threads.%d.wanted.%d,,%d\n", holding, held, wanting, wanted, ended ? 1 : 0);
        }
      }
    }
  }
}
