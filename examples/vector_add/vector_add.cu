// One thread per element; threads beyond the end do nothing.
__global__ void vector_add(const float* a, const float* b, float* sum, int count) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count) {
    sum[i] = a[i] + b[i];
  }
}
