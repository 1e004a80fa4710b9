// What .sync operations of the first threads of a warp do whose masks name all threads, while the others have ended, wait
// where paths meet, at a barrier of the block, or for the warp elsewhere: masks CASE THREADS. Some cases never end.
#include <cstdio>
#include <cstdlib>
__global__ void k(int kind, unsigned* out, int n) {
  unsigned lane = threadIdx.x, v = lane * 3 + 1, r = 0xdead;
  if (kind == 1 && lane >= n) return;
  switch (kind) {
    case 0: case 1: if (lane < n) r = __shfl_xor_sync(0xffffffffu, v, 1); break;
    case 2: if (lane < n) r = __shfl_xor_sync(0xffffffffu, v, 16); else { for (int i = 0; i < 1000; ++i) v = v * 3 + clock(); r = v & 1; } break;
    case 3: if (lane < n) { r = __shfl_xor_sync(0xffffffffu, v, 16); __syncthreads(); } else { __syncthreads(); r = 5; } break;
    case 4: if (lane < n) { __syncwarp(0xffffffffu); r = 7; } break;
    case 5: if (lane < n) r = __ballot_sync(0xffffffffu, lane & 1); break;
    case 6: if (lane < n) r = __reduce_add_sync(0xffffffffu, v); break;
    case 7: if (lane < n) r = __match_any_sync(0xffffffffu, v & 4); break;
    case 8: if (lane < n) r = __all_sync(0xffffffffu, lane < n); break;
    case 9: if (lane < n) r = __shfl_sync(0xffffffffu, v, 20); break;
    case 10: if (lane < n) r = __ballot_sync(0x0000ffffu, 1); break;
    case 11: if (lane < n) r = __shfl_xor_sync(0xffffffffu, v, 1); else r = __shfl_xor_sync(0xffffffffu, v, 2); break;
    case 12: if (lane < n) r = __ballot_sync(0xffffffffu, 1); else r = __ballot_sync(0xffffffffu, 0); break;
    case 13: if (lane < n) { r = __shfl_xor_sync(0xffffffffu, v, 1); r += __shfl_xor_sync(0xffffffffu, r, 2); } __syncwarp(); r += __shfl_xor_sync(0xffffffffu, r, 4); break;
  }
  out[lane] = r;
}
int main(int, char** v) { unsigned* o; cudaMallocManaged(&o, 128); for (int i = 0; i < 32; ++i) o[i] = 99; k<<<1, 32>>>(atoi(v[1]), o, atoi(v[2])); cudaError_t e = cudaDeviceSynchronize(); printf("%s %s error %d:", v[1], v[2], (int)e); for (int i = 0; i < 32; ++i) printf(" %x", o[i]); printf("\n"); }
