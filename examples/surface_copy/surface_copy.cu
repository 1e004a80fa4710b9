// Pixels read and written in place in an array; the first coordinate counts bytes. Beyond the border reads give
// zeros or the nearest pixel, and writes are omitted, as each access specifies.
__global__ void copy(cudaSurfaceObject_t in, cudaSurfaceObject_t out, int width, int height) {
  const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  if (x < width && y < height) {
    uchar4 pixel;
    surf2Dread(&pixel, in, x * 4, y);
    surf2Dwrite(pixel, out, x * 4, y);
  }
}

// One pixel to the right: the first column becomes zero, pixels beyond the last one are dropped.
__global__ void shift_right(cudaSurfaceObject_t in, cudaSurfaceObject_t out) {
  uchar4 pixel;
  surf2Dread(&pixel, in, (static_cast<int>(threadIdx.x) - 1) * 4, static_cast<int>(threadIdx.y),
             cudaBoundaryModeZero);
  surf2Dwrite(pixel, out, static_cast<int>(threadIdx.x) * 4, static_cast<int>(threadIdx.y), cudaBoundaryModeZero);
}

// One pixel down: the first row stays.
__global__ void shift_down(cudaSurfaceObject_t in, cudaSurfaceObject_t out) {
  uchar4 pixel;
  surf2Dread(&pixel, in, static_cast<int>(threadIdx.x) * 4, static_cast<int>(threadIdx.y) - 1,
             cudaBoundaryModeClamp);
  surf2Dwrite(pixel, out, static_cast<int>(threadIdx.x) * 4, static_cast<int>(threadIdx.y), cudaBoundaryModeZero);
}
