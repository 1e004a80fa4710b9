// Instructions that a warp still issues after a barrier that others have not reached: warp 0 is 3000 cycles late, and
// the others read the clock before the barrier and after it, after instructions of several kinds.
#include <cstdint>
#include <cstdio>
#include <vector>

constexpr int kLate = 3000;

__device__ __forceinline__ long long now() {
  long long t;
  asm volatile("mov.u64 %0, %%clock64;" : "=l"(t)::"memory");
  return t;
}

#define INSTRUCTION(NAME, ...)                                                                    \
  struct NAME {                                                                                  \
    static const char* name() { return #NAME; }                                                  \
    static __device__ __forceinline__ void run(uint32_t& x, double& d, uint32_t a, uint32_t shared, \
                                               const uint32_t* io, uint32_t* c) {                \
      __VA_ARGS__                                                                                \
    }                                                                                            \
  };

namespace op {

INSTRUCTION(fma, asm volatile("fma.rn.f32 %0, %0, %1, %1;" : "+r"(x) : "r"(a));)
INSTRUCTION(lop3, asm volatile("lop3.b32 %0, %0, %1, %1, 0x6a;" : "+r"(x) : "r"(a));)
INSTRUCTION(imad_wide, { uint64_t w; asm volatile("mul.wide.u32 %0, %1, %2;" : "=l"(w) : "r"(x), "r"(a)); x = w >> 32; })
INSTRUCTION(half, asm volatile("fma.rn.f16x2 %0, %0, %1, %1;" : "+r"(x) : "r"(a));)
INSTRUCTION(dadd, asm volatile("add.rn.f64 %0, %0, %0;" : "+d"(d));)
INSTRUCTION(mma, asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%4}, {%4}, "
                              "{%0,%1,%2,%3};" : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3]) : "r"(a));)
INSTRUCTION(setp_sel, asm volatile("{.reg .pred p; setp.gt.u32 p, %0, %1; selp.u32 %0, %1, %0, p;}" : "+r"(x) : "r"(a));)
INSTRUCTION(vote, asm volatile("{.reg .pred p; setp.ne.u32 p, %0, %1; vote.sync.ballot.b32 %0, p, 0xffffffff;}" : "+r"(x) : "r"(a));)
INSTRUCTION(warp_sync, __syncwarp();)
INSTRUCTION(lds, { uint32_t v; asm volatile("ld.volatile.shared.u32 %0, [%1];" : "=r"(v) : "r"(shared) : "memory"); x += v; })
INSTRUCTION(sts, asm volatile("st.volatile.shared.u32 [%0], %1;" ::"r"(shared), "r"(a) : "memory");)
INSTRUCTION(ldg, { uint32_t v; asm volatile("ld.volatile.global.u32 %0, [%1];" : "=r"(v) : "l"(io) : "memory"); x += v; })
INSTRUCTION(ex2, asm volatile("ex2.approx.ftz.f32 %0, %0;" : "+r"(x));)
INSTRUCTION(popc, asm volatile("popc.b32 %0, %0;" : "+r"(x));)
INSTRUCTION(shfl, asm volatile("shfl.sync.bfly.b32 %0, %0, 1, 0x1f, 0xffffffff;" : "+r"(x));)
INSTRUCTION(branch, {
  asm volatile("{.reg .pred p; setp.eq.u32 p, %0, 12345; @p bra L%=; mul.lo.u32 %0, %0, %0; bar.warp.sync 0xffffffff; L%=:}" : "+r"(x));
})
INSTRUCTION(exit_not_taken, asm volatile("{.reg .pred p; setp.eq.u32 p, %0, 12345; @p exit;}" ::"r"(x));)
INSTRUCTION(barrier, asm volatile("bar.sync 1;" ::: "memory");)

}  // namespace op

template <class Op, int kCount>
__global__ void run(uint32_t* io, long long* times) {
  __shared__ uint32_t memory[1024];
  const uint32_t warp = threadIdx.x / 32;
  uint32_t x[8];
  uint32_t c[4] = {};
  double d = io[3];
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    x[i] = io[threadIdx.x + i];
  }
  const uint32_t a = io[1];
  const uint32_t shared = static_cast<uint32_t>(__cvta_generic_to_shared(memory)) + threadIdx.x * 4;
  memory[threadIdx.x] = 0;
  long long before = 0, after = 0;
#pragma unroll 1
  for (int repetition = 0; repetition < 2; ++repetition) {
    __syncthreads();
    if (warp == 0) {
      const long long begin = now();
      while (now() - begin < kLate) {
      }
    }
    __syncwarp();
    before = now();
    asm volatile("bar.sync 0;" ::: "memory");
#pragma unroll
    for (int i = 0; i < kCount; ++i) {
      Op::run(x[i % 8], d, a, shared, io, c);
    }
    after = now();
  }
  uint32_t sum = c[0] + c[1] + c[2] + c[3] + static_cast<uint32_t>(d);
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    sum += x[i];
  }
  io[threadIdx.x + 64] = sum;
  if (threadIdx.x % 32 == 0) {
    times[warp * 2] = before;
    times[warp * 2 + 1] = after;
  }
}

template <class Op, int kCount>
void measure() {
  static uint32_t* io = nullptr;
  static long long* times = nullptr;
  if (io == nullptr) {
    cudaMalloc(&io, 65536);
    cudaMalloc(&times, 32 * 2 * 8);
    cudaMemset(io, 0, 65536);
  }
  constexpr int kWarps = 5;
  run<Op, kCount><<<1, kWarps * 32>>>(io, times);
  std::vector<long long> host(kWarps * 2);
  cudaMemcpy(host.data(), times, host.size() * 8, cudaMemcpyDeviceToHost);
  printf("%s,%d", Op::name(), kCount);
  for (int w = 0; w < kWarps; ++w) {
    printf(",%lld", host[w * 2 + 1] - host[w * 2]);
  }
  printf("\n");
}

template <class Op>
void sweep() {
  measure<Op, 1>();
  measure<Op, 2>();
  measure<Op, 16>();
}

int main() {
  printf("instruction,count,warp 0,warp 1,warp 2,warp 3,warp 4\n");
  measure<op::fma, 0>();
  sweep<op::fma>();
  sweep<op::lop3>();
  sweep<op::imad_wide>();
  sweep<op::half>();
  sweep<op::dadd>();
  sweep<op::mma>();
  sweep<op::setp_sel>();
  sweep<op::vote>();
  sweep<op::warp_sync>();
  sweep<op::lds>();
  sweep<op::sts>();
  sweep<op::ldg>();
  sweep<op::ex2>();
  sweep<op::popc>();
  sweep<op::shfl>();
  sweep<op::branch>();
  sweep<op::exit_not_taken>();
  sweep<op::barrier>();
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
