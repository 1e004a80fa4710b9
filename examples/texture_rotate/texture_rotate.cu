// An image rotated around its centre: every output pixel fetches its source position, with coordinates from 0 to 1, so
// that the hardware filters between pixels and wraps at the borders.
__global__ void rotate(float* out, cudaTextureObject_t image, int width, int height, float angle) {
  const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  if (x >= width || y >= height) {
    return;
  }
  const float u = static_cast<float>(x) / static_cast<float>(width) - 0.5F;
  const float v = static_cast<float>(y) / static_cast<float>(height) - 0.5F;
  const float turned_u = u * cosf(angle) - v * sinf(angle) + 0.5F;
  const float turned_v = v * cosf(angle) + u * sinf(angle) + 0.5F;
  out[y * width + x] = tex2D<float>(image, turned_u, turned_v);
}
