// Calls closed libraries of the toolkit and checks what they compute.
#include <cublas_v2.h>
#include <cuda_fp16.h>
#include <cufft.h>
#include <curand.h>

#include <cmath>
#include <cstdio>
#include <vector>

namespace {

int failures = 0;

void expect(bool good, const char* what) {
  failures += good ? 0 : 1;
  if (!good) {
    std::printf("FAIL: %s, %s\n", what, cudaGetErrorString(cudaGetLastError()));
  }
}

template <class T>
T* on_device(const std::vector<T>& values) {
  T* data = nullptr;
  cudaMalloc(&data, values.size() * sizeof(T));
  cudaMemcpy(data, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice);
  return data;
}

template <class T>
std::vector<T> on_host(const T* data, std::size_t count) {
  std::vector<T> values(count);
  cudaMemcpy(values.data(), data, count * sizeof(T), cudaMemcpyDeviceToHost);
  return values;
}

// Small integers, whose products are exact.
template <class T>
void multiply(cublasHandle_t handle, int n, cudaDataType type, const char* what) {
  std::vector<T> a(static_cast<std::size_t>(n) * n);
  for (int i = 0; i < n * n; ++i) {
    a[i] = T(static_cast<float>(i % 5 - 2));
  }
  T* const left = on_device(a);
  T* const product = on_device(std::vector<T>(a.size(), T(0.0F)));
  const float one = 1;
  const float zero = 0;
  const cublasStatus_t status = cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, left, type, n, left, type,
                                             n, &zero, product, type, n, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
  const std::vector<T> found = on_host(product, a.size());
  bool good = status == CUBLAS_STATUS_SUCCESS;
  for (int column = 0; column < n; ++column) {
    for (int row = 0; row < n; ++row) {
      float sum = 0;
      for (int k = 0; k < n; ++k) {
        sum += static_cast<float>(a[k * n + row]) * static_cast<float>(a[column * n + k]);
      }
      good = good && static_cast<float>(found[column * n + row]) == sum;
    }
  }
  expect(good, what);
  cudaFree(left);
  cudaFree(product);
}

void transform() {
  constexpr int kPoints = 256;
  constexpr int kWave = 5;
  std::vector<cufftComplex> wave(kPoints);
  for (int i = 0; i < kPoints; ++i) {
    wave[i] = {static_cast<float>(std::cos(2 * M_PI * kWave * i / kPoints)), 0};
  }
  cufftComplex* const data = on_device(wave);
  cufftHandle plan = 0;
  bool good = cufftPlan1d(&plan, kPoints, CUFFT_C2C, 1) == CUFFT_SUCCESS &&
              cufftExecC2C(plan, data, data, CUFFT_FORWARD) == CUFFT_SUCCESS;
  const std::vector<cufftComplex> found = on_host(data, kPoints);
  for (int i = 0; i < kPoints; ++i) {
    const float expected = i == kWave || i == kPoints - kWave ? kPoints / 2 : 0;
    good = good && std::fabs(found[i].x - expected) < 1e-3F && std::fabs(found[i].y) < 1e-3F;
  }
  expect(good, "cuFFT");
  cufftDestroy(plan);
  cudaFree(data);
}

void draw() {
  constexpr std::size_t kCount = 10000;
  float* const data = on_device(std::vector<float>(kCount));
  curandGenerator_t generator = nullptr;
  bool good = curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_PHILOX4_32_10) == CURAND_STATUS_SUCCESS &&
              curandSetPseudoRandomGeneratorSeed(generator, 5) == CURAND_STATUS_SUCCESS &&
              curandGenerateUniform(generator, data, kCount) == CURAND_STATUS_SUCCESS;
  double sum = 0;
  for (const float value : on_host(data, kCount)) {
    good = good && value > 0 && value <= 1;
    sum += value;
  }
  expect(good && std::fabs(sum / kCount - 0.5) < 0.02, "cuRAND");
  curandDestroyGenerator(generator);
  cudaFree(data);
}

}  // namespace

int main() {
  cublasHandle_t handle = nullptr;
  expect(cublasCreate(&handle) == CUBLAS_STATUS_SUCCESS, "cuBLAS");
  multiply<float>(handle, 33, CUDA_R_32F, "a product of floats");
  multiply<float>(handle, 64, CUDA_R_32F, "a larger product of floats");
  multiply<__half>(handle, 64, CUDA_R_16F, "a product of halves");  // on 9.0 with tensor maps, clusters, wgmma
  multiply<__half>(handle, 40, CUDA_R_16F, "another product of halves");
  expect(cublasDestroy(handle) == CUBLAS_STATUS_SUCCESS, "the end of cuBLAS");
  transform();
  draw();
  if (failures == 0) {
    std::printf("PASS\n");
  }
  return failures;
}
