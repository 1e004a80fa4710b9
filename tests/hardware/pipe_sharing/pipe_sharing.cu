// The sharing of a pipe by warps of one sub-core: when each warp of a block begins and ends a loop of operations. The
// branch between barrier and clock makes every warp wait for the others before it reads the clock. And the time of
// MATCH by the number of different values.
#include <cstdint>
#include <cstdio>
#include <vector>

constexpr int kSteps = 16;  // of kChains operations each
constexpr int kRounds = 16;

#define OPERATION(NAME, TYPE, ...)                                                              \
  struct NAME {                                                                                 \
    typedef TYPE T;                                                                             \
    static const char* name() { return #NAME; }                                                 \
    static __device__ __forceinline__ void step(T& x, T& y, T a, T b) { __VA_ARGS__ }           \
  };

OPERATION(FADD, float, asm volatile("add.rn.f32 %0, %0, %1;" : "+f"(x) : "f"(a));)
OPERATION(FFMA, float, asm volatile("fma.rn.f32 %0, %0, %1, %2;" : "+f"(x) : "f"(a), "f"(b));)
OPERATION(IADD3, uint32_t,
          asm volatile("{.reg .u32 t; add.u32 t, %0, %1; add.u32 %0, t, %2;}" : "+r"(x) : "r"(a), "r"(b));)
OPERATION(IMAD, uint32_t, asm volatile("mad.lo.u32 %0, %0, %1, %2;" : "+r"(x) : "r"(a), "r"(b));)
OPERATION(LOP3, uint32_t, T t = x; asm volatile("lop3.b32 %0, %0, %1, %2, 0x6a;" : "+r"(x) : "r"(y), "r"(a)); y = t;)
OPERATION(DADD, double, asm volatile("add.rn.f64 %0, %0, %1;" : "+d"(x) : "d"(a));)
OPERATION(DFMA, double, asm volatile("fma.rn.f64 %0, %0, %1, %2;" : "+d"(x) : "d"(a), "d"(b));)
OPERATION(HADD2, uint32_t, asm volatile("add.rn.f16x2 %0, %0, %1;" : "+r"(x) : "r"(a));)
OPERATION(HFMA2, uint32_t, asm volatile("fma.rn.f16x2 %0, %0, %1, %2;" : "+r"(x) : "r"(a), "r"(b));)
OPERATION(EX2, float, asm volatile("ex2.approx.ftz.f32 %0, %0;" : "+f"(x));)
OPERATION(SHFL, uint32_t, asm volatile("shfl.sync.bfly.b32 %0, %0, 1, 0x1f, 0xffffffff;" : "+r"(x));)
OPERATION(S2R, uint32_t,
          asm volatile("{.reg .pred p; setp.ne.u32 p, %0, %1; @p mov.u32 %0, %%smid;}" : "+r"(x) : "r"(a));)
OPERATION(IMADWIDE, uint64_t,
          asm volatile("mul.wide.u32 %0, %1, %2;" : "=l"(x) : "r"((uint32_t)x), "r"((uint32_t)(x >> 32)));)

__device__ __forceinline__ long long now() {
  long long t;
  asm volatile("mov.u64 %0, %%clock64;" : "=l"(t)::"memory");
  return t;
}

template <class Op, int kChains>
__global__ void run(typename Op::T* io, long long* t, uint32_t mask) {
  typedef typename Op::T T;
  T x[kChains], y[kChains], a = io[1], b = io[2];
#pragma unroll
  for (int k = 0; k < kChains; ++k) x[k] = y[k] = io[3 + k + threadIdx.x];
  long long t0 = 0, t1 = 0;
#pragma unroll 1
  for (int r = 0; r < 2; ++r) {
    __syncthreads();
    if ((mask >> threadIdx.x / 32 & 1) == 0) continue;
    t0 = now();
#pragma unroll 1
    for (int l = 0; l < kRounds; ++l) {
#pragma unroll
      for (int i = 0; i < kSteps; ++i)
#pragma unroll
        for (int k = 0; k < kChains; ++k) Op::step(x[k], y[k], a, b);
    }
    t1 = now();
  }
  T s = x[0];
  __syncthreads();
#pragma unroll
  for (int k = 0; k < kChains; ++k) s += x[k] + y[k];
  io[16 + threadIdx.x] = s;
  if ((threadIdx.x & 31) == 0) {
    t[threadIdx.x / 32 * 2] = t0;
    t[threadIdx.x / 32 * 2 + 1] = t1;
  }
}

struct M16 {
  static const char* name() { return "HMMA16816"; }
  static __device__ __forceinline__ void step(uint32_t* c, const uint32_t* a, const uint32_t* b) {
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
        : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  }
};
struct M8 {
  static const char* name() { return "HMMA1688"; }
  static __device__ __forceinline__ void step(uint32_t* c, const uint32_t* a, const uint32_t* b) {
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};"
                 : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])
                 : "r"(a[0]), "r"(a[1]), "r"(b[0]));
  }
};

template <class M, int kChains>
__global__ void run_mma(uint32_t* io, long long* t, uint32_t mask) {
  uint32_t c[kChains][4], a[4], b[2];
  for (int i = 0; i < 4; ++i) {
    a[i] = io[i];
    for (int k = 0; k < kChains; ++k) c[k][i] = io[i];
  }
  b[0] = io[4];
  b[1] = io[5];
  long long t0 = 0, t1 = 0;
#pragma unroll 1
  for (int r = 0; r < 2; ++r) {
    __syncthreads();
    if ((mask >> threadIdx.x / 32 & 1) == 0) continue;
    t0 = now();
#pragma unroll 1
    for (int l = 0; l < kRounds; ++l) {
#pragma unroll
      for (int i = 0; i < 8; ++i)
#pragma unroll
        for (int k = 0; k < kChains; ++k) M::step(c[k], a, b);
    }
    t1 = now();
  }
  uint32_t s = 0;
  for (int k = 0; k < kChains; ++k) s += c[k][0] + c[k][1] + c[k][2] + c[k][3];
  io[8 + threadIdx.x] = s;
  if ((threadIdx.x & 31) == 0) {
    t[threadIdx.x / 32 * 2] = t0;
    t[threadIdx.x / 32 * 2 + 1] = t1;
  }
}

void* g_io = nullptr;
long long* g_times = nullptr;

void print(const char* name, int chains, int warps, uint32_t mask) {
  std::vector<long long> host(64);
  cudaMemcpy(host.data(), g_times, 64 * 8, cudaMemcpyDeviceToHost);
  long long first = 1LL << 62, last = 0;
  for (int w = 0; w < warps; ++w) {
    if ((mask >> w & 1) != 0) {
      first = host[2 * w] < first ? host[2 * w] : first;
      last = host[2 * w + 1] > last ? host[2 * w + 1] : last;
    }
  }
  printf("%s,%d,%d,%08x,%lld", name, chains, warps, mask, last - first);
  for (int w = 0; w < warps; w += 4) {
    if ((mask >> w & 1) != 0) {
      printf(",%d:%lld-%lld", w, host[2 * w] - first, host[2 * w + 1] - first);
    }
  }
  printf("\n");
}

template <class Op, int kChains>
void measure(int warps, uint32_t mask) {
  run<Op, kChains><<<1, warps * 32>>>(static_cast<typename Op::T*>(g_io), g_times, mask);
  print(Op::name(), kChains, warps, mask);
}
template <class M, int kChains>
void measure_mma(int warps, uint32_t mask) {
  run_mma<M, kChains><<<1, warps * 32>>>(static_cast<uint32_t*>(g_io), g_times, mask);
  print(M::name(), kChains, warps, mask);
}

template <class Op, int kChains>
void sweep() {
  for (const int warps : {4, 8, 12, 16, 20, 24, 28, 32}) {
    measure<Op, kChains>(warps, ~0U >> (32 - warps));
  }
  for (const uint32_t mask : {0x1U, 0x11U, 0x1111U, 0x11111111U}) {
    measure<Op, kChains>(32, mask);
  }
}
template <class M, int kChains>
void sweep_mma() {
  for (const int warps : {4, 8, 12, 16, 20, 24, 28, 32}) {
    measure_mma<M, kChains>(warps, ~0U >> (32 - warps));
  }
  for (const uint32_t mask : {0x1U, 0x11U, 0x1111U, 0x11111111U}) {
    measure_mma<M, kChains>(32, mask);
  }
}

// Cycles of one MATCH of a warp in chains that hold `distinct` values each.
template <int kChains>
__global__ void match(uint32_t* out, uint32_t distinct, long long* t) {
  const uint32_t value = threadIdx.x % 32 % distinct;
  long long begin = 0, end = 0;
  uint32_t y[kChains];
  uint32_t sum = 0;
  for (int r = 0; r < 2; ++r) {
    __syncthreads();
    for (int i = 0; i < kChains; ++i) y[i] = value;
    __syncwarp();
    begin = now();
#pragma unroll
    for (int i = 0; i < 32; ++i)
      for (int k = 0; k < kChains; ++k) asm volatile("match.any.sync.b32 %0, %0, 0xffffffff;" : "+r"(y[k]));
    for (int k = 0; k < kChains; ++k) sum += y[k];
    if (sum == 12345) out[1] = 1;
    end = now();
  }
  out[threadIdx.x + 2] = sum;
  if (threadIdx.x == 0) *t = end - begin;
}

template <int kChains>
void measure_match() {
  for (const int distinct : {1, 2, 3, 4, 8, 16, 32}) {
    for (const int warps : {1, 4, 8, 16}) {
      match<kChains><<<1, 32 * warps>>>(static_cast<uint32_t*>(g_io), distinct, g_times);
      long long time = 0;
      cudaMemcpy(&time, g_times, sizeof time, cudaMemcpyDeviceToHost);
      printf("MATCH,%d,%d,values %d,%.2f\n", kChains, warps, distinct, time / (32.0 * kChains));
    }
  }
}

int main() {
  cudaMalloc(&g_io, 65536);
  cudaMalloc(&g_times, 64 * 8);
  cudaMemset(g_io, 0, 65536);
  printf("operation,chains,warps,mask,span,warp:begin-end\n");
  sweep<FADD, 4>();
  sweep<FFMA, 4>();
  sweep<FFMA, 8>();
  sweep<FFMA, 1>();
  sweep<FFMA, 2>();
  sweep<IADD3, 4>();
  sweep<IADD3, 1>();
  sweep<IADD3, 8>();
  sweep<IMAD, 4>();
  sweep<IMAD, 1>();
  sweep<LOP3, 4>();
  sweep<LOP3, 1>();
  sweep<DADD, 4>();
  sweep<DADD, 1>();
  sweep<DFMA, 4>();
  sweep<DFMA, 1>();
  sweep<HADD2, 4>();
  sweep<HFMA2, 4>();
  sweep<EX2, 4>();
  sweep<EX2, 8>();
  sweep<EX2, 1>();
  sweep<SHFL, 4>();
  sweep<S2R, 4>();
  sweep<IMADWIDE, 4>();
  sweep<IMADWIDE, 1>();
  sweep_mma<M16, 4>();
  sweep_mma<M16, 1>();
  sweep_mma<M16, 2>();
  sweep_mma<M8, 4>();
  measure_match<1>();
  measure_match<4>();
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
