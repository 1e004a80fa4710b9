// What compressible memory is worth: a buffer is filled with data of one kind, and then read and written by all SMs,
// once in usual memory and once in memory that was allocated as compressible. Also the latency of a chain of loads over
// it, and reads of buffers around the capacity of L2, again and again. Each line of output is one result; with the
// argument `traffic` each kernel runs once, for Nsight Compute.
#include <cuda.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

#include "../cuda_check.h"

#define CHECK_DRIVER(call)                                                       \
  do {                                                                           \
    const CUresult code = (call);                                                \
    if (code != CUDA_SUCCESS) {                                                  \
      const char* name = "";                                                     \
      cuGetErrorName(code, &name);                                               \
      std::printf("%s:%d: %s: %s\n", __FILE__, __LINE__, #call, name);           \
      std::exit(1);                                                              \
    }                                                                            \
  } while (false)

namespace {

constexpr size_t kMib = size_t{1} << 20;
constexpr size_t kBytes = 1024 * kMib;
constexpr int kBlocks = 132 * 8;
constexpr int kThreads = 256;

enum Kind { kZero, kEqual, kRamp, kBytesInWords, kHalvesInWords, kFloats, kRandom, kHalfRandom, kKinds };
const char* const kNames[] = {"zero", "equal", "ramp", "bytes_in_words", "halves_in_words", "floats", "random",
                              "every_second_line_random"};

__host__ __device__ inline uint32_t mixed(uint32_t x) {
  x ^= x >> 16;
  x *= 0x7feb352dU;
  x ^= x >> 15;
  x *= 0x846ca68bU;
  return x ^ (x >> 16);
}

__device__ inline uint32_t word(int kind, uint32_t index) {
  const uint32_t drawn = mixed(index + 1);
  switch (kind) {
    case kZero:
      return 0;
    case kEqual:
      return 0x3f800000U;
    case kRamp:
      return index;
    case kBytesInWords:
      return drawn & 0xffU;
    case kHalvesInWords:
      return drawn & 0xffffU;
    case kFloats:
      return __float_as_uint(static_cast<float>(drawn) * 2.3283064e-10F);
    case kHalfRandom:
      return (index / 32 & 1U) != 0 ? drawn : 0;
    default:
      return drawn;
  }
}

__global__ void write_all(uint4* memory, size_t quads, int kind) {
  const size_t step = size_t{gridDim.x} * blockDim.x;
  for (size_t i = size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < quads; i += step) {
    const auto first = static_cast<uint32_t>(i * 4);
    memory[i] = {word(kind, first), word(kind, first + 1), word(kind, first + 2), word(kind, first + 3)};
  }
}

__global__ void read_all(const uint4* memory, size_t quads, uint32_t* sink) {
  const size_t step = size_t{gridDim.x} * blockDim.x;
  uint32_t sum = 0;
  for (size_t i = size_t{blockIdx.x} * blockDim.x + threadIdx.x; i + 3 * step < quads; i += 4 * step) {
    uint4 loaded[4];
    for (int n = 0; n < 4; ++n) {
      loaded[n] = __ldcg(memory + i + n * step);
    }
    for (int n = 0; n < 4; ++n) {
      sum += loaded[n].x ^ loaded[n].y ^ loaded[n].z ^ loaded[n].w;
    }
  }
  if (sum == 0x12345678U) {
    *sink = sum;
  }
}

// One sector of each line.
__global__ void read_sectors(const uint32_t* memory, size_t lines, uint32_t* sink) {
  const size_t step = size_t{gridDim.x} * blockDim.x;
  uint32_t sum = 0;
  for (size_t i = size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < lines; i += step) {
    sum += __ldcg(memory + i * 32);
  }
  if (sum == 0x12345678U) {
    *sink = sum;
  }
}

// The next address depends on the loaded word, but not on its value.
__global__ void chain(const uint32_t* memory, size_t words, int steps, long long* cycles, uint32_t* sink) {
  uint32_t at = 12345;
  uint32_t loaded = 0;
  const long long begin = clock64();
  for (int i = 0; i < steps; ++i) {
    at = mixed(at + static_cast<uint32_t>(i));
    loaded = __ldcg(memory + (at % (words / 32)) * 32 + (loaded == 0x9e3779b9U ? 1 : 0));
    at += loaded == 0x9e3779b9U ? 1 : 0;
  }
  *cycles = (clock64() - begin) / steps;
  *sink = at + loaded;
}

struct Memory {
  CUdeviceptr address = 0;
  bool compressed = false;
};

Memory allocate(size_t bytes, bool compressible) {
  CUmemAllocationProp properties;
  std::memset(&properties, 0, sizeof properties);
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  properties.location.id = 0;
  properties.allocFlags.compressionType = compressible ? CU_MEM_ALLOCATION_COMP_GENERIC : 0;
  size_t granularity = 0;
  CHECK_DRIVER(cuMemGetAllocationGranularity(&granularity, &properties, CU_MEM_ALLOC_GRANULARITY_RECOMMENDED));
  bytes = (bytes + granularity - 1) / granularity * granularity;
  CUmemGenericAllocationHandle handle;
  CHECK_DRIVER(cuMemCreate(&handle, bytes, &properties, 0));
  CUmemAllocationProp obtained;
  CHECK_DRIVER(cuMemGetAllocationPropertiesFromHandle(&obtained, handle));
  Memory memory;
  memory.compressed = obtained.allocFlags.compressionType == CU_MEM_ALLOCATION_COMP_GENERIC;
  CHECK_DRIVER(cuMemAddressReserve(&memory.address, bytes, 0, 0, 0));
  CHECK_DRIVER(cuMemMap(memory.address, bytes, 0, handle, 0));
  CUmemAccessDesc access;
  std::memset(&access, 0, sizeof access);
  access.location = properties.location;
  access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  CHECK_DRIVER(cuMemSetAccess(memory.address, bytes, &access, 1));
  return memory;
}

template <typename Launch>
double median_ms(Launch&& launch, int runs) {
  cudaEvent_t begin, end;
  CHECK(cudaEventCreate(&begin));
  CHECK(cudaEventCreate(&end));
  std::vector<float> times;
  for (int i = 0; i < runs; ++i) {
    CHECK(cudaEventRecord(begin));
    launch();
    CHECK(cudaEventRecord(end));
    CHECK(cudaEventSynchronize(end));
    float ms = 0;
    CHECK(cudaEventElapsedTime(&ms, begin, end));
    times.push_back(ms);
  }
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

}  // namespace

int main(int argc, char**) {
  const bool traffic = argc > 1;
  CHECK(cudaFree(nullptr));
  int supported = 0;
  CHECK_DRIVER(cuDeviceGetAttribute(&supported, CU_DEVICE_ATTRIBUTE_GENERIC_COMPRESSION_SUPPORTED, 0));
  uint32_t* sink;
  long long* cycles;
  CHECK(cudaMalloc(&sink, 4));
  CHECK(cudaMalloc(&cycles, 8));
  const size_t quads = kBytes / 16;
  if (!traffic) {
    std::printf("what,kind,memory,mib,value,unit\nsupported,,,,%d,\n", supported);
  }
  for (const bool compressible : {false, true}) {
    const Memory memory = allocate(kBytes, compressible);
    const char* const name = compressible ? "compressible" : "usual";
    auto* const quad = reinterpret_cast<uint4*>(memory.address);
    auto* const single = reinterpret_cast<uint32_t*>(memory.address);
    if (!traffic) {
      std::printf("obtained,,%s,,%d,\n", name, memory.compressed ? 1 : 0);
    }
    for (int kind = 0; kind < kKinds; ++kind) {
      const auto write = [&] { write_all<<<kBlocks, kThreads>>>(quad, quads, kind); };
      const auto read = [&] { read_all<<<kBlocks, kThreads>>>(quad, quads, sink); };
      const auto sectors = [&] { read_sectors<<<kBlocks, kThreads>>>(single, kBytes / 128, sink); };
      if (traffic) {
        write();
        read();
        sectors();
        CHECK(cudaDeviceSynchronize());
        continue;
      }
      const double gigabyte = 1e-6 * kBytes;
      std::printf("write,%s,%s,1024,%.0f,GB/s\n", kNames[kind], name, gigabyte / median_ms(write, 9));
      std::printf("read,%s,%s,1024,%.0f,GB/s\n", kNames[kind], name, gigabyte / median_ms(read, 9));
      std::printf("sectors,%s,%s,1024,%.1f,lines/ns\n", kNames[kind], name,
                  1e-6 * (kBytes / 128) / median_ms(sectors, 9));
      chain<<<1, 1>>>(single, kBytes / 4, 20000, cycles, sink);
      long long taken = 0;
      CHECK(cudaMemcpy(&taken, cycles, 8, cudaMemcpyDeviceToHost));
      std::printf("latency,%s,%s,1024,%lld,cycles\n", kNames[kind], name, taken);
      if (kind == kZero || kind == kBytesInWords || kind == kRandom) {
        for (const size_t mib : {24, 40, 56, 80, 120, 160, 240}) {
          const auto again = [&] { read_all<<<kBlocks, kThreads>>>(quad, mib * kMib / 16, sink); };
          again();
          std::printf("again,%s,%s,%zu,%.0f,GB/s\n", kNames[kind], name, mib, 1e-6 * mib * kMib / median_ms(again, 15));
        }
      }
    }
    CHECK(cudaDeviceSynchronize());
  }
  return 0;
}
