// Which stores remove lines from L1: each round every thread stores one word to a region of 256 sectors that is in L1,
// by one of several patterns, and then the block reads the whole region. Nsight Compute counts the sectors that miss.
#include <cstdint>
#include <cstdio>

constexpr int kWords = 2048;
constexpr int kRounds = 100;

enum Pattern { kInOrder, kPermuted, kRandomSector, kRandomWord, kOwnLines, kSameSectors, kPairs, kEachSecondLine,
               kOnePerLine };

__device__ uint32_t next(uint32_t& state) {
  state = state * 1664525U + 1013904223U;
  return state >> 8;
}

template <Pattern kPattern>
__device__ int word_of(int round, uint32_t& state, int lane, int warp) {
  const uint32_t odd = ((round * 2654435761U) >> 9) | 1;
  switch (kPattern) {
    case kInOrder:  // a sector for each thread
      return (warp * 32 + lane) * 8 % kWords;
    case kPermuted:  // the same sectors in another order
      return (warp * 32 + lane) * static_cast<int>(odd % 256 | 1) % 256 * 8;
    case kRandomSector:
      return next(state) % 256 * 8;
    case kRandomWord:
      return next(state) % kWords;
    case kOwnLines:  // random sectors of eight lines of the warp
      return (warp * 256 + next(state) % 32 * 8) % kWords;
    case kSameSectors:  // all warps the same 32 sectors
      return lane * 8;
    case kPairs:  // two lanes to one sector
      return (warp * 32 + lane / 2) * 8 % kWords + (lane & 1);
    case kEachSecondLine:  // one sector in each second line, another one for each warp
      return lane * 64 % kWords + warp % 8 * 8;
    default:  // the first sector of 32 of 64 lines
      return (lane * 2 + warp) % 64 * 32;
  }
}

template <Pattern kPattern>
__global__ void store(int* words, int* out) {
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  uint32_t state = threadIdx.x * 7919 + 1;
  int sum = 0;
  for (int i = threadIdx.x; i < kWords; i += blockDim.x) {
    sum += words[i];
  }
  __syncthreads();
  for (int round = 0; round < kRounds; ++round) {
    words[word_of<kPattern>(round, state, lane, warp)] = sum + round;
    __syncthreads();
    for (int i = threadIdx.x; i < kWords; i += blockDim.x) {
      sum += words[i];
    }
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

template <Pattern kPattern>
void measure(int* words, int* out) {
  store<kPattern><<<1, 256>>>(words, out);
  store<kPattern><<<1, 32>>>(words, out);
}

int main() {
  int* words = nullptr;
  int* out = nullptr;
  cudaMalloc(&words, kWords * 4);
  cudaMalloc(&out, 256 * 4);
  cudaMemset(words, 0, kWords * 4);
  measure<kInOrder>(words, out);
  measure<kPermuted>(words, out);
  measure<kRandomSector>(words, out);
  measure<kRandomWord>(words, out);
  measure<kOwnLines>(words, out);
  measure<kSameSectors>(words, out);
  measure<kPairs>(words, out);
  measure<kEachSecondLine>(words, out);
  measure<kOnePerLine>(words, out);
  if (cudaDeviceSynchronize() != cudaSuccess) {
    fprintf(stderr, "store_losses: a kernel failed\n");
    return 1;
  }
  return 0;
}
