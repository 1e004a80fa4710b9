// Kernels with textures and surfaces as image processing, volume rendering and gather codes have them, each launched
// once. A profiler counts them (run.sh).
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>
#include "../cuda_check.h"
using Tex = cudaTextureObject_t;
using Surf = cudaSurfaceObject_t;
template <class T>
struct Made {
  Tex tex = 0;
  Surf surf = 0;
};
static unsigned seed = 1;
static unsigned rnd() {
  seed = seed * 1664525u + 1013904223u;
  return seed >> 8;
}
template <class T>
Made<T> arr(int x, int y, int z, unsigned flags, bool lin, bool norm, bool wrap, bool normv = false) {
  cudaChannelFormatDesc f = cudaCreateChannelDesc<T>();
  cudaArray_t a;
  CHECK(cudaMalloc3DArray(&a, &f, make_cudaExtent(x, y, z), flags | cudaArraySurfaceLoadStore));
  std::vector<unsigned char> h((size_t)x * (y ? y : 1) * (z ? z : 1) * sizeof(T));
  if (std::is_same_v<T, float> || std::is_same_v<T, float4> || std::is_same_v<T, float2>) {
    float* p = (float*)h.data();
    for (size_t i = 0; i < h.size() / 4; ++i)
      p[i] = (rnd() % 1000) / 1000.0f;
  } else
    for (auto& b : h)
      b = rnd();
  cudaMemcpy3DParms c{};
  c.srcPtr = make_cudaPitchedPtr(h.data(), x * sizeof(T), x, y ? y : 1);
  c.dstArray = a;
  c.extent = make_cudaExtent(x, y ? y : 1, z ? z : 1);
  c.kind = cudaMemcpyHostToDevice;
  CHECK(cudaMemcpy3D(&c));
  cudaResourceDesc r{};
  r.resType = cudaResourceTypeArray;
  r.res.array.array = a;
  cudaTextureDesc d{};
  d.filterMode = lin ? cudaFilterModeLinear : cudaFilterModePoint;
  d.normalizedCoords = norm;
  d.readMode = normv ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
  for (auto& m : d.addressMode)
    m = wrap ? cudaAddressModeWrap : cudaAddressModeClamp;
  Made<T> m;
  CHECK(cudaCreateTextureObject(&m.tex, &r, &d, nullptr));
  CHECK(cudaCreateSurfaceObject(&m.surf, &r));
  return m;
}
template <class T>
T* mem(size_t n) {
  T* p;
  CHECK(cudaMalloc(&p, n * sizeof(T)));
  std::vector<T> h(n);
  unsigned char* b = (unsigned char*)h.data();
  for (size_t i = 0; i < n * sizeof(T); i += 4) {
    float v = (rnd() % 1000) / 1000.0f;
    memcpy(b + i, &v, 4);
  }
  CHECK(cudaMemcpy(p, h.data(), n * sizeof(T), cudaMemcpyHostToDevice));
  return p;
}
template <class T>
Tex lin(T* p, size_t n) {
  cudaResourceDesc r{};
  r.resType = cudaResourceTypeLinear;
  r.res.linear.devPtr = p;
  r.res.linear.desc = cudaCreateChannelDesc<T>();
  r.res.linear.sizeInBytes = n * sizeof(T);
  cudaTextureDesc d{};
  Tex t;
  CHECK(cudaCreateTextureObject(&t, &r, &d, nullptr));
  return t;
}
template <class T>
Tex pit(T* p, int w, int h, size_t pitch, bool linear) {
  cudaResourceDesc r{};
  r.resType = cudaResourceTypePitch2D;
  r.res.pitch2D.devPtr = p;
  r.res.pitch2D.desc = cudaCreateChannelDesc<T>();
  r.res.pitch2D.width = w;
  r.res.pitch2D.height = h;
  r.res.pitch2D.pitchInBytes = pitch;
  cudaTextureDesc d{};
  d.filterMode = linear ? cudaFilterModeLinear : cudaFilterModePoint;
  d.addressMode[0] = d.addressMode[1] = cudaAddressModeClamp;
  Tex t;
  CHECK(cudaCreateTextureObject(&t, &r, &d, nullptr));
  return t;
}

__global__ void k_fetch1d(Tex t, float* o, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    o[i] = tex1Dfetch<float>(t, i) * 2 + 1;
}
__global__ void k_spmv(Tex t, const int* col, const float* val, float* o, int rows, int k) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows)
    return;
  float s = 0;
  for (int j = 0; j < k; ++j)
    s += val[j * rows + r] * tex1Dfetch<float>(t, col[j * rows + r]);
  o[r] = s;
}
__global__ void k_force(Tex t, const int* nb, float4* o, int n, int k) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float4 p = tex1Dfetch<float4>(t, i);
  float4 f = {0, 0, 0, 0};
  for (int j = 0; j < k; ++j) {
    float4 q = tex1Dfetch<float4>(t, nb[j * n + i]);
    float dx = p.x - q.x, dy = p.y - q.y, dz = p.z - q.z, r2 = 1.0f / (dx * dx + dy * dy + dz * dz + .01f);
    f.x += dx * r2;
    f.y += dy * r2;
    f.z += dz * r2;
  }
  o[i] = f;
}
__global__ void k_copy2d(Tex t, float* o, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h)
    o[y * w + x] = tex2D<float>(t, x + .5f, y + .5f);
}
__global__ void k_rotate(Tex t, float* o, int w, int h, float c, float s) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  float u = x / (float)w - .5f, v = y / (float)h - .5f;
  o[y * w + x] = tex2D<float>(t, u * c - v * s + .5f, v * c + u * s + .5f);
}
__global__ void k_blur(Tex t, float4* o, int w, int h, int r) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  float4 s = {0, 0, 0, 0};
  for (int j = -r; j <= r; ++j)
    for (int i = -r; i <= r; ++i) {
      float4 v = tex2D<float4>(t, x + i + .5f, y + j + .5f);
      s.x += v.x;
      s.y += v.y;
      s.z += v.z;
      s.w += v.w;
    }
  float q = 1.0f / ((2 * r + 1) * (2 * r + 1));
  o[y * w + x] = {s.x * q, s.y * q, s.z * q, s.w * q};
}
__global__ void k_sobel(Tex t, unsigned char* o, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  int a = tex2D<unsigned char>(t, x - 1, y - 1), b = tex2D<unsigned char>(t, x, y - 1),
      c = tex2D<unsigned char>(t, x + 1, y - 1), d = tex2D<unsigned char>(t, x - 1, y),
      f = tex2D<unsigned char>(t, x + 1, y), g = tex2D<unsigned char>(t, x - 1, y + 1),
      i = tex2D<unsigned char>(t, x, y + 1), j = tex2D<unsigned char>(t, x + 1, y + 1);
  int hx = c + 2 * f + j - a - 2 * d - g, vy = a + 2 * b + c - g - 2 * i - j;
  int v = abs(hx) + abs(vy);
  o[y * w + x] = v > 255 ? 255 : v;
}
__device__ unsigned usad(unsigned a, unsigned b) {
  return a > b ? a - b : b - a;
}
__global__ void k_stereo(Tex l, Tex r, unsigned* o, int w, int h, int dmax) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  unsigned best = ~0u, at = 0;
  unsigned a = tex2D<unsigned>(l, x, y), a1 = tex2D<unsigned>(l, x, y + 1);
  for (int d = 0; d < dmax; ++d) {
    unsigned b = tex2D<unsigned>(r, x + d, y), b1 = tex2D<unsigned>(r, x + d, y + 1);
    unsigned c = usad(a, b) + usad(a1, b1);
    if (c < best) {
      best = c;
      at = d;
    }
  }
  o[y * w + x] = at;
}
__device__ unsigned usad_(unsigned a, unsigned b) {
  return a > b ? a - b : b - a;
}
__global__ void k_raycast(Tex vol, Tex tf, float4* o, int w, int h, int steps) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  float u = x / (float)w, v = y / (float)h;
  float4 s = {0, 0, 0, 0};
  for (int i = 0; i < steps; ++i) {
    float q = i / (float)steps;
    float d = tex3D<float>(vol, u * .8f + q * .2f, v * .8f + q * .1f, q);
    float4 c = tex1D<float4>(tf, d);
    float a = c.w * (1 - s.w) * .1f;
    s.x += c.x * a;
    s.y += c.y * a;
    s.z += c.z * a;
    s.w += a;
  }
  o[y * w + x] = s;
}
__global__ void k_layered(Tex t, float* o, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, z = blockIdx.z;
  o[(z * h + y) * w + x] = -tex2DLayered<float>(t, (x + .5f) / w, (y + .5f) / h, z);
}
__global__ void k_cube(Tex t, float* o, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  float u = (x + .5f) / w * 2 - 1, v = (y + .5f) / h * 2 - 1;
  float s = 0;
  s += texCubemap<float>(t, u, v, 1.0f);
  s += texCubemap<float>(t, 1.0f, u, v);
  s += texCubemap<float>(t, v, -1.0f, u);
  o[y * w + x] = s;
}
__global__ void k_surf(Surf a, Surf b, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  float v = surf2Dread<float>(a, x * 4, y), l = surf2Dread<float>(a, max(x - 1, 0) * 4, y),
        u = surf2Dread<float>(a, x * 4, max(y - 1, 0));
  surf2Dwrite(v * .5f + .25f * (l + u), b, x * 4, y);
}
__global__ void k_surf3(Surf a, int w, int h, float q) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, z = blockIdx.z;
  surf3Dwrite(q * (x + y + z), a, x * 4, y, z);
}
__global__ void k_bicubic(Tex t, float* o, int w, int h, float sc) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  float u = x * sc, v = y * sc;
  float fx = floorf(u), fy = floorf(v);
  float px = u - fx, py = v - fy;
  float g0 = 1 - px * .5f, g1 = px * .5f, h0 = fx - .3f, h1 = fx + 1.3f, k0 = fy - .2f, k1 = fy + 1.2f;
  o[y * w + x] = (g0 * tex2D<float>(t, h0, k0) + g1 * tex2D<float>(t, h1, k0)) * (1 - py) +
                 (g0 * tex2D<float>(t, h0, k1) + g1 * tex2D<float>(t, h1, k1)) * py;
}
__global__ void k_gather4(Tex t, float* o, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  float4 a = tex2Dgather<float4>(t, x * 2.0f + 1, y * 2.0f + 1, 0);
  o[y * w + x] = fmaxf(fmaxf(a.x, a.y), fmaxf(a.z, a.w));
}
__global__ void k_lookup(Tex t, const float* in, float* o, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = in[i];
  for (int k = 0; k < 8; ++k)
    v = tex1D<float>(t, v * .9f + .05f);
  o[i] = v;
}
__global__ void k_warp(Tex t, const float2* f, float* o, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  float2 d = f[y * w + x];
  o[y * w + x] = tex2D<float>(t, (x + d.x * 8 + .5f) / w, (y + d.y * 8 + .5f) / h);
}
__global__ void k_flow(Tex t, float* o, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  float2 d = tex2D<float2>(t, x + .5f, y + .5f);
  for (int i = 0; i < 6; ++i)
    d = tex2D<float2>(t, x + d.x * 4 + .5f, y + d.y * 4 + .5f);
  o[y * w + x] = d.x + d.y;
}
__global__ void k_advect(Tex v, Tex q, Surf o, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  float4 d = tex2D<float4>(v, x + .5f, y + .5f);
  float4 r = tex2D<float4>(q, x + .5f - d.x * 3, y + .5f - d.y * 3);
  surf2Dwrite(r, o, x * 16, y);
}
__global__ void k_rgba(Tex t, uchar4* o, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  float4 a = tex2D<float4>(t, x * .5f, y * .5f);
  o[y * w + x] = make_uchar4(a.x * 255, a.y * 255, a.z * 255, a.w * 255);
}
__global__ void k_random2d(Tex t, const unsigned* in, float* o, int n, int w) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned s = in[i];
  float a = 0;
  for (int k = 0; k < 4; ++k) {
    s = s * 1664525u + 1013904223u;
    a += tex2D<float>(t, (s >> 8) % w + .5f, (s >> 18) % w + .5f);
  }
  o[i] = a;
}
__global__ void k_transpose(Tex t, float* o, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  o[y * w + x] = tex2D<float>(t, y + .5f, x + .5f);
}
__global__ void k_vol7(Tex t, float* o, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, z = blockIdx.z;
  float X = x + .5f, Y = y + .5f, Z = z + .5f;
  o[(z * n + y) * n + x] = tex3D<float>(t, X, Y, Z) * -6 + tex3D<float>(t, X - 1, Y, Z) + tex3D<float>(t, X + 1, Y, Z) +
                           tex3D<float>(t, X, Y - 1, Z) + tex3D<float>(t, X, Y + 1, Z) + tex3D<float>(t, X, Y, Z - 1) +
                           tex3D<float>(t, X, Y, Z + 1);
}
__global__ void k_conv(Tex t, float* o, int w, int h, int r) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  float s = 0;
  for (int k = -r; k <= r; ++k)
    s += tex2D<float>(t, x + .5f + k, y + .5f) * (k * .1f + 1);
  for (int k = -r; k <= r; ++k)
    s += tex2D<float>(t, x + .5f, y + .5f + k) * (k * .1f + 1);
  o[y * w + x] = s;
}

int main() {
  const int n = 1 << 20, W = 1024;
  dim3 b(16, 16), g(W / 16, W / 16);
  float* o = mem<float>(1 << 22);
  float* f = mem<float>(n);
  k_fetch1d<<<n / 256, 256>>>(lin(f, n), o, n);
  {
    const int rows = 1 << 15, k = 16;
    std::vector<int> c(rows * k);
    for (auto& v : c)
      v = rnd() % rows;
    int* col;
    CHECK(cudaMalloc(&col, c.size() * 4));
    CHECK(cudaMemcpy(col, c.data(), c.size() * 4, cudaMemcpyHostToDevice));
    float* val = mem<float>(rows * k);
    k_spmv<<<rows / 128, 128>>>(lin(f, rows), col, val, o, rows, k);
    float4* p = mem<float4>(rows);
    float4* q = mem<float4>(rows);
    k_force<<<rows / 128, 128>>>(lin(p, rows), col, q, rows, k);
  }
  auto a = arr<float>(W, W, 0, 0, false, false, false);
  k_copy2d<<<g, b>>>(a.tex, o, W, W);
  k_copy2d<<<dim3(W / 32, W / 8), dim3(32, 8)>>>(a.tex, o, W, W);
  auto aw = arr<float>(W, W, 0, 0, true, true, true);
  k_rotate<<<g, b>>>(aw.tex, o, W, W, .8f, .6f);
  k_rotate<<<dim3(W / 32, W / 8), dim3(32, 8)>>>(aw.tex, o, W, W, .995f, .0998f);
  const int H = 512;
  dim3 gh(H / 16, H / 16);
  auto a4 = arr<float4>(H, H, 0, 0, false, false, false);
  float4* o4 = mem<float4>(H * H);
  k_blur<<<gh, b>>>(a4.tex, o4, H, H, 2);
  auto uc = arr<unsigned char>(W, W, 0, 0, false, false, false);
  k_sobel<<<dim3(W / 32, W / 8), dim3(32, 8)>>>(uc.tex, (unsigned char*)o, W, W);
  auto ul = arr<unsigned>(H, H, 0, 0, false, false, false), ur = arr<unsigned>(H, H, 0, 0, false, false, false);
  k_stereo<<<dim3(H / 32, H / 8), dim3(32, 8)>>>(ul.tex, ur.tex, (unsigned*)o, H, H, 32);
  auto vol = arr<float>(128, 128, 128, 0, true, true, false);
  auto tf = arr<float4>(256, 0, 0, 0, true, true, false);
  k_raycast<<<dim3(H / 16, H / 16), b>>>(vol.tex, tf.tex, o4, H, H, 64);
  auto ly = arr<float>(H, H, 4, cudaArrayLayered, true, true, true);
  k_layered<<<dim3(H / 16, H / 16, 4), b>>>(ly.tex, o, H, H);
  auto cb = arr<float>(256, 256, 6, cudaArrayCubemap, true, true, false);
  k_cube<<<gh, b>>>(cb.tex, o, H, H);
  auto s1 = arr<float>(W, W, 0, 0, false, false, false), s2 = arr<float>(W, W, 0, 0, false, false, false);
  k_surf<<<g, b>>>(s1.surf, s2.surf, W, W);
  auto s3 = arr<float>(128, 128, 64, 0, false, false, false);
  k_surf3<<<dim3(4, 16, 64), dim3(32, 8)>>>(s3.surf, 128, 128, .1f);
  auto al = arr<float>(H, H, 0, 0, true, false, false);
  k_bicubic<<<g, b>>>(al.tex, o, W, W, .4f);
  auto ga = arr<float>(W, W, 0, cudaArrayTextureGather, false, false, false);
  k_gather4<<<gh, b>>>(ga.tex, o, H, H);
  auto lt = arr<float>(1024, 0, 0, 0, true, true, false);
  k_lookup<<<n / 2 / 256, 256>>>(lt.tex, f, o, n / 2);
  float2* fl = mem<float2>(W * W);
  k_warp<<<g, b>>>(aw.tex, fl, o, W, W);
  auto a2 = arr<float2>(H, H, 0, 0, true, false, false);
  k_flow<<<gh, b>>>(a2.tex, o, H, H);
  auto v4 = arr<float4>(H, H, 0, 0, false, false, false), q4 = arr<float4>(H, H, 0, 0, true, false, false),
       r4 = arr<float4>(H, H, 0, 0, false, false, false);
  k_advect<<<gh, b>>>(v4.tex, q4.tex, r4.surf, H, H);
  auto c4 = arr<uchar4>(H, H, 0, 0, true, false, false, true);
  k_rgba<<<g, b>>>(c4.tex, (uchar4*)o, W, W);
  unsigned* ix = mem<unsigned>(n);
  k_random2d<<<n / 8 / 256, 256>>>(a.tex, ix, o, n / 8, W);
  k_transpose<<<dim3(W / 32, W / 8), dim3(32, 8)>>>(a.tex, o, W, W);
  auto v7 = arr<float>(128, 128, 128, 0, false, false, false);
  k_vol7<<<dim3(4, 16, 128), dim3(32, 8)>>>(v7.tex, o, 128);
  k_conv<<<g, b>>>(a.tex, o, W, W, 4);
  k_copy2d<<<g, b>>>(pit(f, W, W, W * 4, false), o, W, W);
  k_bicubic<<<g, b>>>(pit(f, W, W, W * 4, true), o, W, W, .7f);
  CHECK(cudaDeviceSynchronize());
  std::vector<float> h(1024);
  CHECK(cudaMemcpy(h.data(), o, 4096, cudaMemcpyDeviceToHost));
  double s = 0;
  for (float v : h)
    s += v;
  std::printf("%g\n", s);
}
