// Bits of numbers: the same bits as another type, four numbers in one word, loops that are unrolled in several ways.
__global__ void casts(const int* bits, const float* numbers, float* as_float, int* as_int) {
  as_float[threadIdx.x] = __int_as_float(bits[threadIdx.x]);
  as_int[threadIdx.x] = __float_as_int(numbers[threadIdx.x]);
}

// The sum of the differences of four bytes each, plus the previous value.
__global__ void differences(const unsigned* a, const unsigned* b, const unsigned* before, unsigned* sums) {
  unsigned sum = 0;
  asm("vabsdiff4.u32.u32.u32.add %0, %1, %2, %3;"
      : "=r"(sum)
      : "r"(a[threadIdx.x]), "r"(b[threadIdx.x]), "r"(before[threadIdx.x]));
  sums[threadIdx.x] = sum;
}

constexpr int kTrips = 12;

__global__ void unrolled(int* a, int* b, int* c, int* d, const int* numbers, int factor) {
#pragma unroll
  for (int i = 0; i < kTrips; ++i) {
    a[i] += numbers[i] * factor;
  }
#pragma unroll 8
  for (int i = 0; i < kTrips; ++i) {
    b[i] += numbers[i] * factor;
  }
#pragma unroll 1
  for (int i = 0; i < kTrips; ++i) {
    c[i] += numbers[i] * factor;
  }
#pragma unroll 4
  for (int i = 0; i < kTrips; ++i) {
    d[i] += numbers[i] * factor;
  }
}

// A counter of the profiler: without a profiler it has no effect.
__global__ void triggers(int* out) {
  __prof_trigger(3);
  out[threadIdx.x] = static_cast<int>(threadIdx.x) + 1;
}
