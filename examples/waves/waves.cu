// A sheet of points whose height is a product of waves: sines and cosines, and stores of 16 bytes per thread.
__global__ void make_sheet(float4* points, float time, int width, int height) {
  const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  if (x >= width || y >= height) {
    return;
  }
  const float u = static_cast<float>(x) / static_cast<float>(width) * 2 - 1;
  const float v = static_cast<float>(y) / static_cast<float>(height) * 2 - 1;
  constexpr float kFrequency = 4;
  const float w = sinf(u * kFrequency + time) * cosf(v * kFrequency + time) * 0.5F;
  points[y * width + x] = make_float4(u, w, v, 1);
}
