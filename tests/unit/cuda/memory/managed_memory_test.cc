// Managed memory as programs use it, with time: pages move when kernels and the host touch them.
#include <catch2/catch.hpp>
#include <cstring>
#include <string>
#include <vector>

#include "cuda/calls.h"
#include "cuda/current_device.h"
#include "cuda/device/host_touches.h"
#include "cuda/device/managed_system.h"
#include "cuda/device/simulated_system.h"
#include "cuda/driver/driver_api.h"
#include "cuda/memory/managed_calls.h"
#include "cuda/runtime/runtime_api.h"

namespace warpsim::cuda {
namespace {

const std::string kTinyGpu = WARPSIM_SOURCE_DIR "/configs/test_tiny.yaml";
const std::string kGpuWithoutFaults = WARPSIM_SOURCE_DIR "/configs/gtx980.yaml";
constexpr std::size_t kPieceOf = ManagedPages::kPieceBytes;
constexpr std::size_t kManagedBytes = 4 * kPieceOf;
constexpr MemoryLocation kFirstGpu{MemoryLocation::kDevice, 0};
constexpr MemoryLocation kAtHost{MemoryLocation::kHost, 0};

// One thread of each block: data[block * 64 KiB] += 1, or reads it and writes it to out[block].
constexpr const char* kManagedKernels = R"(.version 6.0
.target sm_50
.address_size 64
.visible .entry increment(.param .u64 data) {
  .reg .b32 %r<4>; .reg .b64 %q<4>;
  ld.param.u64 %q1, [data];
  mov.u32 %r1, %ctaid.x;
  mul.wide.u32 %q2, %r1, 65536;
  add.u64 %q3, %q1, %q2;
  ld.global.u32 %r2, [%q3];
  add.u32 %r2, %r2, 1;
  st.global.u32 [%q3], %r2;
  ret;
}
.visible .entry look(.param .u64 data, .param .u64 out) {
  .reg .b32 %r<4>; .reg .b64 %q<6>;
  ld.param.u64 %q1, [data];
  ld.param.u64 %q4, [out];
  mov.u32 %r1, %ctaid.x;
  mul.wide.u32 %q2, %r1, 65536;
  add.u64 %q3, %q1, %q2;
  ld.global.u32 %r2, [%q3];
  mul.wide.u32 %q5, %r1, 4;
  add.u64 %q4, %q4, %q5;
  st.global.u32 [%q4], %r2;
  ret;
}
)";

struct ManagedProgram {
  explicit ManagedProgram(const std::string& gpu = kTinyGpu, const DeviceOptions& options = {}) {
    process_context().use_devices(make_devices({gpu}, options));
    enter_primary_context();
    cudaGetLastError();
    REQUIRE(cuModuleLoadData(&module, kManagedKernels) == kSuccess);
    REQUIRE(cuModuleGetFunction(&increments, module, "increment") == kSuccess);
    REQUIRE(cuModuleGetFunction(&looks, module, "look") == kSuccess);
    REQUIRE(cudaMallocManaged(reinterpret_cast<void**>(&data), kManagedBytes, 1) == kSuccess);
    REQUIRE(cudaMalloc(reinterpret_cast<void**>(&out), 4096) == kSuccess);
    REQUIRE(cudaEventCreate(&before) == kSuccess);
    REQUIRE(cudaEventCreate(&after) == kSuccess);
  }
  ~ManagedProgram() {
    process_context().use_device(nullptr);
    process_context().forget_errors();
  }
  ManagedProgram(const ManagedProgram&) = delete;
  ManagedProgram& operator=(const ManagedProgram&) = delete;

  std::uint32_t& word(std::size_t piece) { return data[piece * kPieceOf / 4]; }
  // Microseconds of a kernel of so many blocks.
  float time(KernelHandle kernel, unsigned blocks = 4) {
    void* arguments[] = {&data, &out};
    REQUIRE(cudaEventRecord(before, nullptr) == kSuccess);
    REQUIRE(cuLaunchKernel(kernel, blocks, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr) == kSuccess);
    REQUIRE(cudaEventRecord(after, nullptr) == kSuccess);
    REQUIRE(cudaDeviceSynchronize() == kSuccess);
    float ms = 0;
    REQUIRE(cudaEventElapsedTime(&ms, before, after) == kSuccess);
    return ms * 1000;
  }

  ModuleHandle module = nullptr;
  KernelHandle increments = nullptr;
  KernelHandle looks = nullptr;
  std::uint32_t* data = nullptr;
  std::uint32_t* out = nullptr;
  EventHandle before = nullptr;
  EventHandle after = nullptr;
};

TEST_CASE("managed memory of programs: pages move to the kernel, and back to the host that touches them") {
  ManagedProgram p;
  const float first = p.time(p.increments);
  const float again = p.time(p.increments);
  CHECK(first > again + 6);  // the driver wakes up (3 us), a batch (1 us), a block (2 us)
  CHECK(p.time(p.increments) == Approx(again).epsilon(0.1));
  CHECK(p.word(0) == 3);
  CHECK(p.word(3) == 3);
  CHECK(p.time(p.increments) > again + 6);
  p.word(2) = 10;
  p.time(p.increments);
  CHECK(p.word(2) == 11);
  CHECK(p.word(0) == 5);
}

TEST_CASE("managed memory of programs: results are the same for any number of threads and any order") {
  const auto times = [](const DeviceOptions& options) {
    ManagedProgram p(kTinyGpu, options);
    std::vector<float> all = {p.time(p.increments), p.time(p.looks)};
    p.word(1) += 1;
    all.push_back(p.time(p.looks));
    all.push_back(p.time(p.increments));
    return all;
  };
  const std::vector<float> one = times({});
  DeviceOptions other;
  other.threads = 2;
  CHECK(times(other) == one);
  other.shuffle = 7;
  CHECK(times(other) == one);
  other.threads = 1;
  other.skip = false;
  CHECK(times(other) == one);
}

TEST_CASE("managed memory of programs: a prefetch saves the faults") {
  ManagedProgram p;
  p.word(0) = 1;
  p.word(3) = 1;
  p.time(p.increments);
  const float warm = p.time(p.increments);
  p.word(0) += 1;
  REQUIRE(cudaMemPrefetchAsync(p.data, kManagedBytes, kFirstGpu, 0, nullptr) == kSuccess);
  CHECK(p.time(p.increments) == Approx(warm).epsilon(0.1));
  REQUIRE(cudaMemPrefetchAsync(p.data, kManagedBytes, kAtHost, 0, nullptr) == kSuccess);
  CHECK(p.time(p.increments) > warm + 6);
  CHECK(p.word(0) == 6);
}

TEST_CASE("managed memory of programs: without time, prefetches and advice leave the contents as they are") {
  DeviceOptions options;
  options.functional_only = true;
  ManagedProgram program(kTinyGpu, options);
  for (std::size_t piece = 0; piece < 4; ++piece) {
    program.word(piece) = static_cast<std::uint32_t>(piece);
  }
  REQUIRE(cudaMemPrefetchAsync(program.data, kManagedBytes, kAtHost, 0, nullptr) == kSuccess);
  program.word(3) = 30;
  REQUIRE(cudaMemPrefetchAsync(program.data, kManagedBytes, kFirstGpu, 0, nullptr) == kSuccess);
  void* arguments[] = {&program.data, &program.out};
  REQUIRE(cuLaunchKernel(program.increments, 4, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr) == kSuccess);
  REQUIRE(cudaMemPrefetchAsync(program.data, kManagedBytes, kAtHost, 0, nullptr) == kSuccess);
  REQUIRE(cudaMemAdvise(program.data, kManagedBytes, 1, kFirstGpu) == kSuccess);  // mostly read
  REQUIRE(cudaMemPrefetchAsync(program.data, kManagedBytes, kFirstGpu, 0, nullptr) == kSuccess);
  REQUIRE(cudaMemAdvise(program.data, kManagedBytes, 2, kFirstGpu) == kSuccess);  // not any more
  REQUIRE(cudaDeviceSynchronize() == kSuccess);
  CHECK(program.word(0) == 1);
  CHECK(program.word(1) == 2);
  CHECK(program.word(3) == 31);
}

TEST_CASE("managed memory of programs: readers of mostly read memory do not take it from each other") {
  ManagedProgram p;
  for (std::size_t i = 0; i < 4; ++i) {
    p.word(i) = 5;
  }
  REQUIRE(cudaMemAdvise(p.data, kManagedBytes, 1, kFirstGpu) == kSuccess);
  p.time(p.looks);
  const float warm = p.time(p.looks);
  CHECK(p.word(1) == 5);  // the host reads
  CHECK(p.time(p.looks) == Approx(warm).epsilon(0.1));
  p.word(1) = 6;
  CHECK(p.time(p.looks) > warm + 6);
}

TEST_CASE("managed memory of programs: a GPU accesses memory that it is advised to access, at the host") {
  ManagedProgram p;
  p.word(0) = 5;
  p.word(3) = 5;
  REQUIRE(cudaMemAdvise(p.data, kManagedBytes, 3, kAtHost) == kSuccess);
  REQUIRE(cudaMemAdvise(p.data, kManagedBytes, 5, kFirstGpu) == kSuccess);
  p.time(p.looks);
  const float warm = p.time(p.looks);
  p.word(0) = 7;
  CHECK(p.time(p.looks) == Approx(warm).epsilon(0.1));
}

TEST_CASE("managed memory of programs: more than a GPU has") {
  DeviceOptions options;
  options.overrides = {"device_memory_mib=4"};
  ManagedProgram p(kTinyGpu, options);
  std::vector<std::uint32_t*> blocks;
  for (int i = 0; i < 4; ++i) {
    void* block = nullptr;
    REQUIRE(cudaMallocManaged(&block, 2 * kPieceOf * 16, 1) == kSuccess);
    blocks.push_back(static_cast<std::uint32_t*>(block));
  }
  for (int round = 0; round < 2; ++round) {
    for (std::uint32_t* const block : blocks) {
      p.data = block;
      p.time(p.increments, 32);
    }
  }
  for (const std::uint32_t* const block : blocks) {
    CHECK(block[0] == 2);
    CHECK(block[31 * kPieceOf / 4] == 2);
  }
  std::size_t free = 0;
  std::size_t total = 0;
  REQUIRE(cudaMemGetInfo(&free, &total) == kSuccess);
  CHECK(total == std::size_t{4} << 20U);
  CHECK(free < total);
}

TEST_CASE("managed memory of programs: attributes return the advice") {
  ManagedProgram p;
  int value = -7;
  const auto attribute = [&](int number) {
    REQUIRE(cudaMemRangeGetAttribute(&value, sizeof value, number, p.data, kManagedBytes) == kSuccess);
    return value;
  };
  CHECK(attribute(1) == 0);
  CHECK(attribute(2) == -2);
  CHECK(attribute(4) == -2);
  REQUIRE(cudaMemAdvise(p.data, kManagedBytes, 1, kFirstGpu) == kSuccess);
  REQUIRE(cudaMemAdvise(p.data, kManagedBytes, 3, kAtHost) == kSuccess);
  REQUIRE(cudaMemAdvise(p.data, kManagedBytes, 5, kFirstGpu) == kSuccess);
  REQUIRE(cudaMemPrefetchAsync(p.data, kManagedBytes, kFirstGpu, 0, nullptr) == kSuccess);
  CHECK(attribute(1) == 1);
  CHECK(attribute(2) == -1);
  CHECK(attribute(5) == MemoryLocation::kHost);
  CHECK(attribute(4) == 0);
  CHECK(attribute(7) == MemoryLocation::kDevice);
  int devices[2] = {-7, -7};
  REQUIRE(cudaMemRangeGetAttribute(devices, sizeof devices, 3, p.data, kManagedBytes) == kSuccess);
  CHECK(devices[0] == 0);
  CHECK(devices[1] == -2);
  // Where the pieces disagree there is no answer.
  REQUIRE(cudaMemAdvise(p.data, kPieceOf, 2, kFirstGpu) == kSuccess);
  CHECK(attribute(1) == 0);
  void* values[] = {&value, devices};
  std::size_t sizes[] = {sizeof value, sizeof devices};
  int numbers[] = {2, 3};
  CHECK(cudaMemRangeGetAttributes(values, sizes, numbers, 2, p.data, kManagedBytes) == kSuccess);
  CHECK(value == -1);
}

TEST_CASE("managed memory of programs: bad use gets CUDA's errors") {
  ManagedProgram p;
  CHECK(cudaMemPrefetchAsync(p.out, 4096, kFirstGpu, 0, nullptr) == kInvalidValue);
  CHECK(cudaMemPrefetchAsync(p.data, kManagedBytes + 1, kFirstGpu, 0, nullptr) == kInvalidValue);
  CHECK(cudaMemPrefetchAsync(p.data, 0, kFirstGpu, 0, nullptr) == kInvalidValue);
  CHECK(cudaMemPrefetchAsync(p.data, kManagedBytes, kFirstGpu, 1, nullptr) == kInvalidValue);
  CHECK(cudaMemPrefetchAsync(p.data, kManagedBytes, {MemoryLocation::kDevice, 3}, 0, nullptr) == kInvalidDevice);
  CHECK(cudaMemPrefetchAsync(p.data, kManagedBytes, {9, 0}, 0, nullptr) == kInvalidValue);
  CHECK(cudaMemAdvise(p.data, kManagedBytes, 99, kFirstGpu) == kInvalidValue);
  CHECK(cudaMemAdvise(p.out, 4096, 1, kFirstGpu) == kInvalidValue);
  char small = 0;
  CHECK(cudaMemRangeGetAttribute(&small, 1, 1, p.data, kManagedBytes) == kInvalidValue);
  CHECK(cudaMemRangeGetAttribute(nullptr, 4, 1, p.data, kManagedBytes) == kInvalidValue);
  cudaGetLastError();
}

TEST_CASE("managed memory of programs: a batch of prefetches, each to its place") {
  ManagedProgram p;
  p.word(0) = 1;
  void* ranges[] = {p.data, p.data + kPieceOf / 4};
  std::size_t sizes[] = {kPieceOf, kPieceOf};
  MemoryLocation places[] = {kFirstGpu, kAtHost};
  std::size_t first[] = {0, 1};
  REQUIRE(cudaMemPrefetchBatchAsync(ranges, sizes, 2, places, first, 2, 0, nullptr) == kSuccess);
  REQUIRE(cudaDeviceSynchronize() == kSuccess);
  ManagedMemory& managed = *process_context().device().managed();
  const std::uint64_t piece = managed.pages().number_of(reinterpret_cast<Address>(p.data));
  CHECK(managed.pages().piece(piece).is_held_by(0));
  CHECK(managed.pages().piece(piece + 1).is_held_by(ManagedPages::kHost));
  first[1] = 2;
  CHECK(cudaMemPrefetchBatchAsync(ranges, sizes, 2, places, first, 2, 0, nullptr) == kInvalidValue);
  cudaGetLastError();
}

TEST_CASE("managed memory of programs: copies and fills bring the pages to the GPU") {
  ManagedProgram p;
  p.word(0) = 9;
  std::vector<std::uint32_t> host(kManagedBytes / 4);
  REQUIRE(cudaMemcpy(host.data(), p.data, kManagedBytes, 4) == kSuccess);
  CHECK(host[0] == 9);
  ManagedMemory& managed = *process_context().device().managed();
  CHECK(managed.bytes_at(0) == kManagedBytes);
  CHECK(p.word(0) == 9);
  REQUIRE(cudaMemset(p.data, 1, kManagedBytes) == kSuccess);
  CHECK(p.word(3) == 0x01010101);
}

TEST_CASE("managed memory of programs: before 6.0 it moves as a whole before a kernel") {
  ManagedProgram p(kGpuWithoutFaults);
  int concurrent = -1;
  REQUIRE(cudaDeviceGetAttribute(&concurrent, 89, 0) == kSuccess);
  CHECK(concurrent == 0);
  p.word(0) = 4;
  p.time(p.increments);
  ManagedMemory& managed = *process_context().device().managed();
  CHECK(managed.bytes_at(0) == kManagedBytes);
  CHECK(p.word(0) == 5);
  CHECK(cudaDeviceSynchronize() == kSuccess);
  CHECK(managed.bytes_at(0) == 0);
  CHECK(cudaMemPrefetchAsync(p.data, kManagedBytes, kFirstGpu, 0, nullptr) == kInvalidDevice);
  cudaGetLastError();
}

}  // namespace
}  // namespace warpsim::cuda
