// A CUDA program built without a toolkit for several GPUs: a sum over all of them in a ring, with stores to the memory
// of the next one, and copies between them. It checks itself.
//
// usage: several_gpus [timed]
//
// `timed`: also prints the time of the sum and checks that links take time.
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "cuda/runtime/runtime_api.h"
#include "support/fat_binary_text.h"
#include "support/self_check.h"

namespace {

using warpsim::test::check;
using warpsim::test::must;

constexpr std::uint32_t kThreads = 64;

// Each thread sends what it has to the next GPU's inbox, tells it by a flag, waits for its own flag, and adds what has
// come: `steps` times, each with an inbox and a value of the flag of its own.
constexpr const char* kPtx = R"(.version 8.0
.target sm_70
.address_size 64
.visible .entry sum(.param .u64 data, .param .u64 inbox, .param .u64 flag, .param .u64 next_inbox, .param .u64 next_flag,
                    .param .u32 steps) {
  .reg .b32 %r<8>; .reg .b64 %q<8>; .reg .pred %p; .reg .pred %first;
  ld.param.u64 %q1, [data];
  ld.param.u64 %q2, [inbox];
  ld.param.u64 %q3, [flag];
  ld.param.u64 %q4, [next_inbox];
  ld.param.u64 %q5, [next_flag];
  ld.param.u32 %r1, [steps];
  mov.u32 %r2, %tid.x;
  setp.eq.u32 %first, %r2, 0;
  mul.wide.u32 %q6, %r2, 4;
  add.u64 %q1, %q1, %q6;
  add.u64 %q2, %q2, %q6;
  add.u64 %q4, %q4, %q6;
  ld.global.u32 %r3, [%q1];
  mov.u32 %r4, %r3;
  mov.u32 %r5, 1;
AGAIN:
  st.global.u32 [%q4], %r4;
  fence.acq_rel.sys;
  bar.sync 0;
  @!%first bra WAITED;
  st.release.sys.global.u32 [%q5], %r5;
WAIT:
  ld.acquire.sys.global.u32 %r6, [%q3];
  setp.lt.u32 %p, %r6, %r5;
  @%p bra WAIT;
WAITED:
  bar.sync 0;
  fence.acq_rel.sys;
  ld.relaxed.sys.global.u32 %r4, [%q2];
  add.u32 %r3, %r3, %r4;
  add.u64 %q2, %q2, 256;
  add.u64 %q4, %q4, 256;
  add.u32 %r5, %r5, 1;
  setp.le.u32 %p, %r5, %r1;
  @%p bra AGAIN;
  st.global.u32 [%q1], %r3;
  ret;
}
)";

constexpr int kToDevice = 1;
constexpr int kToHost = 2;
constexpr int kAlreadyEnabled = 704;

char stub = 0;

struct Rank {
  std::uint32_t* data = nullptr;
  std::uint32_t* inbox = nullptr;  // kThreads words for each step
  std::uint32_t* flag = nullptr;
  StreamHandle stream = nullptr;
  EventHandle begin = nullptr;
  EventHandle end = nullptr;
};

template <class T>
T* allocate(std::size_t count) {
  void* data = nullptr;
  must(cudaMalloc(&data, count * sizeof(T)), "memory");
  must(cudaMemset(data, 0, count * sizeof(T)), "zeros");
  return static_cast<T*>(data);
}

std::vector<Rank> make_ranks(int count) {
  std::vector<Rank> ranks(static_cast<std::size_t>(count));
  for (int device = 0; device < count; ++device) {
    must(cudaSetDevice(device), "device");
    for (int peer = 0; peer < count; ++peer) {
      must(peer == device ? 0 : cudaDeviceEnablePeerAccess(peer, 0), "access to a peer");
    }
    Rank& rank = ranks[static_cast<std::size_t>(device)];
    rank.data = allocate<std::uint32_t>(kThreads);
    rank.inbox = allocate<std::uint32_t>(kThreads * static_cast<std::size_t>(count));
    rank.flag = allocate<std::uint32_t>(1);
    std::vector<std::uint32_t> values(kThreads);
    for (std::uint32_t i = 0; i < kThreads; ++i) {
      values[i] = i + 100 * static_cast<std::uint32_t>(device + 1);
    }
    must(cudaMemcpy(rank.data, values.data(), kThreads * 4, kToDevice), "values");
    must(cudaStreamCreate(&rank.stream), "stream");
    must(cudaEventCreate(&rank.begin), "event");
    must(cudaEventCreate(&rank.end), "event");
    must(cudaDeviceSynchronize(), "wait");
  }
  check(cudaDeviceEnablePeerAccess(0, 0) == kAlreadyEnabled || count == 1, "access is enabled once");
  return ranks;
}

float check_sum(std::vector<Rank>& ranks) {
  const std::size_t count = ranks.size();
  for (std::size_t device = 0; device < count; ++device) {
    Rank& rank = ranks[device];
    const Rank& next = ranks[(device + 1) % count];
    auto steps = static_cast<std::uint32_t>(count - 1);
    void* arguments[] = {&rank.data,
                         &rank.inbox,
                         &rank.flag,
                         const_cast<std::uint32_t**>(&next.inbox),
                         const_cast<std::uint32_t**>(&next.flag),
                         &steps};
    must(cudaSetDevice(static_cast<int>(device)), "device");
    must(cudaEventRecord(rank.begin, rank.stream), "record");
    must(cudaLaunchKernel(&stub, {1, 1, 1}, {kThreads, 1, 1}, arguments, 0, rank.stream), "launch");
    must(cudaEventRecord(rank.end, rank.stream), "record");
  }
  float last_ms = 0;
  for (std::size_t device = 0; device < count; ++device) {
    std::vector<std::uint32_t> values(kThreads);
    must(cudaSetDevice(static_cast<int>(device)), "device");
    must(cudaStreamSynchronize(ranks[device].stream), "wait");
    must(cudaMemcpy(values.data(), ranks[device].data, kThreads * 4, kToHost), "results");
    must(cudaEventElapsedTime(&last_ms, ranks[device].begin, ranks[device].end), "time");
    const auto all = static_cast<std::uint32_t>(count);
    bool right = true;
    for (std::uint32_t i = 0; i < kThreads; ++i) {
      right = right && values[i] == all * i + 100 * all * (all + 1) / 2;
    }
    check(right, "the sum over all GPUs");
  }
  return last_ms;
}

// From each GPU to the next.
void check_copies(const std::vector<Rank>& ranks) {
  const std::size_t count = ranks.size();
  for (std::size_t device = 0; device < count; ++device) {
    must(cudaSetDevice(static_cast<int>(device)), "device");
    must(cudaMemset(ranks[device].inbox, static_cast<int>(device + 1), kThreads * 4), "fill");
    must(cudaDeviceSynchronize(), "wait");
  }
  for (std::size_t device = 0; device < count; ++device) {
    const std::size_t next = (device + 1) % count;
    must(cudaMemcpyPeerAsync(ranks[next].data, static_cast<int>(next), ranks[device].inbox, static_cast<int>(device),
                             kThreads * 4, ranks[device].stream),
         "copy to a peer");
  }
  for (std::size_t device = 0; device < count; ++device) {
    must(cudaStreamSynchronize(ranks[device].stream), "wait");
    std::uint32_t word = 0;
    must(cudaMemcpy(&word, ranks[(device + 1) % count].data, 4, kToHost), "result");
    check(word == 0x01010101 * (device + 1), "a copy between GPUs");
  }
}

}  // namespace

int main(int count, char** words) {
  const bool timed = count > 1 && std::string(words[1]) == "timed";
  static const std::string container = warpsim::test::fat_binary_of(kPtx);
  static warpsim::cuda::abi::FatBinaryWrapper wrapper = warpsim::test::wrapper_of(container);
  void** const module = __cudaRegisterFatBinary(&wrapper);
  __cudaRegisterFunction(module, &stub, nullptr, "sum", -1, nullptr, nullptr, nullptr, nullptr, nullptr);
  __cudaRegisterFatBinaryEnd(module);
  int devices = 0;
  must(cudaGetDeviceCount(&devices), "number of devices");
  std::printf("%d GPUs\n", devices);
  std::vector<Rank> ranks = make_ranks(devices);
  if (timed) {
    const float ms = check_sum(ranks);
    std::printf("sum: %.2f us\n", static_cast<double>(ms) * 1e3);
    check(ms > 1e-3F * static_cast<float>(devices - 1), "a step of the ring takes more than a microsecond");
  }
  check_copies(ranks);
  return warpsim::test::report_checks();
}
