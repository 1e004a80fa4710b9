// Launches whose counters show the rules of L1, L2 and DRAM. Prints one line per launch: number, test, parameter,
// words that the test touches. Nsight Compute empties the caches before each launch.
//
// requests: each lane reads one word, `parameter` words after its neighbour's.
// load_store_load: each lane reads its word first (parameter 1) or not (parameter 0), writes it, and after a barrier reads
//   the word that the next warp has written; the words of a warp are 32 neighbours.
// sector_of_line: each lane reads the first word of the sectors in the mask `parameter` of its line, one after another.
// fill: writes `parameter` KiB, all bytes.
// words: writes one word of each of `parameter` sectors; the sectors of one line follow each other.
// line_words: writes one word of each of `parameter` lines.
// line_sectors: writes all words of one sector of each of `parameter` lines.
#include <cstdio>
#include <cstdlib>

namespace {

constexpr unsigned kThreads = 256;

void check(cudaError_t code) {
  if (code != cudaSuccess) {
    std::fprintf(stderr, "%s\n", cudaGetErrorString(code));
    std::exit(1);
  }
}

__global__ void requests(const volatile unsigned* data, unsigned stride, unsigned* out) {
  const unsigned value = data[(blockIdx.x * kThreads + threadIdx.x) * stride];
  if (value == 1) {
    *out = value;
  }
}

__global__ void load_store_load(unsigned* data, unsigned load_first, unsigned* out) {
  unsigned* const words_of_block = data + blockIdx.x * kThreads;
  unsigned* const word = words_of_block + threadIdx.x;
  unsigned sum = 0;
  if (load_first != 0) {
    asm volatile("ld.global.u32 %0, [%1];" : "=r"(sum) : "l"(word));
  }
  asm volatile("st.global.u32 [%0], %1;" ::"l"(word), "r"(sum + 2) : "memory");
  __syncthreads();
  unsigned again;
  asm volatile("ld.global.u32 %0, [%1];" : "=r"(again) : "l"(words_of_block + (threadIdx.x + 32) % kThreads));
  if (sum + again == 1) {
    *out = sum;
  }
}

__global__ void sector_of_line(const unsigned* data, unsigned mask, unsigned* out) {
  const unsigned* const line = data + (blockIdx.x * kThreads + threadIdx.x) * 32;
  unsigned sum = 0;
  for (unsigned sector = 0; sector < 4; ++sector) {
    if ((mask >> sector & 1) != 0) {
      unsigned value;
      asm volatile("ld.global.u32 %0, [%1];" : "=r"(value) : "l"(line + sector * 8));
      sum += value;
    }
  }
  if (sum == 1) {
    *out = sum;
  }
}

__global__ void fill(uint4* data, unsigned long long count) {
  for (unsigned long long i = blockIdx.x * kThreads + threadIdx.x; i < count; i += gridDim.x * kThreads) {
    data[i] = make_uint4(2, 2, 2, 2);
  }
}

__global__ void words(unsigned* data, unsigned long long count, unsigned distance) {
  for (unsigned long long i = blockIdx.x * kThreads + threadIdx.x; i < count; i += gridDim.x * kThreads) {
    data[i * distance] = 2;
  }
}

__global__ void line_sectors(uint4* data, unsigned long long lines) {
  for (unsigned long long i = blockIdx.x * kThreads + threadIdx.x; i < lines * 2; i += gridDim.x * kThreads) {
    data[i / 2 * 8 + i % 2] = make_uint4(2, 2, 2, 2);
  }
}

int launches = 0;

void done(const char* test, unsigned long long parameter, unsigned long long words_touched) {
  check(cudaGetLastError());
  check(cudaDeviceSynchronize());
  std::printf("%d,%s,%llu,%llu\n", launches++, test, parameter, words_touched);
}

}  // namespace

int main() {
  constexpr unsigned long long kBytes = 1ULL << 30;
  constexpr unsigned kGrid = 132 * 8;
  void* memory;
  unsigned* out;
  check(cudaMalloc(&memory, kBytes));
  check(cudaMalloc(&out, 4));
  check(cudaMemset(memory, 0, kBytes));
  unsigned* const data = static_cast<unsigned*>(memory);
  std::printf("launch,test,parameter,words\n");
  constexpr unsigned kReads = 1056 * kThreads;
  for (unsigned stride = 1; stride <= 64; stride *= 2) {
    requests<<<1056, kThreads>>>(data, stride, out);
    done("requests", stride, kReads);
  }
  for (unsigned load_first = 0; load_first < 2; ++load_first) {
    load_store_load<<<132, kThreads>>>(data, load_first, out);
    done("load_store_load", load_first, 132 * kThreads);
  }
  for (unsigned mask = 1; mask < 16; ++mask) {
    sector_of_line<<<132, kThreads>>>(data, mask, out);
    done("sector_of_line", mask, 132 * kThreads);
  }
  for (unsigned long long kib = 1024; kib <= 512 * 1024; kib = kib * 3 / 2) {
    fill<<<kGrid, kThreads>>>(reinterpret_cast<uint4*>(memory), kib * 64);
    done("fill", kib, kib * 256);
  }
  constexpr unsigned long long kMostLines = kBytes / 128;
  for (unsigned long long sectors = 8192; sectors <= kMostLines; sectors *= 2) {
    words<<<kGrid, kThreads>>>(data, sectors, 8);
    done("words", sectors, sectors);
  }
  for (unsigned long long lines = 8192; lines <= kMostLines; lines *= 2) {
    words<<<kGrid, kThreads>>>(data, lines, 32);
    done("line_words", lines, lines);
  }
  for (unsigned long long lines = 8192; lines <= kMostLines; lines *= 4) {
    line_sectors<<<kGrid, kThreads>>>(reinterpret_cast<uint4*>(memory), lines);
    done("line_sectors", lines, lines * 8);
  }
  return 0;
}
