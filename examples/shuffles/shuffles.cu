// Values exchanged between the lanes of a warp without memory. Each kernel is one warp.
constexpr unsigned kAll = 0xffffffffU;

// Only lane 0 has the argument; all lanes get it.
__global__ void broadcast(int argument, int* received) {
  const int lane = static_cast<int>(threadIdx.x);
  int value = lane == 0 ? argument : -1;
  value = __shfl_sync(kAll, value, 0);
  received[lane] = value;
}

// Inclusive sums within each group of eight lanes.
__global__ void scan_of_eight(int* sums) {
  constexpr int kWidth = 8;
  const int lane = static_cast<int>(threadIdx.x);
  int sum = 31 - lane;
  for (int distance = 1; distance < kWidth; distance *= 2) {
    const int below = __shfl_up_sync(kAll, sum, distance, kWidth);
    if (lane % kWidth >= distance) {
      sum += below;
    }
  }
  sums[lane] = sum;
}

// The sum of all lanes, in each of them.
__global__ void sum_of_warp(int* sums) {
  const int lane = static_cast<int>(threadIdx.x);
  int sum = 31 - lane;
  for (int distance = 16; distance > 0; distance /= 2) {
    sum += __shfl_xor_sync(kAll, sum, distance);
  }
  sums[lane] = sum;
}

// Eight bytes per lane: each gets the double of the lane three above it in its half of the warp; those without one keep
// their own.
__global__ void shift_down(double* values) {
  const int lane = static_cast<int>(threadIdx.x);
  values[lane] = __shfl_down_sync(kAll, values[lane], 3, 16);
}
