// Texture fetches and surface accesses: cycles of an SM per instruction of a warp with many warps, and cycles from one
// to the next that depends on it, by kind of texture, filter, type and pattern of coordinates. Textures are small
// enough to stay in L1, but for those named "large".
#include <cstdint>
#include <cstdio>
#include <vector>

#include "../cuda_check.h"

namespace {

constexpr int kSteps = 64;
constexpr int kBatch = 8;       // fetches of a warp at a time
constexpr int kLargest = 1024;  // threads

enum class Kind { kLinear1d, k1d, k2d, k3d, kLayered, kCube, kGather, kLod, kSurfaceRead, kSurfaceWrite };
enum class Pattern { kRow, kQuad, kColumn, kSame, kScattered, kRowBetween, kQuadBetween };

struct Place {
  int x = 0;
  int y = 0;
};

__device__ Place place_of(Pattern pattern, int lane) {
  switch (pattern) {
    case Pattern::kRow:
    case Pattern::kRowBetween:
      return {lane, 0};
    case Pattern::kQuad:
    case Pattern::kQuadBetween:
      return {lane % 8, lane / 8};
    case Pattern::kColumn:
      return {0, lane};
    case Pattern::kSame:
      return {3, 5};
    case Pattern::kScattered:
      return {lane * 7 % 32, lane * 11 % 32};
  }
  return {};
}

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

template <typename T, Kind kKind>
__device__ float fetch(cudaTextureObject_t texture, cudaSurfaceObject_t surface, float x, float y, float z) {
  if constexpr (kKind == Kind::kLinear1d) {
    return sum_of(tex1Dfetch<T>(texture, static_cast<int>(x) + 32 * static_cast<int>(y)));
  } else if constexpr (kKind == Kind::k1d) {
    return sum_of(tex1D<T>(texture, x));
  } else if constexpr (kKind == Kind::k2d) {
    return sum_of(tex2D<T>(texture, x, y));
  } else if constexpr (kKind == Kind::k3d) {
    return sum_of(tex3D<T>(texture, x, y, z));
  } else if constexpr (kKind == Kind::kLayered) {
    return sum_of(tex2DLayered<T>(texture, x, y, 1));
  } else if constexpr (kKind == Kind::kCube) {
    return sum_of(texCubemap<T>(texture, x * 0.01F, y * 0.01F, 1.0F));
  } else if constexpr (kKind == Kind::kGather) {
    return sum_of(tex2Dgather<float4>(texture, x, y, 0));
  } else if constexpr (kKind == Kind::kLod) {
    return sum_of(tex2DLod<T>(texture, x, y, 0.0F));
  } else if constexpr (kKind == Kind::kSurfaceRead) {
    return sum_of(surf2Dread<T>(surface, static_cast<int>(x) * static_cast<int>(sizeof(T)), static_cast<int>(y)));
  } else {
    surf2Dwrite(T{}, surface, static_cast<int>(x) * static_cast<int>(sizeof(T)), static_cast<int>(y));
    return 0;
  }
}

struct Result {
  long long cycles = 0;
};

template <typename T, Kind kKind, bool kDependent>
__global__ void __launch_bounds__(kLargest)
    measure(cudaTextureObject_t texture, cudaSurfaceObject_t surface, Pattern pattern, float zero, Result* result) {
  const Place place = place_of(pattern, static_cast<int>(threadIdx.x % 32));
  // Between texels in all dimensions, so that a filter needs all of its texels.
  const bool between = pattern == Pattern::kRowBetween || pattern == Pattern::kQuadBetween;
  const float first = between ? 0.75F : 0.5F;
  __shared__ volatile float sink[kLargest];
  float sum = 0;
  long long cycles = 0;
  for (int repetition = 0; repetition < 2; ++repetition) {  // the first one brings the data
    float x = static_cast<float>(place.x) + first;
    float y = static_cast<float>(place.y) + first;
    __syncthreads();
    const long long begin = clock64();
    x += zero * static_cast<float>(static_cast<int>(begin));  // else the compiler reads the clock after the fetches
    for (int i = 0; i < kSteps / kBatch; ++i) {
#pragma unroll
      for (int k = 0; k < kBatch; ++k) {
        const float value = fetch<T, kKind>(texture, surface, x, y, first + 1.0F);
        x += kDependent ? value * zero : zero;  // of which the compiler knows nothing
        sum += value;
      }
    }
    sink[threadIdx.x] = sum;  // before the barrier, and so before the clock
    __syncthreads();
    cycles = clock64() - begin;
  }
  if (threadIdx.x == 0 && blockIdx.x == 0) {
    result->cycles = cycles;
  }
}

Result* device_result = nullptr;

template <typename T, Kind kKind>
void run(const char* name, cudaTextureObject_t texture, cudaSurfaceObject_t surface) {
  constexpr const char* kPatterns[] = {"row", "quad", "column", "same", "scattered", "row_between", "quad_between"};
  for (int pattern = 0; pattern < 7; ++pattern) {
    long long cycles[3] = {};
    for (int test = 0; test < 3; ++test) {
      const int threads = test == 0 ? 32 : test == 1 ? 512 : 1024;
      if (test == 0) {
        measure<T, kKind, true><<<1, threads>>>(texture, surface, Pattern{pattern}, 0.0F, device_result);
      } else {
        measure<T, kKind, false><<<1, threads>>>(texture, surface, Pattern{pattern}, 0.0F, device_result);
      }
      Result result;
      CHECK(cudaMemcpy(&result, device_result, sizeof(result), cudaMemcpyDeviceToHost));
      cycles[test] = result.cycles;
    }
    std::printf("%s,%s,%.1f,%.2f,%.2f\n", name, kPatterns[pattern], static_cast<double>(cycles[0]) / kSteps,
                static_cast<double>(cycles[1]) / kSteps / 16, static_cast<double>(cycles[2]) / kSteps / 32);
    std::fflush(stdout);
  }
}

template <typename T>
cudaTextureObject_t make(cudaArray_t array, bool linear, bool normalized, cudaSurfaceObject_t* surface = nullptr) {
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc description{};
  description.filterMode = linear ? cudaFilterModeLinear : cudaFilterModePoint;
  description.readMode = normalized ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
  for (auto& mode : description.addressMode) {
    mode = cudaAddressModeClamp;
  }
  cudaTextureObject_t texture = 0;
  CHECK(cudaCreateTextureObject(&texture, &resource, &description, nullptr));
  if (surface != nullptr) {
    CHECK(cudaCreateSurfaceObject(surface, &resource));
  }
  return texture;
}

template <typename T>
cudaArray_t array_of(int x, int y, int z, unsigned flags, cudaChannelFormatDesc format = cudaCreateChannelDesc<T>()) {
  cudaArray_t array = nullptr;
  CHECK(cudaMalloc3DArray(&array, &format, make_cudaExtent(x, y, z), flags));
  std::vector<unsigned char> zeros(static_cast<std::size_t>(x) * (y == 0 ? 1 : y) * (z == 0 ? 1 : z) * sizeof(T));
  cudaMemcpy3DParms copy{};
  copy.srcPtr = make_cudaPitchedPtr(zeros.data(), x * sizeof(T), x, y == 0 ? 1 : y);
  copy.dstArray = array;
  copy.extent = make_cudaExtent(x, y == 0 ? 1 : y, z == 0 ? 1 : z);
  copy.kind = cudaMemcpyHostToDevice;
  CHECK(cudaMemcpy3D(&copy));
  return array;
}

cudaArray_t halves_of_4(int x, int y, int z) {
  return array_of<ushort4>(x, y, z, 0, cudaCreateChannelDesc(16, 16, 16, 16, cudaChannelFormatKindFloat));
}

}  // namespace

int main() {
  CHECK(cudaMalloc(&device_result, sizeof(Result)));
  std::printf("fetch,pattern,latency_cycles,cycles_per_instruction_16_warps,cycles_per_instruction_32_warps\n");
  float* linear = nullptr;
  CHECK(cudaMalloc(&linear, 4096 * sizeof(float4)));
  CHECK(cudaMemset(linear, 0, 4096 * sizeof(float4)));
  const auto of_memory = [&](cudaChannelFormatDesc format, std::size_t bytes) {
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = linear;
    resource.res.linear.desc = format;
    resource.res.linear.sizeInBytes = bytes;
    cudaTextureDesc description{};
    cudaTextureObject_t texture = 0;
    CHECK(cudaCreateTextureObject(&texture, &resource, &description, nullptr));
    return texture;
  };
  const auto of_rows = [&](bool linear_filter) {
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypePitch2D;
    resource.res.pitch2D.devPtr = linear;
    resource.res.pitch2D.desc = cudaCreateChannelDesc<float>();
    resource.res.pitch2D.width = 64;
    resource.res.pitch2D.height = 64;
    resource.res.pitch2D.pitchInBytes = 64 * sizeof(float);
    cudaTextureDesc description{};
    description.filterMode = linear_filter ? cudaFilterModeLinear : cudaFilterModePoint;
    description.addressMode[0] = description.addressMode[1] = cudaAddressModeClamp;
    cudaTextureObject_t texture = 0;
    CHECK(cudaCreateTextureObject(&texture, &resource, &description, nullptr));
    return texture;
  };
  run<float, Kind::kLinear1d>("tex1Dfetch.float", of_memory(cudaCreateChannelDesc<float>(), 4096 * 4), 0);
  run<float4, Kind::kLinear1d>("tex1Dfetch.float4", of_memory(cudaCreateChannelDesc<float4>(), 4096 * 16), 0);
  run<float, Kind::k1d>("tex1D.float.point", make<float>(array_of<float>(64, 0, 0, 0), false, false), 0);
  run<float, Kind::k1d>("tex1D.float.linear", make<float>(array_of<float>(64, 0, 0, 0), true, false), 0);
  run<float2, Kind::kLinear1d>("tex1Dfetch.float2", of_memory(cudaCreateChannelDesc<float2>(), 4096 * 8), 0);
  run<float, Kind::k2d>("tex2D.pitched.float.point", of_rows(false), 0);
  run<float, Kind::k2d>("tex2D.pitched.float.linear", of_rows(true), 0);
  run<float, Kind::k2d>("tex2D.float.point", make<float>(array_of<float>(64, 64, 0, 0), false, false), 0);
  run<float, Kind::k2d>("tex2D.float.linear", make<float>(array_of<float>(64, 64, 0, 0), true, false), 0);
  run<float2, Kind::k2d>("tex2D.float2.point", make<float2>(array_of<float2>(64, 64, 0, 0), false, false), 0);
  run<float2, Kind::k2d>("tex2D.float2.linear", make<float2>(array_of<float2>(64, 64, 0, 0), true, false), 0);
  run<float4, Kind::k2d>("tex2D.half4.linear", make<ushort4>(halves_of_4(64, 64, 0), true, false), 0);
  run<float4, Kind::k2d>("tex2D.ushort4.normalized.linear", make<ushort4>(array_of<ushort4>(64, 64, 0, 0), true, true), 0);
  run<float4, Kind::k2d>("tex2D.float4.point", make<float4>(array_of<float4>(64, 64, 0, 0), false, false), 0);
  run<float4, Kind::k2d>("tex2D.float4.linear", make<float4>(array_of<float4>(64, 64, 0, 0), true, false), 0);
  run<unsigned char, Kind::k2d>("tex2D.uchar.point",
                                make<unsigned char>(array_of<unsigned char>(64, 64, 0, 0), false, false), 0);
  run<float, Kind::k2d>("tex2D.uchar.normalized.linear",
                        make<unsigned char>(array_of<unsigned char>(64, 64, 0, 0), true, true), 0);
  run<uchar4, Kind::k2d>("tex2D.uchar4.point", make<uchar4>(array_of<uchar4>(64, 64, 0, 0), false, false), 0);
  run<float4, Kind::k2d>("tex2D.uchar4.normalized.linear", make<uchar4>(array_of<uchar4>(64, 64, 0, 0), true, true), 0);
  run<float, Kind::kLod>("tex2DLod.float.point", make<float>(array_of<float>(64, 64, 0, 0), false, false), 0);
  run<float, Kind::kLod>("tex2DLod.float.linear", make<float>(array_of<float>(64, 64, 0, 0), true, false), 0);
  run<float4, Kind::kLod>("tex2DLod.float4.point", make<float4>(array_of<float4>(64, 64, 0, 0), false, false), 0);
  run<float, Kind::kGather>("tex2Dgather.float",
                            make<float>(array_of<float>(64, 64, 0, cudaArrayTextureGather), false, false), 0);
  run<float, Kind::k3d>("tex3D.float.point", make<float>(array_of<float>(32, 32, 4, 0), false, false), 0);
  run<float, Kind::k3d>("tex3D.float.linear", make<float>(array_of<float>(32, 32, 4, 0), true, false), 0);
  run<float2, Kind::k3d>("tex3D.float2.linear", make<float2>(array_of<float2>(32, 32, 4, 0), true, false), 0);
  run<float4, Kind::k3d>("tex3D.float4.point", make<float4>(array_of<float4>(32, 32, 4, 0), false, false), 0);
  run<float4, Kind::k3d>("tex3D.float4.linear", make<float4>(array_of<float4>(32, 32, 4, 0), true, false), 0);
  run<float4, Kind::k3d>("tex3D.uchar4.normalized.linear", make<uchar4>(array_of<uchar4>(32, 32, 4, 0), true, true), 0);
  run<float, Kind::kLayered>("tex2DLayered.float.point",
                             make<float>(array_of<float>(64, 64, 2, cudaArrayLayered), false, false), 0);
  run<float, Kind::kCube>("texCubemap.float.point",
                          make<float>(array_of<float>(64, 64, 6, cudaArrayCubemap), false, false), 0);
  cudaSurfaceObject_t surface = 0;
  cudaTextureObject_t texture =
      make<float>(array_of<float>(64, 64, 0, cudaArraySurfaceLoadStore), false, false, &surface);
  run<float, Kind::kSurfaceRead>("surf2Dread.float", texture, surface);
  run<float, Kind::kSurfaceWrite>("surf2Dwrite.float", texture, surface);
  texture = make<float4>(array_of<float4>(64, 64, 0, cudaArraySurfaceLoadStore), false, false, &surface);
  run<float4, Kind::kSurfaceRead>("surf2Dread.float4", texture, surface);
  run<float4, Kind::kSurfaceWrite>("surf2Dwrite.float4", texture, surface);
  return 0;
}
