// Joint evaluation of a condition by the threads of a warp or of a block.

// One word of each kind of vote per warp: all, any, and one bit per lane.
__global__ void warp_votes(const int* data, int limit, unsigned* all, unsigned* any, unsigned* bits) {
  constexpr unsigned kAll = 0xffffffffU;
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  const bool above = data[thread] > limit;
  const unsigned warp = thread / 32;
  const int all_above = __all_sync(kAll, above);
  const int any_above = __any_sync(kAll, above);
  const unsigned ballot = __ballot_sync(kAll, above);
  if (thread % 32 == 0) {
    all[warp] = all_above != 0 ? 1 : 0;
    any[warp] = any_above != 0 ? 1 : 0;
    bits[warp] = ballot;
  }
}

// Lanes that took the other branch are not part of the vote, nor are those that have ended.
__global__ void partial_votes(unsigned* bits) {
  const unsigned lane = threadIdx.x;
  if (lane >= 24) {
    return;
  }
  if (lane % 2 == 0) {
    const unsigned ballot = __ballot_sync(0x00555555U, lane % 3 == 0);
    bits[lane] = ballot;
  } else {
    const unsigned ballot = __ballot_sync(0x00aaaaaaU, lane % 3 == 0);
    bits[lane] = ballot;
  }
}

// The same over a block, together with its barrier.
__global__ void block_votes(const int* data, int limit, int* count, int* all, int* any) {
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  const bool above = data[thread] > limit;
  const int number = __syncthreads_count(above);
  const int every = __syncthreads_and(above);
  const int some = __syncthreads_or(above);
  if (threadIdx.x == 0) {
    count[blockIdx.x] = number;
    all[blockIdx.x] = every != 0 ? 1 : 0;
    any[blockIdx.x] = some != 0 ? 1 : 0;
  }
}
