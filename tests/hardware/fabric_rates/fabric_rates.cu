// Rates at which the two halves of L2 exchange data: SMs read from DRAM and write in L2 chunks whose home is their own
// half (near), the other one (far), or either. Others read in L2 what is written at the same time, or what is not. The home
// of a chunk and the half of an SM come from the latency of atomics, which are executed at home.
#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "../cuda_check.h"

namespace {

constexpr int kChunkBytes = 4096;  // of one home
constexpr int kThreads = 1024;
constexpr int kMostSms = 160;
constexpr int kUnroll = 4;
constexpr long long kWarmUp = 50000;      // cycles before what is measured
constexpr long long kBudget = 100000;     // cycles in which rounds begin that are measured
constexpr unsigned kRateUnits = 1000000;  // rates are in millionths of a byte per cycle
constexpr std::size_t kReadBytes = std::size_t{512} << 20;
constexpr std::size_t kWriteBytes = std::size_t{16} << 20;

enum Mode { kIdle = 0, kRead = 1, kWrite = 2, kCopy = 3 };
// What is read: memory that nobody writes, from DRAM; in L2 the chunks that SMs of the other half write, or as many others.
enum Source { kDram = 0, kWritten = 1, kBeside = 2 };

struct Plan {
  Mode mode[kMostSms];
  const std::uint32_t* reads[kMostSms];  // chunks of the source
  const std::uint32_t* writes[kMostSms];
  int read_count[kMostSms];
  int write_count[kMostSms];
};

__device__ unsigned sm_number() {
  unsigned number = 0;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(number));
  return number;
}

// Fastest of three atomics on the first word of each chunk; SM `by` alone, or all, each for all chunks.
__global__ void latencies(unsigned* data, std::uint16_t* out, int first, int count, int stride, int per_sm) {
  const int sm = static_cast<int>(sm_number());
  const int begin = first + sm * per_sm;
  for (int i = 0; i < count; ++i) {
    const std::size_t chunk = static_cast<std::size_t>(begin + i * stride);
    unsigned best = ~0U;
    for (int repetition = 0; repetition < 3; ++repetition) {
      const long long start = clock64();
      const unsigned old = atomicAdd(&data[chunk * (kChunkBytes / 4)], 0);
      const long long end = clock64() + (old == 12345U ? 1 : 0);
      best = min(best, static_cast<unsigned>(end - start));
    }
    out[static_cast<std::size_t>(sm) * count + i] = static_cast<std::uint16_t>(min(best, 65535U));
  }
}

__global__ void __launch_bounds__(kThreads) move(const uint4* from, uint4* to, const Plan* plan, unsigned* arrived,
                                                 unsigned sms, unsigned long long* rates, unsigned* sink) {
  // The numbers of this SM's chunks, a power of two of each kind, so that little but accesses is executed.
  extern __shared__ std::uint32_t chunks[];
  const unsigned sm = sm_number();
  const Mode mode = plan->mode[sm];
  const unsigned read_mask = static_cast<unsigned>(plan->read_count[sm]) - 1;
  const unsigned write_mask = static_cast<unsigned>(plan->write_count[sm]) - 1;
  std::uint32_t* const reads = chunks;
  std::uint32_t* const writes = chunks + read_mask + 1;
  for (unsigned i = threadIdx.x; i <= read_mask; i += blockDim.x) {
    reads[i] = plan->reads[sm][i];
  }
  for (unsigned i = threadIdx.x; i <= write_mask; i += blockDim.x) {
    writes[i] = plan->writes[sm][i];
  }
  if (threadIdx.x == 0) {
    atomicAdd(arrived, 1U);
    while (*static_cast<volatile unsigned*>(arrived) < sms) {
    }
  }
  __syncthreads();
  const long long start = clock64();
  const unsigned lane_part = threadIdx.x % 256;  // of a chunk
  unsigned at = threadIdx.x / 256;
  unsigned sum = 0;
  unsigned rounds = 0;  // after the warm-up, as the clocks
  long long begun = 0;
  long long end = start;
  while (mode != kIdle && (end = clock64()) - start < kWarmUp + kBudget) {
    if (end - start < kWarmUp) {
      begun = end;
      rounds = 0;
    }
    uint4 values[kUnroll] = {};
#pragma unroll
    for (int k = 0; k < kUnroll; ++k) {
      if (mode != kWrite) {
        const uint4* place = from + std::size_t{reads[(at + 4 * k) & read_mask]} * (kChunkBytes / 16) + lane_part;
        asm volatile("ld.global.cg.v4.u32 {%0, %1, %2, %3}, [%4];"
                     : "=r"(values[k].x), "=r"(values[k].y), "=r"(values[k].z), "=r"(values[k].w)
                     : "l"(place));
      }
    }
#pragma unroll
    for (int k = 0; k < kUnroll; ++k) {
      if (mode != kRead) {
        to[std::size_t{writes[(at + 4 * k) & write_mask]} * (kChunkBytes / 16) + lane_part] = values[k];
      }
      sum += values[k].x + values[k].y + values[k].z + values[k].w;
    }
    at += 4 * kUnroll;
    ++rounds;
  }
  if (sum == 12345U) {
    *sink = sum;
  }
  if (threadIdx.x % 32 == 0 && rounds > 0) {
    // Each way.
    const unsigned long long moved = static_cast<unsigned long long>(rounds) * kUnroll * 512;
    atomicAdd(&rates[sm], moved * kRateUnits / static_cast<unsigned long long>(end - begun));
  }
}

int threshold(std::vector<std::uint16_t> values) {
  std::sort(values.begin(), values.end());
  return (values[values.size() / 10] + values[values.size() * 9 / 10]) / 2;
}

}  // namespace

int main() {
  cudaDeviceProp properties;
  CHECK(cudaGetDeviceProperties(&properties, 0));
  const int sms = properties.multiProcessorCount;
  unsigned* from = nullptr;
  unsigned* to = nullptr;
  unsigned* other = nullptr;
  CHECK(cudaMalloc(&from, kReadBytes));
  CHECK(cudaMalloc(&to, kWriteBytes));
  CHECK(cudaMalloc(&other, 4096));
  CHECK(cudaMemset(from, 0, kReadBytes));
  CHECK(cudaMemset(to, 0, kWriteBytes));

  // Sides of the SMs: which of 64 chunks are far.
  constexpr int kProbes = 64;
  constexpr int kReadChunks = static_cast<int>(kReadBytes / kChunkBytes);
  constexpr int kWriteChunks = static_cast<int>(kWriteBytes / kChunkBytes);
  std::uint16_t* times = nullptr;
  CHECK(cudaMalloc(&times, sizeof(std::uint16_t) * (kReadChunks + static_cast<std::size_t>(kMostSms) * 1024)));
  CHECK(cudaFuncSetAttribute(latencies, cudaFuncAttributeMaxDynamicSharedMemorySize, 200 << 10));
  latencies<<<sms, 1, 200 << 10>>>(to, times, 0, kProbes, 1, 0);
  CHECK(cudaDeviceSynchronize());
  std::vector<std::uint16_t> probes(static_cast<std::size_t>(sms) * kProbes);
  CHECK(cudaMemcpy(probes.data(), times, probes.size() * 2, cudaMemcpyDeviceToHost));
  std::vector<std::vector<bool>> far(sms);
  std::vector<int> limit(sms);
  for (int sm = 0; sm < sms; ++sm) {
    const std::vector<std::uint16_t> mine(probes.begin() + sm * kProbes, probes.begin() + (sm + 1) * kProbes);
    limit[sm] = threshold(mine);
    for (const std::uint16_t value : mine) {
      far[sm].push_back(value > limit[sm]);
    }
  }
  std::vector<int> side(sms);
  int second = 0;
  int doubtful = 0;
  for (int sm = 0; sm < sms; ++sm) {
    int same = 0;
    for (int i = 0; i < kProbes; ++i) {
      same += far[sm][i] == far[0][i] ? 1 : 0;
    }
    side[sm] = same * 2 > kProbes ? 0 : 1;
    second += side[sm];
    doubtful += same > kProbes / 10 && same < kProbes * 9 / 10 ? 1 : 0;
  }
  std::printf("# %s, %d SMs, %d on the second side, %d doubtful, limits %d to %d cycles\n", properties.name, sms, second,
              doubtful, *std::min_element(limit.begin(), limit.end()), *std::max_element(limit.begin(), limit.end()));

  // Homes of all chunks, each from one SM.
  const auto homes = [&](unsigned* data, int chunks) {
    const int per_sm = (chunks + sms - 1) / sms;
    std::vector<int> home(chunks, 0);
    std::uint16_t* results = nullptr;
    CHECK(cudaMalloc(&results, sizeof(std::uint16_t) * static_cast<std::size_t>(sms) * per_sm));
    // The last SM would pass the end: its range is shifted.
    const int covered = chunks / sms;
    latencies<<<sms, 1, 200 << 10>>>(data, results, 0, covered, 1, covered);
    CHECK(cudaDeviceSynchronize());
    std::vector<std::uint16_t> host(static_cast<std::size_t>(sms) * covered);
    CHECK(cudaMemcpy(host.data(), results, host.size() * 2, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(results));
    for (int sm = 0; sm < sms; ++sm) {
      const std::vector<std::uint16_t> mine(host.begin() + static_cast<long>(sm) * covered,
                                            host.begin() + static_cast<long>(sm + 1) * covered);
      const int middle = threshold(mine);
      for (int i = 0; i < covered; ++i) {
        home[sm * covered + i] = mine[i] > middle ? 1 - side[sm] : side[sm];
      }
    }
    home.resize(static_cast<std::size_t>(sms) * covered);
    return home;
  };
  const std::vector<int> read_home = homes(from, kReadChunks);
  const std::vector<int> write_home = homes(to, kWriteChunks);
  const auto count_of = [](const std::vector<int>& home) { return std::count(home.begin(), home.end(), 1); };
  std::printf("# of %zu chunks to read %ld have the second home, of %zu to write %ld\n", read_home.size(),
              static_cast<long>(count_of(read_home)), write_home.size(), static_cast<long>(count_of(write_home)));

  // Each SM gets neighbouring chunks of the wanted home, or every n-th one of them; place 0 near, 1 far, 2 either.
  std::uint32_t* lists = nullptr;
  CHECK(cudaMalloc(&lists, sizeof(std::uint32_t) * 8 * (read_home.size() + write_home.size())));
  Plan* plan = nullptr;
  CHECK(cudaMalloc(&plan, sizeof(Plan)));
  unsigned long long* rates = nullptr;
  CHECK(cudaMalloc(&rates, sizeof(unsigned long long) * kMostSms));

  struct Group {
    Mode mode;
    int reads;
    int writes;
  };
  const char* const places[] = {"near", "far", "either"};
  const auto name_of = [&](const Group& group) -> std::string {
    switch (group.mode) {
      case kRead:
        return std::string("read_") + places[group.reads];
      case kWrite:
        return std::string("write_") + places[group.writes];
      case kCopy:
        return std::string("copy_") + places[group.reads] + "_to_" + places[group.writes];
      default:
        return "idle";
    }
  };
  std::printf("first_half,second_half,reads,chunks,sms_of_group,repetition,read_bytes_per_cycle,written_bytes_per_cycle,"
              "read_by_second_group,written_by_second_group\n");
  // Four groups of SMs: of each side the even and the odd ones of that side; of each group the first `most`.
  const struct {
    const char* name;
    const unsigned* data;
    std::vector<int> home;
  } sources[] = {{"dram", from, read_home},
                 {"written", to, write_home},
                 {"beside", from, {read_home.begin(), read_home.begin() + static_cast<long>(write_home.size())}}};
  const auto measure = [&](const std::vector<Group>& groups, int most = kMostSms, bool spread = false,
                           Source source = kDram) {
    Plan host = {};
    std::vector<std::uint32_t> all;
    std::vector<std::pair<std::size_t, std::size_t>> begins(sms);
    int seen[2] = {0, 0};
    std::vector<int> group_of(sms);
    int size_of[4] = {0, 0, 0, 0};
    for (int sm = 0; sm < sms; ++sm) {
      group_of[sm] = side[sm] * 2 + seen[side[sm]]++ % 2;
      ++size_of[group_of[sm]];
    }
    int rank[4] = {0, 0, 0, 0};
    for (int sm = 0; sm < sms; ++sm) {
      const Group& group = groups[group_of[sm]];
      const int mine = side[sm] * 70 + rank[group_of[sm]] * 2 + group_of[sm] % 2;
      ++rank[group_of[sm]];
      host.mode[sm] = rank[group_of[sm]] <= most ? group.mode : kIdle;
      const auto list = [&](const std::vector<int>& home, int place) {
        const std::size_t begin = all.size();
        int number = 0;
        // Chunks of either home are divided among all SMs, the others among those of a side.
        const int among = place == 2 ? 140 : 70;
        const int each = static_cast<int>(home.size()) / 140;
        for (std::size_t i = 0; i < home.size(); ++i) {
          const bool wanted = place == 2 || (home[i] == side[sm]) == (place == 0);
          if (wanted) {
            if ((spread ? number % among : number / each) == mine % among) {
              all.push_back(static_cast<std::uint32_t>(i));
            }
            ++number;
          }
        }
        all.resize(begin + std::bit_floor(all.size() - begin));
        return std::make_pair(begin, static_cast<int>(all.size() - begin));
      };
      const auto reads = list(sources[source].home, group.reads);
      const auto writes = list(write_home, group.writes);
      host.read_count[sm] = reads.second;
      host.write_count[sm] = writes.second;
      begins[sm] = {reads.first, writes.first};
    }
    std::uint32_t* device_lists = lists;
    if (all.size() > 8 * (read_home.size() + write_home.size())) {
      std::printf("lists are too long\n");
      std::exit(1);
    }
    CHECK(cudaMemcpy(device_lists, all.data(), all.size() * 4, cudaMemcpyHostToDevice));
    for (int sm = 0; sm < sms; ++sm) {
      host.reads[sm] = device_lists + begins[sm].first;
      host.writes[sm] = device_lists + begins[sm].second;
    }
    CHECK(cudaMemcpy(plan, &host, sizeof(Plan), cudaMemcpyHostToDevice));
    for (int repetition = 0; repetition < 3; ++repetition) {
      CHECK(cudaMemset(other, 0, 4096));
      CHECK(cudaMemset(rates, 0, sizeof(unsigned long long) * kMostSms));
      move<<<sms, kThreads, 200 << 10>>>(reinterpret_cast<const uint4*>(sources[source].data),
                                         reinterpret_cast<uint4*>(to), plan, other, static_cast<unsigned>(sms), rates,
                                         other + 1);
      CHECK(cudaDeviceSynchronize());
      std::vector<unsigned long long> moved(kMostSms);
      CHECK(cudaMemcpy(moved.data(), rates, moved.size() * sizeof(moved[0]), cudaMemcpyDeviceToHost));
      double read[2] = {0, 0};  // by the first and the second group of a half
      double written[2] = {0, 0};
      for (int sm = 0; sm < sms; ++sm) {
        const double rate = static_cast<double>(moved[sm]) / kRateUnits;
        read[group_of[sm] % 2] += host.mode[sm] != kWrite ? rate : 0;
        written[group_of[sm] % 2] += host.mode[sm] != kRead ? rate : 0;
      }
      std::string names[2];
      for (int half = 0; half < 2; ++half) {
        names[half] = name_of(groups[2 * half]) + "+" + name_of(groups[2 * half + 1]);
      }
      std::printf("%s,%s,%s,%s,%d,%d,%.1f,%.1f,%.1f,%.1f\n", names[0].c_str(), names[1].c_str(), sources[source].name,
                  spread ? "spread" : "neighbours", std::min(most, sms / 4), repetition, read[0] + read[1],
                  written[0] + written[1], read[1], written[1]);
    }
    std::fflush(stdout);
  };
  CHECK(cudaFuncSetAttribute(move, cudaFuncAttributeMaxDynamicSharedMemorySize, 200 << 10));
  const Group idle = {kIdle, 2, 2};
  for (const int place : {0, 1, 2}) {
    const Group read = {kRead, place, place};
    const Group write = {kWrite, place, place};
    measure({read, read, read, read});
    measure({read, idle, read, idle});
    measure({read, read, idle, idle});
    measure({write, write, write, write});
    measure({write, idle, write, idle});
    measure({write, write, idle, idle});
  }
  for (const int reads : {0, 1, 2}) {
    for (const int writes : {0, 1, 2}) {
      const Group read = {kRead, reads, reads};
      const Group write = {kWrite, writes, writes};
      const Group copy = {kCopy, reads, writes};
      measure({read, write, read, write});
      measure({copy, copy, copy, copy});
    }
  }
  // Data in one direction only, and in both.
  const Group read_far = {kRead, 1, 1};
  const Group write_far = {kWrite, 1, 1};
  measure({read_far, read_far, write_far, write_far});
  measure({read_far, write_far, idle, idle});
  measure({write_far, write_far, write_far, idle});
  // Whether far accesses that wait for the other half delay near ones.
  const Group read_near = {kRead, 0, 0};
  const Group write_near = {kWrite, 0, 0};
  measure({read_near, read_far, read_near, read_far});
  measure({read_near, read_far, idle, idle});
  measure({write_near, write_far, write_near, write_far});
  measure({read_near, write_far, idle, idle});
  measure({write_near, read_far, idle, idle});
  // Chunks that are spread over the memory: uneven numbers for each slice.
  for (const Group& group : {read_near, read_far, write_near, write_far}) {
    measure({group, group, group, group}, kMostSms, true);
    measure({group, idle, group, idle}, kMostSms, true);
  }
  measure({read_near, write_far, read_near, write_far}, kMostSms, true);
  measure({write_near, write_far, write_near, write_far}, kMostSms, true);
  // Few SMs, which are limited by what each can have on its way. (Few that read would find all their chunks in L2.)
  for (const int most : {1, 4, 16}) {
    measure({write_near, idle, write_near, idle}, most);
    measure({write_far, idle, write_far, idle}, most);
  }
  // Lines that one half writes and of which the other half has copies, or reads others.
  for (const bool spread : {false, true}) {
    for (const Source source : {kWritten, kBeside}) {
      measure({write_near, write_near, read_far, read_far}, kMostSms, spread, source);
    }
  }
  return 0;
}
