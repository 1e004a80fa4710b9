// Matrix products by a whole warp: d = a * b + c of 16 x 16 halves with sums in single precision; then the same with each
// element of a fragment scaled first.
#include <cuda_fp16.h>
#include <mma.h>

using namespace nvcuda;

constexpr int kSize = 16;

__global__ void product(const half* a, const half* b, const float* c, float* d) {
  wmma::fragment<wmma::matrix_a, kSize, kSize, kSize, half, wmma::col_major> a_part;
  wmma::fragment<wmma::matrix_b, kSize, kSize, kSize, half, wmma::row_major> b_part;
  wmma::fragment<wmma::accumulator, kSize, kSize, kSize, float> sum;
  wmma::load_matrix_sync(sum, c, kSize, wmma::mem_row_major);
  wmma::load_matrix_sync(a_part, a, kSize);
  wmma::load_matrix_sync(b_part, b, kSize);
  wmma::mma_sync(sum, a_part, b_part, sum);
  wmma::store_matrix_sync(d, sum, kSize, wmma::mem_row_major);
}

// d = scale * (a * b): elements of a fragment may be processed without knowing their place in the matrix.
__global__ void scaled_product(const half* a, const half* b, float* d, float scale) {
  wmma::fragment<wmma::matrix_a, kSize, kSize, kSize, half, wmma::row_major> a_part;
  wmma::fragment<wmma::matrix_b, kSize, kSize, kSize, half, wmma::row_major> b_part;
  wmma::fragment<wmma::accumulator, kSize, kSize, kSize, float> sum;
  wmma::fill_fragment(sum, 0.0F);
  wmma::load_matrix_sync(a_part, a, kSize);
  wmma::load_matrix_sync(b_part, b, kSize);
  wmma::mma_sync(sum, a_part, b_part, sum);
  for (int i = 0; i < sum.num_elements; ++i) {
    sum.x[i] *= scale;
  }
  wmma::store_matrix_sync(d, sum, kSize, wmma::mem_row_major);
}
