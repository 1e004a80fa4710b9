// Which threads of a warp are together after loops and .sync operations, and when they get there.
#include <cstdio>

typedef unsigned u32;

// After the loop: the thread's mask, and cycles since it began.
#define MEASURED(name, threads) \
  constexpr int name##_threads = threads; \
  __global__ void name(volatile u32* flags, u32* words, u32* masks, u32* cycles)
#define BEGIN const u32 t = threadIdx.x; u32 found = 0; const long long begin = clock64();
#define END masks[t] = __activemask(); cycles[t] = clock64() - begin; masks[64 + t] = found;
#define COUNT flags[0] = flags[0] + 1; __threadfence(); atomicExch(words, 0U);

MEASURED(lock, 32) { BEGIN while (atomicCAS(words, 0U, 1U) != 0); COUNT END }
MEASURED(lock_sleep, 32) { BEGIN while (atomicCAS(words, 0U, 1U) != 0) __nanosleep(20); COUNT END }
MEASURED(lock_syncwarp, 32) { BEGIN while (atomicCAS(words, 0U, 1U) != 0); COUNT __syncwarp(); END }
MEASURED(lock_syncthreads, 32) { BEGIN while (atomicCAS(words, 0U, 1U) != 0); COUNT __syncthreads(); END }
MEASURED(lock_in_branch, 32) { BEGIN if (t < 20) { while (atomicCAS(words, 0U, 1U) != 0); COUNT } END }
MEASURED(lock_until_done, 32) {
  BEGIN
  bool done = false;
  while (!done) {
    if (atomicCAS(words, 0U, 1U) == 0) { COUNT done = true; }
  }
  END
}
__device__ __noinline__ void take(u32* word) { while (atomicCAS(word, 0U, 1U) != 0); }
MEASURED(lock_in_call, 32) { BEGIN take(words); COUNT END }
MEASURED(lock_shared, 32) {
  __shared__ u32 word;
  word = 0;
  __syncthreads();
  BEGIN while (atomicCAS(&word, 0U, 1U) != 0); flags[0] = flags[0] + 1; atomicExch(&word, 0U); END
}
MEASURED(ticket, 32) {
  BEGIN
  const u32 own = atomicAdd(words, 1U);
  while (flags[0] != own);
  __threadfence();
  flags[0] = own + 1;
  END
}
// A second warp sets a flag for each thread, 3000 or 150 cycles apart.
__device__ void set_flags(volatile u32* flags, int apart) {
  for (int i = 0; threadIdx.x == 32 && i < 32; ++i) {
    for (const long long begin = clock64(); clock64() - begin < apart;);
    flags[i] = 1;
  }
}
MEASURED(flags_3000, 64) { if (threadIdx.x >= 32) { set_flags(flags, 3000); return; } BEGIN while (flags[t] == 0); END }
MEASURED(flags_150, 64) { if (threadIdx.x >= 32) { set_flags(flags, 150); return; } BEGIN while (flags[t] == 0); END }
MEASURED(compare_and_swap, 32) {
  BEGIN
  u32 value = flags[0], before;
  do {
    before = value;
    value = atomicCAS(words, before, before * 3 + 1);
  } while (value != before);
  END
}
MEASURED(queue, 32) { BEGIN while (atomicAdd(words, 1U) < 1000); END }
MEASURED(counted_atomics, 32) { BEGIN for (u32 i = 0; i <= t; ++i) atomicAdd(words + (i * 7 & 15), 1U); END }
MEASURED(counted_long, 32) {
  BEGIN
  const u32 rounds = t != 0 ? 1 : 3000;
  for (u32 i = 0; i < rounds; ++i) found += flags[found & 1];
  END
}
// .sync operations at two places, of odd and even threads.
#define TWO_PLACES(name, operation) \
  MEASURED(name, 32) { \
    BEGIN \
    if (t & 1) { flags[t] = 1; asm volatile(operation : "=r"(found) : "r"(t + 100) : "memory"); flags[t + 64] = 2; } \
    else { flags[t] = 3; __nanosleep(100); asm volatile(operation : "=r"(found) : "r"(t + 200) : "memory"); flags[t] = 4; } \
    END \
  }
TWO_PLACES(two_votes, "{ .reg .pred p; setp.gt.u32 p, %1, 109; vote.sync.ballot.b32 %0, p, -1; }")
TWO_PLACES(two_shuffles, "shfl.sync.bfly.b32 %0, %1, 1, 31, -1;")
TWO_PLACES(two_sums, "redux.sync.add.u32 %0, %1, -1;")
TWO_PLACES(two_matches, "{ .reg .u32 x; shr.u32 x, %1, 7; match.any.sync.b32 %0, x, -1; }")

int main() {
  u32 *d, h[512];
  cudaMalloc(&d, 1 << 16);
  puts("kernel,thread,mask,cycles,found");
#define RUN(name) \
  for (int round = 0; round < 2; ++round) { \
    cudaMemset(d, 0, 1 << 16); \
    name<<<1, name##_threads>>>(d, d + 512, d + 1024, d + 1280); \
    cudaMemcpy(h, d + 1024, sizeof(h), cudaMemcpyDeviceToHost); \
  } \
  for (int i = 0; i < 32; ++i) printf(#name ",%d,0x%08x,%u,%u\n", i, h[i], h[256 + i], h[64 + i]);
  RUN(lock) RUN(lock_sleep) RUN(lock_syncwarp) RUN(lock_syncthreads) RUN(lock_in_branch) RUN(lock_until_done)
  RUN(lock_in_call) RUN(lock_shared) RUN(ticket) RUN(flags_3000) RUN(flags_150) RUN(compare_and_swap) RUN(queue)
  RUN(counted_atomics) RUN(counted_long) RUN(two_votes) RUN(two_shuffles) RUN(two_sums) RUN(two_matches)
}
