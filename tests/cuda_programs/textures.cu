// Textures and surfaces of all shapes, compared with the formulas of the CUDA programming guide.
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                                      \
  do {                                                                                   \
    const cudaError_t error = (call);                                                    \
    if (error != cudaSuccess) {                                                          \
      std::printf("line %d: %s: %s\n", __LINE__, #call, cudaGetErrorString(error));      \
      std::exit(1);                                                                      \
    }                                                                                    \
  } while (false)

namespace {

int failures = 0;

void compare(const char* what, int index, double got, double expected, double tolerance) {
  if (std::fabs(got - expected) <= tolerance) {
    return;
  }
  if (++failures <= 20) {
    std::printf("%s, %d: %.9g instead of %.9g\n", what, index, got, expected);
  }
}

// --- the guide's formulas ---

struct Modes {
  cudaTextureAddressMode address;
  bool linear;
  bool normalized;
};

// -1: the border.
long place(const Modes& modes, long i, long n) {
  cudaTextureAddressMode mode = modes.address;
  if (!modes.normalized && (mode == cudaAddressModeWrap || mode == cudaAddressModeMirror)) {
    mode = cudaAddressModeClamp;
  }
  if (i >= 0 && i < n) {
    return i;
  }
  switch (mode) {
    case cudaAddressModeWrap:
      return ((i % n) + n) % n;
    case cudaAddressModeMirror: {
      const long period = ((i % (2 * n)) + 2 * n) % (2 * n);
      return period < n ? period : 2 * n - 1 - period;
    }
    case cudaAddressModeClamp:
      return i < 0 ? 0 : n - 1;
    default:
      return -1;
  }
}

struct Volume {
  std::vector<float> texels;
  long size[3] = {1, 1, 1};
  float border = 0;
  float at(const Modes& modes, const long (&index)[3]) const {
    long found[3];
    for (int i = 0; i < 3; ++i) {
      found[i] = place(modes, index[i], size[i]);
      if (found[i] < 0) {
        return border;
      }
    }
    return texels[(found[2] * size[1] + found[1]) * size[0] + found[0]];
  }
};

double reference(const Volume& volume, const Modes& modes, int dimensions, const float (&at)[3]) {
  long index[3] = {};
  double weight[3] = {};
  for (int i = 0; i < dimensions; ++i) {
    double x = modes.normalized ? double{at[i]} * volume.size[i] : at[i];
    if (modes.linear) {
      x = std::floor((x - 0.5) * 256 + 0.5) / 256;  // 8 bits of fraction
    }
    index[i] = static_cast<long>(std::floor(x));
    weight[i] = x - std::floor(x);
  }
  if (!modes.linear) {
    return volume.at(modes, index);
  }
  double sum = 0;
  for (int corner = 0; corner < 1 << dimensions; ++corner) {
    double product = 1;
    long texel[3] = {};
    for (int i = 0; i < dimensions; ++i) {
      const bool upper = (corner >> i & 1) != 0;
      texel[i] = index[i] + (upper ? 1 : 0);
      product *= upper ? weight[i] : 1 - weight[i];
    }
    sum += product * volume.at(modes, texel);
  }
  return sum;
}

// --- kernels ---

__global__ void sample(cudaTextureObject_t texture, int dimensions, const float3* at, float* out, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) {
    out[i] = dimensions == 1   ? tex1D<float>(texture, at[i].x)
             : dimensions == 2 ? tex2D<float>(texture, at[i].x, at[i].y)
                               : tex3D<float>(texture, at[i].x, at[i].y, at[i].z);
  }
}

__global__ void sample_layer(cudaTextureObject_t texture, int dimensions, const float3* at, float* out, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) {
    out[i] = dimensions == 1 ? tex1DLayered<float>(texture, at[i].x, static_cast<int>(at[i].z))
                             : tex2DLayered<float>(texture, at[i].x, at[i].y, static_cast<int>(at[i].z));
  }
}

__global__ void sample_cube(cudaTextureObject_t texture, const float3* at, float* out, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) {
    out[i] = texCubemap<float>(texture, at[i].x, at[i].y, at[i].z);
  }
}

__global__ void fetch(cudaTextureObject_t texture, int4* out, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) {
    const short4 texel = tex1Dfetch<short4>(texture, i - 2);
    out[i] = make_int4(texel.x, texel.y, texel.z, texel.w);
  }
}

template <class T>
__global__ void sample_four(cudaTextureObject_t texture, float4* out, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) {
    out[i] = tex2D<T>(texture, i % 8 + 0.5F, i / 8 + 0.5F);
  }
}

__global__ void gather(cudaTextureObject_t texture, float4* out, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) {
    out[i] = tex2Dgather<float4>(texture, i % 8 + 0.25F, i / 8 + 0.75F, 0);
  }
}

__global__ void turn(cudaSurfaceObject_t from, cudaSurfaceObject_t to, int side) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  uchar4 texel;
  surf2Dread(&texel, from, x * 4, y, cudaBoundaryModeClamp);
  // Texels outside are not written.
  surf2Dwrite(make_uchar4(texel.w, texel.z, texel.y, texel.x), to, (side - 1 - y) * 4, x, cudaBoundaryModeZero);
}

__global__ void deepen(cudaSurfaceObject_t surface, int width, int height, int depth) {
  for (int i = threadIdx.x; i < width * height * depth; i += blockDim.x) {
    const int x = i % width;
    const int y = i / width % height;
    const int z = i / width / height;
    float value;
    surf3Dread(&value, surface, x * 4, y, z);
    surf3Dwrite(value * 2 + z, surface, x * 4, y, z);
  }
}

// --- checks ---

template <class T>
struct OnDevice {
  T* data = nullptr;
  explicit OnDevice(std::size_t count) { CHECK(cudaMalloc(&data, count * sizeof(T))); }
  explicit OnDevice(const std::vector<T>& values) : OnDevice(values.size()) {
    CHECK(cudaMemcpy(data, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice));
  }
  ~OnDevice() { cudaFree(data); }
  std::vector<T> host(std::size_t count) const {
    std::vector<T> values(count);
    CHECK(cudaMemcpy(values.data(), data, count * sizeof(T), cudaMemcpyDeviceToHost));
    return values;
  }
};

// An H200 mixes the border of the second dimension into filtered values of one-dimensional arrays, which is not
// documented: only existing dimensions get a mode.
cudaTextureObject_t texture_of(cudaArray_t array, const Modes& modes, cudaTextureReadMode read, float border = 0,
                               int dimensions = 3) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc description = {};
  std::fill_n(description.addressMode, 3, cudaAddressModeClamp);
  std::fill_n(description.addressMode, dimensions, modes.address);
  description.filterMode = modes.linear ? cudaFilterModeLinear : cudaFilterModePoint;
  description.normalizedCoords = modes.normalized;
  description.readMode = read;
  std::fill_n(description.borderColor, 4, border);
  cudaTextureObject_t texture = 0;
  CHECK(cudaCreateTextureObject(&texture, &resource, &description, nullptr));
  return texture;
}

cudaArray_t array_of(const Volume& volume, cudaExtent extent, unsigned flags) {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array = nullptr;
  CHECK(cudaMalloc3DArray(&array, &format, extent, flags));
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(const_cast<float*>(volume.texels.data()), volume.size[0] * sizeof(float),
                                    volume.size[0], volume.size[1]);
  copy.dstArray = array;
  copy.extent = make_cudaExtent(volume.size[0], volume.size[1], volume.size[2]);
  copy.kind = cudaMemcpyHostToDevice;
  CHECK(cudaMemcpy3D(&copy));
  return array;
}

Volume some_volume(long x, long y, long z) {
  Volume volume;
  volume.size[0] = x;
  volume.size[1] = y;
  volume.size[2] = z;
  for (long i = 0; i < x * y * z; ++i) {
    volume.texels.push_back(static_cast<float>((i * 7919) % 256) / 16);
  }
  return volume;
}

constexpr int kSamples = 512;

std::vector<float3> some_places(const Volume& volume, bool normalized) {
  std::vector<float3> places;
  unsigned state = 12345;
  const auto next = [&](long size) {
    state = state * 1664525U + 1013904223U;
    // From -1.25 to 2.25 times the size, in steps that avoid the middle between two weights.
    const double place = (static_cast<int>(state >> 8) % 3583 / 1024.0 - 1.25) * size;
    const double exact = std::floor(place * 256) / 256 + 1.0 / 1024;
    return static_cast<float>(normalized ? exact / size : exact);
  };
  for (int i = 0; i < kSamples; ++i) {
    const float x = next(volume.size[0]);
    const float y = next(volume.size[1]);
    places.push_back(make_float3(x, y, next(volume.size[2])));
  }
  return places;
}

void check_shape(int dimensions) {
  Volume volume = some_volume(16, dimensions > 1 ? 8 : 1, dimensions > 2 ? 4 : 1);
  volume.border = 9;
  const cudaExtent extent = make_cudaExtent(16, dimensions > 1 ? 8 : 0, dimensions > 2 ? 4 : 0);
  const cudaArray_t array = array_of(volume, extent, 0);
  OnDevice<float> out(kSamples);
  for (const bool linear : {false, true}) {
    for (const bool normalized : {false, true}) {
      for (const auto address :
           {cudaAddressModeWrap, cudaAddressModeClamp, cudaAddressModeMirror, cudaAddressModeBorder}) {
        const Modes modes = {address, linear, normalized};
        const cudaTextureObject_t texture = texture_of(array, modes, cudaReadModeElementType, volume.border, dimensions);
        const std::vector<float3> places = some_places(volume, normalized);
        OnDevice<float3> at(places);
        sample<<<kSamples / 128, 128>>>(texture, dimensions, at.data, out.data, kSamples);
        const std::vector<float> got = out.host(kSamples);
        for (int i = 0; i < kSamples; ++i) {
          const double expected = reference(volume, modes, dimensions, {places[i].x, places[i].y, places[i].z});
          // Weights of several dimensions are products, which hardware rounds in its own way.
          compare("texture", i, got[i], expected, linear ? 16 * 3.0 / 256 : 0);
        }
        CHECK(cudaDestroyTextureObject(texture));
      }
    }
  }
  CHECK(cudaFreeArray(array));
}

void check_layers(int dimensions) {
  const Volume volume = some_volume(16, dimensions > 1 ? 8 : 1, 4);
  const cudaArray_t array =
      array_of(volume, make_cudaExtent(16, dimensions > 1 ? 8 : 0, 4), cudaArrayLayered);
  const Modes modes = {cudaAddressModeClamp, false, false};
  const cudaTextureObject_t texture = texture_of(array, modes, cudaReadModeElementType);
  const std::vector<float3> places = some_places(volume, false);
  OnDevice<float3> at(places);
  OnDevice<float> out(kSamples);
  sample_layer<<<kSamples / 128, 128>>>(texture, dimensions, at.data, out.data, kSamples);
  const std::vector<float> got = out.host(kSamples);
  for (int i = 0; i < kSamples; ++i) {
    const int layer = static_cast<int>(places[i].z);
    Volume one = volume;
    one.size[2] = 1;
    // The number of a layer is unsigned.
    one.texels.erase(one.texels.begin(), one.texels.begin() + 16 * volume.size[1] * (layer < 0 ? 3 : std::min(layer, 3)));
    compare("layers", i, got[i], reference(one, modes, dimensions, {places[i].x, places[i].y, 0}), 0);
  }
  CHECK(cudaDestroyTextureObject(texture));
  CHECK(cudaFreeArray(array));
}

void check_cubemap() {
  const Volume volume = some_volume(8, 8, 6);
  const cudaArray_t array = array_of(volume, make_cudaExtent(8, 8, 6), cudaArrayCubemap);
  const cudaTextureObject_t texture =
      texture_of(array, {cudaAddressModeClamp, false, true}, cudaReadModeElementType);
  const std::vector<float3> places = some_places(volume, false);
  OnDevice<float3> at(places);
  OnDevice<float> out(kSamples);
  sample_cube<<<kSamples / 128, 128>>>(texture, at.data, out.data, kSamples);
  const std::vector<float> got = out.host(kSamples);
  for (int i = 0; i < kSamples; ++i) {
    const double x = places[i].x;
    const double y = places[i].y;
    const double z = places[i].z;
    const double m = std::max({std::fabs(x), std::fabs(y), std::fabs(z)});
    // Face, s and t of the guide's table.
    int face = 0;
    double s = 0;
    double t = 0;
    if (m == std::fabs(x)) {
      face = x >= 0 ? 0 : 1;
      s = x >= 0 ? -z : z;
      t = -y;
    } else if (m == std::fabs(y)) {
      face = y >= 0 ? 2 : 3;
      s = x;
      t = y >= 0 ? z : -z;
    } else {
      face = z >= 0 ? 4 : 5;
      s = z >= 0 ? x : -x;
      t = -y;
    }
    const double column = (s / m + 1) / 2 * 8;
    const double row = (t / m + 1) / 2 * 8;
    if (std::fabs(column - std::round(column)) < 0.01 || std::fabs(row - std::round(row)) < 0.01) {
      continue;  // at an edge of texels both are correct
    }
    compare("cubemap", i, got[i],
            volume.texels[face * 64 + static_cast<int>(row) * 8 + static_cast<int>(column)], 0);
  }
  CHECK(cudaDestroyTextureObject(texture));
  CHECK(cudaFreeArray(array));
}

void check_fetch() {
  constexpr int kTexels = 100;
  std::vector<short4> texels;
  for (short i = 0; i < kTexels; ++i) {
    texels.push_back(make_short4(i, -i, 3 * i, -300 * i));
  }
  OnDevice<short4> data(texels);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = data.data;
  resource.res.linear.desc = cudaCreateChannelDesc<short4>();
  resource.res.linear.sizeInBytes = kTexels * sizeof(short4);
  cudaTextureDesc description = {};
  cudaTextureObject_t texture = 0;
  CHECK(cudaCreateTextureObject(&texture, &resource, &description, nullptr));
  OnDevice<int4> out(128);
  fetch<<<1, 128>>>(texture, out.data, 128);
  const std::vector<int4> got = out.host(128);
  for (int i = 0; i < 128; ++i) {
    const bool inside = i >= 2 && i < kTexels + 2;
    const short4 expected = inside ? texels[i - 2] : make_short4(0, 0, 0, 0);
    compare("fetch", i, got[i].x, expected.x, 0);
    compare("fetch", i, got[i].y, expected.y, 0);
    compare("fetch", i, got[i].w, expected.w, 0);
  }
  CHECK(cudaDestroyTextureObject(texture));
}

// Colours of 8 bits as numbers from 0 to 1, in memory with a pitch.
void check_normalized_values() {
  std::vector<uchar4> texels(64);
  for (int i = 0; i < 64; ++i) {
    texels[i] = make_uchar4(static_cast<unsigned char>(i * 4), static_cast<unsigned char>(255 - i), 255, 0);
  }
  uchar4* data = nullptr;
  std::size_t pitch = 0;
  CHECK(cudaMallocPitch(&data, &pitch, 8 * sizeof(uchar4), 8));
  CHECK(cudaMemcpy2D(data, pitch, texels.data(), 32, 32, 8, cudaMemcpyHostToDevice));
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypePitch2D;
  resource.res.pitch2D.devPtr = data;
  resource.res.pitch2D.desc = cudaCreateChannelDesc<uchar4>();
  resource.res.pitch2D.width = 8;
  resource.res.pitch2D.height = 8;
  resource.res.pitch2D.pitchInBytes = pitch;
  cudaTextureDesc description = {};
  description.readMode = cudaReadModeNormalizedFloat;
  description.filterMode = cudaFilterModeLinear;
  cudaTextureObject_t texture = 0;
  CHECK(cudaCreateTextureObject(&texture, &resource, &description, nullptr));
  OnDevice<float4> out(64);
  sample_four<float4><<<1, 64>>>(texture, out.data, 64);
  const std::vector<float4> got = out.host(64);
  for (int i = 0; i < 64; ++i) {
    compare("normalized x", i, got[i].x, texels[i].x / 255.0, 1e-6);
    compare("normalized y", i, got[i].y, texels[i].y / 255.0, 1e-6);
    compare("normalized z", i, got[i].z, 1, 0);
    compare("normalized w", i, got[i].w, 0, 0);
  }
  CHECK(cudaDestroyTextureObject(texture));
  CHECK(cudaFree(data));
}

void check_gather() {
  const Volume volume = some_volume(8, 8, 1);
  const cudaArray_t array = array_of(volume, make_cudaExtent(8, 8, 0), cudaArrayTextureGather);
  const Modes modes = {cudaAddressModeClamp, false, false};
  const cudaTextureObject_t texture = texture_of(array, modes, cudaReadModeElementType);
  OnDevice<float4> out(64);
  gather<<<1, 64>>>(texture, out.data, 64);
  const std::vector<float4> got = out.host(64);
  for (int i = 0; i < 64; ++i) {
    const long x = i % 8 - 1;
    const long y = i / 8;
    compare("gather x", i, got[i].x, volume.at(modes, {x, y + 1, 0}), 0);
    compare("gather y", i, got[i].y, volume.at(modes, {x + 1, y + 1, 0}), 0);
    compare("gather z", i, got[i].z, volume.at(modes, {x + 1, y, 0}), 0);
    compare("gather w", i, got[i].w, volume.at(modes, {x, y, 0}), 0);
  }
  CHECK(cudaDestroyTextureObject(texture));
  CHECK(cudaFreeArray(array));
}

cudaSurfaceObject_t surface_of(cudaArray_t array) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaSurfaceObject_t surface = 0;
  CHECK(cudaCreateSurfaceObject(&surface, &resource));
  return surface;
}

void check_surfaces() {
  constexpr int kSide = 24;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<uchar4>();
  cudaArray_t from = nullptr;
  cudaArray_t to = nullptr;
  CHECK(cudaMallocArray(&from, &format, kSide, kSide, cudaArraySurfaceLoadStore));
  CHECK(cudaMallocArray(&to, &format, kSide, kSide, cudaArraySurfaceLoadStore));
  std::vector<uchar4> texels(kSide * kSide);
  for (int i = 0; i < kSide * kSide; ++i) {
    texels[i] = make_uchar4(i & 255, i >> 8, 7, i % 11);
  }
  CHECK(cudaMemcpy2DToArray(from, 0, 0, texels.data(), kSide * 4, kSide * 4, kSide, cudaMemcpyHostToDevice));
  const cudaSurfaceObject_t source = surface_of(from);
  const cudaSurfaceObject_t target = surface_of(to);
  turn<<<dim3(2, 2), dim3(16, 16)>>>(source, target, kSide);
  std::vector<uchar4> got(kSide * kSide);
  CHECK(cudaMemcpy2DFromArray(got.data(), kSide * 4, to, 0, 0, kSide * 4, kSide, cudaMemcpyDeviceToHost));
  for (int y = 0; y < kSide; ++y) {
    for (int x = 0; x < kSide; ++x) {
      const uchar4 expected = texels[(kSide - 1 - x) * kSide + y];
      const uchar4 found = got[y * kSide + x];
      compare("surface", y * kSide + x, found.x, expected.w, 0);
      compare("surface", y * kSide + x, found.w, expected.x, 0);
    }
  }
  CHECK(cudaDestroySurfaceObject(source));
  CHECK(cudaDestroySurfaceObject(target));
  CHECK(cudaFreeArray(from));
  CHECK(cudaFreeArray(to));

  const Volume volume = some_volume(5, 3, 4);
  const cudaArray_t array = array_of(volume, make_cudaExtent(5, 3, 4), cudaArraySurfaceLoadStore);
  const cudaSurfaceObject_t surface = surface_of(array);
  deepen<<<1, 32>>>(surface, 5, 3, 4);
  std::vector<float> values(60);
  cudaMemcpy3DParms copy = {};
  copy.srcArray = array;
  copy.dstPtr = make_cudaPitchedPtr(values.data(), 20, 5, 3);
  copy.extent = make_cudaExtent(5, 3, 4);
  copy.kind = cudaMemcpyDeviceToHost;
  CHECK(cudaMemcpy3D(&copy));
  for (int i = 0; i < 60; ++i) {
    compare("volume", i, values[i], volume.texels[i] * 2 + i / 15, 0);
  }
  CHECK(cudaDestroySurfaceObject(surface));
  CHECK(cudaFreeArray(array));
}

}  // namespace

int main() {
  for (int dimensions = 1; dimensions <= 3; ++dimensions) {
    check_shape(dimensions);
  }
  check_layers(1);
  check_layers(2);
  check_cubemap();
  check_fetch();
  check_normalized_values();
  check_gather();
  check_surfaces();
  CHECK(cudaDeviceSynchronize());
  std::puts(failures == 0 ? "PASS" : "FAIL");
  return failures == 0 ? 0 : 1;
}
