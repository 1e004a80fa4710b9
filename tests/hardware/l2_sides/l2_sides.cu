// The cost of a read by the line's home, its previous user and whether it was written: one SM reads lines one after the
// other after no SM, itself, an SM of its own partition or one of the other partition has read or written them.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <unistd.h>

namespace {

constexpr int kLines = 2048;
constexpr int kMostLines = 65536;
constexpr size_t kStride = 4096 + 128;
constexpr size_t kOther = size_t{256} << 20;
constexpr int kSms = 132;

void check(cudaError_t error) {
  if (error != cudaSuccess) {
    std::fprintf(stderr, "%s\n", cudaGetErrorString(error));
    std::exit(1);
  }
}

__device__ __forceinline__ int sm_number() {
  int sm;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
  return sm;
}

__global__ void touch(const uint4* memory, size_t count, uint32_t* sink) {
  uint32_t sum = 0;
  for (size_t i = blockIdx.x * size_t{blockDim.x} + threadIdx.x; i < count; i += size_t{gridDim.x} * blockDim.x) {
    sum += __ldcg(memory + i).x;
  }
  if (sum == 12345) {
    *sink = sum;
  }
}

// One thread of the chosen SM reads a word of each line; records the time of each.
__global__ void read_lines(const char* memory, int sm, int* cycles, int lines) {
  if (sm_number() != sm || threadIdx.x != 0) {
    return;
  }
  uint32_t zero = 0;
  for (int i = 0; i < lines; ++i) {
    const long long begin = clock64();
    uint32_t value;
    asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(value) : "l"(memory + i * kStride + zero));
    zero = value & 0x80000000U;
    const long long end = clock64() + (zero >> 31);
    cycles[i] = static_cast<int>(end - begin);
  }
}

// A warp of the chosen SM writes the first `bytes` bytes of each line.
__global__ void write_lines(char* memory, int sm, int bytes, int lines) {
  if (sm_number() != sm || static_cast<int>(threadIdx.x) * 4 >= bytes) {
    return;
  }
  for (int i = 0; i < lines; ++i) {
    *reinterpret_cast<uint32_t*>(memory + i * kStride + threadIdx.x * 4) = i;
  }
}

struct Lab {
  char* memory;
  char* other;
  int* cycles;

  void flush() { touch<<<528, 512>>>(reinterpret_cast<const uint4*>(other), kOther / 16, nullptr); }
  std::vector<int> read(int sm) {
    read_lines<<<kSms, 32>>>(memory, sm, cycles, kLines);
    check(cudaDeviceSynchronize());
    std::vector<int> host(kLines);
    check(cudaMemcpy(host.data(), cycles, kLines * sizeof(int), cudaMemcpyDeviceToHost));
    return host;
  }
  void write(int sm, int bytes, int lines = kLines) { write_lines<<<kSms, 32>>>(memory, sm, bytes, lines); }
};

int at(std::vector<int> values, double part) {
  std::sort(values.begin(), values.end());
  return values[static_cast<size_t>(part * (values.size() - 1))];
}

void report(const char* test, int reader, int other, const std::vector<bool>& near, const std::vector<int>& cycles) {
  for (const bool side : {true, false}) {
    std::vector<int> chosen;
    for (int i = 0; i < kLines; ++i) {
      if (near[i] == side) {
        chosen.push_back(cycles[i]);
      }
    }
    std::printf("%s,%d,%d,%s,%zu,%d,%d,%d\n", test, reader, other, side ? "near" : "far", chosen.size(), at(chosen, 0.1),
                at(chosen, 0.5), at(chosen, 0.9));
  }
}

// Near: the better of three reads from DRAM is closer to the low mode than to the high one.
std::vector<bool> homes(Lab& lab, int sm) {
  std::vector<int> best(kLines, 1 << 30);
  for (int repetition = 0; repetition < 5; ++repetition) {
    lab.flush();
    const std::vector<int> cycles = lab.read(sm);
    for (int i = 0; i < kLines; ++i) {
      best[i] = std::min(best[i], cycles[i]);
    }
  }
  const int middle = (at(best, 0.05) + at(best, 0.95)) / 2;
  std::vector<bool> near(kLines);
  for (int i = 0; i < kLines; ++i) {
    near[i] = best[i] < middle;
  }
  return near;
}

int agreement(const std::vector<bool>& a, const std::vector<bool>& b) {
  int same = 0;
  for (int i = 0; i < kLines; ++i) {
    same += a[i] == b[i];
  }
  return same * 100 / kLines;
}

}  // namespace

int main() {
  Lab lab{};
  check(cudaMalloc(&lab.memory, kMostLines * kStride + 4096));
  check(cudaMalloc(&lab.other, kOther));
  check(cudaMalloc(&lab.cycles, kLines * sizeof(int)));
  check(cudaMemset(lab.memory, 0, kMostLines * kStride));
  check(cudaMemset(lab.other, 0, kOther));
  lab.read(0);
  lab.write(0, 128);
  std::printf("test,reader,other,home,lines,p10,p50,p90\n");
  for (const int reader : {0, 1}) {
    const std::vector<bool> near = homes(lab, reader);
    int same = -1;
    int across = -1;
    for (int sm = 2; sm < 40; sm += 3) {
      const int percent = agreement(near, homes(lab, sm));
      std::printf("#side,%d,%d,%d\n", reader, sm, percent);
      if (percent > 80) {
        same = sm;
      }
      if (percent < 20) {
        across = sm;
      }
    }
    lab.flush();
    report("nobody", reader, -1, near, lab.read(reader));
    report("read again", reader, reader, near, lab.read(reader));
    for (const int who : {reader, same, across}) {
      if (who < 0) {
        continue;
      }
      lab.flush();
      lab.read(who);
      report("read", reader, who, near, lab.read(reader));
      report("read, second time", reader, who, near, lab.read(reader));
      for (const int bytes : {4, 32, 128}) {
        const std::string number = std::to_string(bytes);
        lab.flush();
        lab.write(who, bytes);
        report(("written " + number).c_str(), reader, who, near, lab.read(reader));
        report(("written " + number + ", second time").c_str(), reader, who, near, lab.read(reader));
        lab.flush();
        lab.read(reader);
        lab.write(who, bytes);
        report(("read by the reader and written " + number).c_str(), reader, who, near, lab.read(reader));
      }
    }
    // The first lines of more partly written ones: when are they completed?
    for (const int who : {reader, across}) {
      for (const int bytes : {4, 8, 16, 28}) {
        for (int lines = kLines; lines <= kMostLines && who >= 0; lines *= 2) {
          for (const bool pause : {false, true}) {
            lab.flush();
            lab.write(who, bytes, lines);
            if (pause) {
              check(cudaDeviceSynchronize());
              usleep(20000);
            }
            const std::string test = "written " + std::to_string(bytes) + " of " + std::to_string(lines) + (pause ? ", after 20 ms" : "");
            report(test.c_str(), reader, who, near, lab.read(reader));
          }
        }
      }
    }
  }
  return 0;
}
