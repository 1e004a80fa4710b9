// Which sectors texture fetches and surface accesses read: by format, by shape of the texture, by filter and by the
// rectangle of texels that the lanes of a warp access. Each line of the output is a launch of one warp that accesses
// the rectangle once; a profiler that prints its counters by launch gives the sectors in the same order (run.sh).
//
// With the argument "latency": cycles of a fetch that depends on the one before, for footprints in L1, L2 and DRAM, and
// bytes that an SM and the GPU read in a cycle.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "../cuda_check.h"

namespace {

enum class Kind { kLinear1d, k1d, k2d, k3d, kLayered, kCube, kGather, kSurfaceRead, kSurfaceWrite };

__device__ float sum_of(float v) {
  return v;
}
__device__ float sum_of(float2 v) {
  return v.x + v.y;
}
__device__ float sum_of(float4 v) {
  return v.x + v.y + v.z + v.w;
}
__device__ float sum_of(uchar4 v) {
  return static_cast<float>(v.x + v.y + v.z + v.w);
}
__device__ float sum_of(unsigned char v) {
  return static_cast<float>(v);
}
__device__ float sum_of(unsigned short v) {
  return static_cast<float>(v);
}

template <typename T, Kind kKind>
__device__ float fetch(cudaTextureObject_t texture, cudaSurfaceObject_t surface, float x, float y, float z) {
  if constexpr (kKind == Kind::kLinear1d) {
    return sum_of(tex1Dfetch<T>(texture, static_cast<int>(x) + 64 * static_cast<int>(y)));
  } else if constexpr (kKind == Kind::k1d) {
    return sum_of(tex1D<T>(texture, x));
  } else if constexpr (kKind == Kind::k2d) {
    return sum_of(tex2D<T>(texture, x, y));
  } else if constexpr (kKind == Kind::k3d) {
    return sum_of(tex3D<T>(texture, x, y, z));
  } else if constexpr (kKind == Kind::kLayered) {
    return sum_of(tex2DLayered<T>(texture, x, y, static_cast<int>(z)));
  } else if constexpr (kKind == Kind::kCube) {
    return sum_of(texCubemap<T>(texture, x * 0.02F - 0.6F, y * 0.02F - 0.6F, 1.0F));
  } else if constexpr (kKind == Kind::kGather) {
    return sum_of(tex2Dgather<float4>(texture, x, y, 0));
  } else if constexpr (kKind == Kind::kSurfaceRead) {
    return sum_of(surf2Dread<T>(surface, static_cast<int>(x) * static_cast<int>(sizeof(T)), static_cast<int>(y)));
  } else {
    surf2Dwrite(T{}, surface, static_cast<int>(x) * static_cast<int>(sizeof(T)), static_cast<int>(y));
    return 0;
  }
}

// A lane accesses the texel at `x`, `y` in a rectangle of `width` by 32 / width by `slices` texels, `step` apart.
struct Rectangle {
  float x;
  float y;
  float z;
  int width;
  int height;
  float step;
};

template <typename T, Kind kKind>
__global__ void access(cudaTextureObject_t texture, cudaSurfaceObject_t surface, Rectangle at, float* out) {
  const int lane = static_cast<int>(threadIdx.x);
  const float x = at.x + static_cast<float>(lane % at.width) * at.step;
  const float y = at.y + static_cast<float>(lane / at.width % at.height) * at.step;
  const float z = at.z + static_cast<float>(lane / at.width / at.height) * at.step;
  out[lane] = fetch<T, kKind>(texture, surface, x, y, z);
}

float* device_out = nullptr;

template <typename T, Kind kKind>
void access_all(const char* name, cudaTextureObject_t texture, cudaSurfaceObject_t surface) {
  const Rectangle rectangles[] = {{0.5F, 0.5F, 0.5F, 32, 1, 1},   {0.5F, 0.5F, 0.5F, 16, 2, 1},
                                  {0.5F, 0.5F, 0.5F, 8, 4, 1},    {0.5F, 0.5F, 0.5F, 4, 8, 1},
                                  {0.5F, 0.5F, 0.5F, 2, 16, 1},   {0.5F, 0.5F, 0.5F, 1, 32, 1},
                                  {4.5F, 2.5F, 1.5F, 8, 4, 1},    {1.5F, 1.5F, 0.5F, 8, 4, 1},
                                  {0.75F, 0.75F, 0.5F, 8, 4, 1},  {0.75F, 0.75F, 0.75F, 32, 1, 1},
                                  {0.75F, 0.75F, 0.75F, 1, 32, 1}, {0.5F, 0.5F, 0.5F, 4, 4, 1},
                                  {0.5F, 0.5F, 0.5F, 8, 4, 4},    {0.5F, 0.5F, 0.5F, 32, 1, 2}};
  for (const Rectangle& each : rectangles) {
    access<T, kKind><<<1, 32>>>(texture, surface, each, device_out);
    CHECK(cudaDeviceSynchronize());
    std::printf("%s,%.2f %.2f %.2f,%dx%d,%g\n", name, each.x, each.y, each.z, each.width, each.height, each.step);
  }
  std::fflush(stdout);
}

struct Objects {
  cudaTextureObject_t texture = 0;
  cudaSurfaceObject_t surface = 0;
};

template <typename T>
Objects make(int x, int y, int z, unsigned flags, bool linear, bool normalized) {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<T>();
  cudaArray_t array = nullptr;
  CHECK(cudaMalloc3DArray(&array, &format, make_cudaExtent(x, y, z), flags | cudaArraySurfaceLoadStore));
  std::vector<unsigned char> zeros(static_cast<std::size_t>(x) * (y == 0 ? 1 : y) * (z == 0 ? 1 : z) * sizeof(T));
  cudaMemcpy3DParms copy{};
  copy.srcPtr = make_cudaPitchedPtr(zeros.data(), x * sizeof(T), x, y == 0 ? 1 : y);
  copy.dstArray = array;
  copy.extent = make_cudaExtent(x, y == 0 ? 1 : y, z == 0 ? 1 : z);
  copy.kind = cudaMemcpyHostToDevice;
  CHECK(cudaMemcpy3D(&copy));
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc description{};
  description.filterMode = linear ? cudaFilterModeLinear : cudaFilterModePoint;
  description.readMode = normalized ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
  for (auto& mode : description.addressMode) {
    mode = cudaAddressModeClamp;
  }
  Objects objects;
  CHECK(cudaCreateTextureObject(&objects.texture, &resource, &description, nullptr));
  CHECK(cudaCreateSurfaceObject(&objects.surface, &resource));
  return objects;
}

template <typename T>
cudaTextureObject_t linear_memory(std::size_t count, bool pitched) {
  void* data = nullptr;
  CHECK(cudaMalloc(&data, count * sizeof(T)));
  CHECK(cudaMemset(data, 0, count * sizeof(T)));
  cudaResourceDesc resource{};
  if (pitched) {
    resource.resType = cudaResourceTypePitch2D;
    resource.res.pitch2D.devPtr = data;
    resource.res.pitch2D.desc = cudaCreateChannelDesc<T>();
    resource.res.pitch2D.width = 64;
    resource.res.pitch2D.height = count / 64;
    resource.res.pitch2D.pitchInBytes = 64 * sizeof(T);
  } else {
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = data;
    resource.res.linear.desc = cudaCreateChannelDesc<T>();
    resource.res.linear.sizeInBytes = count * sizeof(T);
  }
  cudaTextureDesc description{};
  description.addressMode[0] = description.addressMode[1] = cudaAddressModeClamp;
  cudaTextureObject_t texture = 0;
  CHECK(cudaCreateTextureObject(&texture, &resource, &description, nullptr));
  return texture;
}

template <typename T, Kind kKind>
void access_array(const char* name, int x, int y, int z, unsigned flags, bool linear, bool normalized = false) {
  const Objects objects = make<T>(x, y, z, flags, linear, normalized);
  access_all<T, kKind>(name, objects.texture, objects.surface);
}

// --- latency and rate ---

struct Timing {
  long long cycles;
  float sum;
};

// One lane, `step` texels further at each fetch, twice through the footprint.
__global__ void chase(cudaTextureObject_t texture, int count, int step, float zero, Timing* out) {
  float sum = 0;
  long long begin = 0;
  for (int repetition = 0; repetition < 2; ++repetition) {
    int at = 0;
    begin = clock64();
    for (int i = 0; i < count; ++i) {
      const float value = tex1Dfetch<float>(texture, at);
      sum += value;
      at = at + step + static_cast<int>(value * zero);
    }
    begin = clock64() - begin;
  }
  *out = {begin, sum};
}

__global__ void chase_rows(cudaTextureObject_t texture, int count, int columns, float zero, Timing* out) {
  float sum = 0;
  long long begin = 0;
  for (int repetition = 0; repetition < 2; ++repetition) {
    float x = 0.5F;
    float y = 0.5F;
    begin = clock64();
    for (int i = 0; i < count; ++i) {
      const float value = tex2D<float>(texture, x, y);
      sum += value;
      x += 16.0F + value * zero;
      if (x > static_cast<float>(columns)) {
        x = 0.5F;
        y += 8.0F;
      }
    }
    begin = clock64() - begin;
  }
  *out = {begin, sum};
}

// All warps read texels of a large texture, row by row.
__global__ void stream(cudaTextureObject_t texture, int per_thread, int columns, int repetitions, Timing* out) {
  const int tile = static_cast<int>(blockIdx.x);
  const int tiles_per_row = columns / 32;
  float sum = 0;
  __syncthreads();
  const long long begin = clock64();
  for (int repetition = 0; repetition < repetitions; ++repetition) {
    for (int i = 0; i < per_thread; ++i) {
      const int number = tile * per_thread + i;
      const float x = static_cast<float>(number % tiles_per_row * 32 + static_cast<int>(threadIdx.x % 32)) + 0.5F;
      const float y = static_cast<float>(number / tiles_per_row * 32 + static_cast<int>(threadIdx.x / 32)) + 0.5F;
      sum += tex2D<float>(texture, x, y);
    }
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    out[tile] = {clock64() - begin, sum};
  }
}

void measure_latency() {
  Timing* result = nullptr;
  CHECK(cudaMalloc(&result, 4096 * sizeof(Timing)));
  Timing host[4096];
  const cudaTextureObject_t buffer = linear_memory<float>(std::size_t{1} << 26U, false);
  std::printf("access,footprint_bytes,cycles\n");
  for (const std::size_t kib : {16U, 64U, 1024U, 8192U, 131072U}) {
    const int step = 64;
    const auto count = static_cast<int>(kib * 1024 / 4 / step);
    chase<<<1, 1>>>(buffer, count, step, 0.0F, result);
    CHECK(cudaMemcpy(host, result, sizeof(Timing), cudaMemcpyDeviceToHost));
    std::printf("tex1Dfetch,%zu,%.1f\n", kib * 1024, static_cast<double>(host[0].cycles) / count);
  }
  for (const int rows : {64, 1024, 8192}) {
    const int columns = 4096;
    const Objects objects = make<float>(columns, rows, 0, 0, false, false);
    const int count = columns / 16 * (rows / 8);
    chase_rows<<<1, 1>>>(objects.texture, count, columns, 0.0F, result);
    CHECK(cudaMemcpy(host, result, sizeof(Timing), cudaMemcpyDeviceToHost));
    std::printf("tex2D,%zu,%.1f\n", static_cast<std::size_t>(columns) * rows * 4,
                static_cast<double>(host[0].cycles) / count);
    const int tiles = columns / 32 * (rows / 32);
    for (const int blocks : {1, 132}) {
      const int per_thread = tiles / blocks;
      if (per_thread == 0) {
        continue;
      }
      const int used = per_thread > 64 ? 64 : per_thread;
      stream<<<blocks, 1024>>>(objects.texture, used, columns, 2, result);
      CHECK(cudaMemcpy(host, result, sizeof(Timing) * blocks, cudaMemcpyDeviceToHost));
      std::printf("tex2D stream of %d blocks,%zu,%lld\n", blocks, static_cast<std::size_t>(used) * 4096 * blocks,
                  host[0].cycles);
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  CHECK(cudaMalloc(&device_out, 32 * sizeof(float)));
  if (argc > 1 && std::strcmp(argv[1], "latency") == 0) {
    measure_latency();
    return 0;
  }
  std::printf("access,first,rectangle,step\n");
  access_all<float, Kind::kLinear1d>("tex1Dfetch.float", linear_memory<float>(8192, false), 0);
  access_all<float4, Kind::kLinear1d>("tex1Dfetch.float4", linear_memory<float4>(8192, false), 0);
  access_all<float, Kind::k2d>("pitched.float", linear_memory<float>(8192, true), 0);
  access_array<float, Kind::k1d>("tex1D.float.point", 256, 0, 0, 0, false);
  access_array<unsigned char, Kind::k2d>("tex2D.uchar.point", 128, 128, 0, 0, false);
  access_array<unsigned short, Kind::k2d>("tex2D.ushort.point", 128, 128, 0, 0, false);
  access_array<float, Kind::k2d>("tex2D.float.point", 128, 128, 0, 0, false);
  access_array<float, Kind::k2d>("tex2D.float.linear", 128, 128, 0, 0, true);
  access_array<float2, Kind::k2d>("tex2D.float2.point", 128, 128, 0, 0, false);
  access_array<float4, Kind::k2d>("tex2D.float4.point", 128, 128, 0, 0, false);
  access_array<float4, Kind::k2d>("tex2D.float4.linear", 128, 128, 0, 0, true);
  access_array<uchar4, Kind::k2d>("tex2D.uchar4.point", 128, 128, 0, 0, false);
  access_array<float, Kind::kGather>("tex2Dgather.float", 128, 128, 0, cudaArrayTextureGather, false);
  access_array<float, Kind::k3d>("tex3D.float.point", 64, 64, 64, 0, false);
  access_array<float, Kind::k3d>("tex3D.float.linear", 64, 64, 64, 0, true);
  access_array<unsigned char, Kind::k3d>("tex3D.uchar.point", 64, 64, 64, 0, false);
  access_array<float, Kind::kLayered>("tex2DLayered.float.point", 64, 64, 8, cudaArrayLayered, false);
  access_array<float, Kind::kCube>("texCubemap.float.point", 64, 64, 6, cudaArrayCubemap, false);
  access_array<float, Kind::kSurfaceRead>("surf2Dread.float", 128, 128, 0, 0, false);
  access_array<float, Kind::kSurfaceWrite>("surf2Dwrite.float", 128, 128, 0, 0, false);
  return 0;
}
