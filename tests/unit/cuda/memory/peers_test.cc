// A program with two GPUs: which one its threads use, memory and streams of each, access and copies between them.
#include <catch2/catch.hpp>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "cuda/calls.h"
#include "cuda/current_device.h"
#include "cuda/device/gpu_description.h"
#include "cuda/device/simulated_system.h"
#include "cuda/device/timed_queue.h"
#include "cuda/device_calls.h"
#include "cuda/driver/driver_api.h"
#include "cuda/memory/memory_calls.h"
#include "cuda/memory/memory_pool_api.h"
#include "cuda/runtime/runtime_api.h"
#include "cuda/runtime/runtime_graph_api.h"

namespace warpsim::cuda {
namespace {

const std::string kTiny = WARPSIM_SOURCE_DIR "/configs/test_tiny.yaml";
const std::string kOther = WARPSIM_SOURCE_DIR "/configs/t4.yaml";
constexpr int kBetweenDevices = 3;

// data[i] += 1; of one thread for each word. And `variable`, of which each GPU has its own.
constexpr const char* kIncrement = R"(.version 8.0
.target sm_60
.address_size 64
.visible .global .align 4 .u32 variable;
.visible .entry increment(.param .u64 data) {
  .reg .b32 %r<4>; .reg .b64 %q<4>;
  ld.param.u64 %q1, [data];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %q2, %r1, 4;
  add.u64 %q3, %q1, %q2;
  ld.global.u32 %r2, [%q3];
  add.u32 %r2, %r2, 1;
  st.global.u32 [%q3], %r2;
  ret;
}
)";

struct TwoGpus {
  explicit TwoGpus(const DeviceOptions& options = {}, const std::vector<std::string>& gpus = {kTiny, kTiny}) {
    process_context().use_devices(make_devices(gpus, options));
    enter_primary_context();
    cudaGetLastError();
    REQUIRE(cuModuleLoadData(&module, kIncrement) == kSuccess);
    REQUIRE(cuModuleGetFunction(&kernel, module, "increment") == kSuccess);
  }
  ~TwoGpus() {
    process_context().use_device(nullptr);
    process_context().forget_errors();
  }
  TwoGpus(const TwoGpus&) = delete;
  TwoGpus& operator=(const TwoGpus&) = delete;

  std::uint64_t allocate(int device, std::size_t bytes = 4096) {
    cudaSetDevice(device);
    void* data = nullptr;
    REQUIRE(cudaMalloc(&data, bytes) == kSuccess);
    REQUIRE(cudaMemset(data, 0, bytes) == kSuccess);
    return to_address(data);
  }
  int increment(std::uint64_t data, StreamHandle stream = nullptr) {
    void* arguments[] = {&data};
    return cuLaunchKernel(kernel, 1, 1, 1, 32, 1, 1, 0, stream, arguments, nullptr);
  }
  static std::uint32_t word(std::uint64_t data) {
    std::uint32_t value = 0;
    std::memcpy(&value, process_context().device(0).memory().host(data, 4), 4);
    return value;
  }

  Module* module = nullptr;
  KernelHandle kernel = nullptr;
};

double us_between(EventHandle begin, EventHandle end) {
  float ms = 0;
  REQUIRE(cudaEventElapsedTime(&ms, begin, end) == kSuccess);
  return ms * 1e3;
}

TEST_CASE("Several GPUs: each thread has a current device, and each device its memory and properties") {
  TwoGpus program({}, {kTiny, kOther});
  int count = 0;
  REQUIRE(cudaGetDeviceCount(&count) == kSuccess);
  CHECK(count == 2);
  int device = -1;
  CHECK(cudaSetDevice(2) == kInvalidDevice);
  CHECK(cudaSetDevice(-1) == kInvalidDevice);
  REQUIRE(cudaSetDevice(1) == kSuccess);
  CHECK((cudaGetDevice(&device) == kSuccess && device == 1));
  int in_thread = -1;
  std::thread([&] { cudaGetDevice(&in_thread); }).join();
  CHECK(in_thread == 0);
  int major[2] = {};
  CHECK(cudaDeviceGetAttribute(&major[0], 75, 0) == kSuccess);
  CHECK(cudaDeviceGetAttribute(&major[1], 75, 1) == kSuccess);
  CHECK(major[0] == 9);
  CHECK(major[1] == 7);
  std::size_t free[2] = {};
  std::size_t total = 0;
  program.allocate(0, 1 << 20);
  for (const int gpu : {0, 1}) {
    cudaSetDevice(gpu);
    cudaMemGetInfo(&free[gpu], &total);
    CHECK(total - free[gpu] == (gpu == 0 ? (1 << 20) + 4 : 0));  // and the variable
  }
  char bus_id[32] = {};
  CHECK(cudaDeviceGetPCIBusId(bus_id, sizeof bus_id, 1) == kSuccess);
  CHECK((cudaDeviceGetByPCIBusId(&device, bus_id) == kSuccess && device == 1));
  CHECK(cudaDeviceGetByPCIBusId(&device, "0000:02:00.0") == kInvalidDevice);
}

TEST_CASE("Several GPUs: contexts of the driver are a stack of each thread") {
  TwoGpus program;
  void* contexts[2] = {};
  void* current = nullptr;
  int device = -1;
  for (const int gpu : {0, 1}) {
    REQUIRE(cuDevicePrimaryCtxRetain(&contexts[gpu], gpu) == kSuccess);
  }
  CHECK(contexts[0] != contexts[1]);
  while (cuCtxPopCurrent_v2(&current) == kSuccess) {
  }
  CHECK((cuCtxGetCurrent(&current) == kSuccess && current == nullptr));
  REQUIRE(cuCtxPushCurrent_v2(contexts[0]) == kSuccess);
  REQUIRE(cuCtxPushCurrent_v2(contexts[1]) == kSuccess);
  CHECK((cuCtxGetDevice(&device) == kSuccess && device == 1));
  CHECK((cudaGetDevice(&device) == kSuccess && device == 1));
  CHECK((cuCtxPopCurrent_v2(&current) == kSuccess && current == contexts[1]));
  CHECK((cuCtxGetDevice(&device) == kSuccess && device == 0));
  REQUIRE(cudaSetDevice(1) == kSuccess);
  CHECK((cuCtxGetCurrent(&current) == kSuccess && current == contexts[1]));
  CHECK(cuCtxSetCurrent(reinterpret_cast<void*>(0x123)) == driver_code(kInvalidContext));
}

TEST_CASE("Several GPUs: kernels access memory of another one only if that is enabled") {
  TwoGpus program;
  int can = 0;
  CHECK((cudaDeviceCanAccessPeer(&can, 0, 1) == kSuccess && can == 1));
  CHECK((cudaDeviceCanAccessPeer(&can, 0, 0) == kSuccess && can == 0));
  CHECK(cudaDeviceCanAccessPeer(&can, 0, 2) == kInvalidDevice);
  const std::uint64_t data = program.allocate(1);
  cudaSetDevice(0);
  CHECK(cudaDeviceDisablePeerAccess(1) == kPeerAccessNotEnabled);
  CHECK(cudaDeviceEnablePeerAccess(0, 0) == kInvalidDevice);
  CHECK(cudaDeviceEnablePeerAccess(1, 1) == kInvalidValue);
  REQUIRE(cudaDeviceEnablePeerAccess(1, 0) == kSuccess);
  CHECK(cudaDeviceEnablePeerAccess(1, 0) == kPeerAccessAlreadyEnabled);
  REQUIRE(program.increment(data) == kSuccess);
  REQUIRE(cudaDeviceSynchronize() == kSuccess);
  CHECK(TwoGpus::word(data) == 1);
  const std::uint64_t later = program.allocate(1);
  cudaSetDevice(0);
  REQUIRE(program.increment(later) == kSuccess);
  REQUIRE(cudaDeviceSynchronize() == kSuccess);
  CHECK(TwoGpus::word(later) == 1);
  // Not the other way round, and not any more.
  REQUIRE(cudaDeviceDisablePeerAccess(1) == kSuccess);
  REQUIRE(program.increment(data) == kSuccess);
  CHECK(cudaDeviceSynchronize() == kIllegalAddress);
}

TEST_CASE("Several GPUs: memory of pools has an access of its own") {
  TwoGpus program;
  void* pool = nullptr;
  REQUIRE(cudaDeviceGetDefaultMemPool(&pool, 1) == kSuccess);
  CHECK(cudaDeviceGetDefaultMemPool(&pool, 2) == kInvalidDevice);
  cudaSetDevice(0);
  REQUIRE(cudaDeviceEnablePeerAccess(1, 0) == kSuccess);
  void* data = nullptr;
  REQUIRE(cudaMallocFromPoolAsync(&data, 4096, pool, nullptr) == kSuccess);
  abi::PointerAttributes attributes = {};
  REQUIRE(cudaPointerGetAttributes(&attributes, data) == kSuccess);
  CHECK(attributes.device == 1);
  abi::AccessDescription access = {{abi::MemoryLocation::kDevice, 0}, abi::kReadWriteAccess};
  CHECK(cudaMemPoolSetAccess(nullptr, &access, 1) == kInvalidValue);
  const abi::AccessDescription of_owner = {{abi::MemoryLocation::kDevice, 1}, abi::kNoAccess};
  CHECK(cudaMemPoolSetAccess(pool, &of_owner, 1) == kInvalidDevice);
  REQUIRE(cudaMemPoolSetAccess(pool, &access, 1) == kSuccess);
  REQUIRE(program.increment(to_address(data)) == kSuccess);
  REQUIRE(cudaDeviceSynchronize() == kSuccess);
  CHECK(TwoGpus::word(to_address(data)) == 1);
  // Access to the device is not enough.
  access.flags = 0;
  REQUIRE(cudaMemPoolSetAccess(pool, &access, 1) == kSuccess);
  REQUIRE(program.increment(to_address(data)) == kSuccess);
  CHECK(cudaDeviceSynchronize() == kIllegalAddress);
}

TEST_CASE("Several GPUs: GPUs of different generations have no access to each other") {
  TwoGpus program({}, {kTiny, kOther});
  int can = 1;
  CHECK((cudaDeviceCanAccessPeer(&can, 0, 1) == kSuccess && can == 0));
  CHECK(cudaDeviceEnablePeerAccess(1, 0) == kPeerAccessUnsupported);
  int value = 1;
  CHECK((cudaDeviceGetP2PAttribute(&value, 2, 0, 1) == kSuccess && value == 0));
}

TEST_CASE("Several GPUs: a load of another GPU's memory takes the link's time") {
  const auto duration_us = [](int owner) {
    TwoGpus program;
    const std::uint64_t data = program.allocate(owner);
    cudaSetDevice(0);
    cudaDeviceEnablePeerAccess(1, 0);
    EventHandle events[2] = {};
    for (EventHandle& event : events) {
      REQUIRE(cudaEventCreate(&event) == kSuccess);
    }
    cudaEventRecord(events[0], nullptr);
    REQUIRE(program.increment(data) == kSuccess);
    cudaEventRecord(events[1], nullptr);
    REQUIRE(cudaDeviceSynchronize() == kSuccess);
    CHECK(TwoGpus::word(data) == 1);
    return us_between(events[0], events[1]);
  };
  // There and back for the load and for the acknowledgement of the store: 200 ns each way.
  CHECK(duration_us(1) - duration_us(0) == Approx(0.8).margin(0.25));
}

TEST_CASE("Several GPUs: copies between them take the time of their way") {
  TwoGpus program;
  constexpr std::size_t kBytes = 64000;
  const std::uint64_t source = program.allocate(0, kBytes);
  const std::uint64_t target = program.allocate(1, kBytes);
  cudaSetDevice(0);
  StreamHandle stream = nullptr;
  REQUIRE(cudaStreamCreate(&stream) == kSuccess);
  EventHandle events[2] = {};
  for (EventHandle& event : events) {
    REQUIRE(cudaEventCreate(&event) == kSuccess);
  }
  REQUIRE(cudaMemset(to_pointer(source), 5, kBytes) == kSuccess);
  const auto copy_us = [&](bool sends) {
    REQUIRE(cudaDeviceSynchronize() == kSuccess);
    cudaEventRecord(events[0], stream);
    REQUIRE(cudaMemcpyPeerAsync(to_pointer(sends ? target : source), sends ? 1 : 0, to_pointer(sends ? source : target),
                                sends ? 0 : 1, kBytes, stream) == kSuccess);
    cudaEventRecord(events[1], stream);
    REQUIRE(cudaDeviceSynchronize() == kSuccess);
    return us_between(events[0], events[1]);
  };
  // Without access through the host: 2 us and 64000 bytes at half of 10 GB/s. The host needs 1 us for the call, and an
  // event takes 0.1 us.
  CHECK(copy_us(true) == Approx(1 + 2 + 12.8 + 0.1).margin(0.15));
  CHECK(TwoGpus::word(target) == 0x05050505);
  REQUIRE(cudaDeviceEnablePeerAccess(1, 0) == kSuccess);
  // 0.2 us, or 0.3 us if the stream is the receiver's, and 64000 bytes at 64 GB/s.
  CHECK(copy_us(true) == Approx(1 + 0.2 + 1 + 0.1).margin(0.15));
  CHECK(copy_us(false) == Approx(1 + 0.3 + 1 + 0.1).margin(0.15));
  // Without times of the call's direction it is the same copy.
  REQUIRE(cudaMemcpy(to_pointer(target), to_pointer(source), kBytes, kBetweenDevices) == kSuccess);
  CHECK(cudaMemcpyPeer(to_pointer(target), 2, to_pointer(source), 0, kBytes) == kInvalidDevice);
}

TEST_CASE("Several GPUs: a stream waits for an event of another one, which takes a signal") {
  TwoGpus program;
  const std::uint64_t data = program.allocate(0);
  StreamHandle streams[2] = {};
  EventHandle over[2] = {};
  for (const int gpu : {0, 1}) {
    cudaSetDevice(gpu);
    REQUIRE(cudaStreamCreate(&streams[gpu]) == kSuccess);
    REQUIRE(cudaEventCreate(&over[gpu]) == kSuccess);
  }
  cudaSetDevice(0);
  REQUIRE(program.increment(data, streams[0]) == kSuccess);
  CHECK(cudaEventRecord(over[1], streams[0]) == kInvalidHandle);
  REQUIRE(cudaEventRecord(over[0], streams[0]) == kSuccess);
  CHECK(program.increment(data, streams[1]) == driver_code(kInvalidHandle));
  cudaSetDevice(1);
  REQUIRE(cudaStreamWaitEvent(streams[1], over[0], 0) == kSuccess);
  REQUIRE(cudaEventRecord(over[1], streams[1]) == kSuccess);
  REQUIRE(cudaDeviceSynchronize() == kSuccess);
  const Event& first = process_context().event(over[0]);
  const Event& second = process_context().event(over[1]);
  CHECK(second.work->start_ns - first.work->end_ns == Approx(500));
  float ms = 0;
  CHECK(cudaEventElapsedTime(&ms, over[0], over[1]) == kInvalidHandle);
}

TEST_CASE("Several GPUs: a wait for a device does not wait for others") {
  TwoGpus program;
  constexpr std::size_t kLarge = 16 << 20;  // 80 us at 200 GB/s
  const std::uint64_t data[] = {program.allocate(0), program.allocate(1, kLarge)};
  cudaSetDevice(1);
  REQUIRE(cudaDeviceSynchronize() == kSuccess);
  REQUIRE(cudaMemsetAsync(to_pointer(data[1]), 0, kLarge, nullptr) == kSuccess);
  REQUIRE(program.increment(data[1]) == kSuccess);
  cudaSetDevice(0);
  REQUIRE(program.increment(data[0]) == kSuccess);
  REQUIRE(cudaDeviceSynchronize() == kSuccess);
  CHECK(process_context().device(0).queue().idle());
  CHECK_FALSE(process_context().device(1).queue().idle());
  CHECK_FALSE(process_context().devices_are_idle());
  cudaSetDevice(1);
  REQUIRE(cudaDeviceSynchronize() == kSuccess);
  CHECK(TwoGpus::word(data[1]) == 1);
}

TEST_CASE("Several GPUs: each has its own variables, which are loaded at their first use there") {
  TwoGpus program;
  std::uint64_t address[2] = {};
  std::size_t bytes = 0;
  for (const int gpu : {0, 1}) {
    cudaSetDevice(gpu);
    REQUIRE(cuModuleGetGlobal_v2(&address[gpu], &bytes, program.module, "variable") == kSuccess);
    abi::PointerAttributes attributes = {};
    REQUIRE(cudaPointerGetAttributes(&attributes, to_pointer(address[gpu])) == kSuccess);
    CHECK(attributes.device == gpu);
  }
  CHECK(address[0] != address[1]);
}

TEST_CASE("Several GPUs: a graph that captures streams of two does its nodes where they were captured") {
  TwoGpus program;
  const std::uint64_t data[] = {program.allocate(0), program.allocate(1)};
  StreamHandle streams[2] = {};
  EventHandle forks = nullptr;
  EventHandle joins = nullptr;
  for (const int gpu : {0, 1}) {
    cudaSetDevice(gpu);
    REQUIRE(cudaStreamCreate(&streams[gpu]) == kSuccess);
    REQUIRE(cudaEventCreate(gpu == 0 ? &forks : &joins) == kSuccess);
  }
  cudaSetDevice(0);
  REQUIRE(cudaStreamBeginCapture(streams[0], 2) == kSuccess);
  REQUIRE(program.increment(data[0], streams[0]) == kSuccess);
  REQUIRE(cudaEventRecord(forks, streams[0]) == kSuccess);
  REQUIRE(cudaStreamWaitEvent(streams[1], forks, 0) == kSuccess);
  cudaSetDevice(1);
  REQUIRE(program.increment(data[1], streams[1]) == kSuccess);  // without access to it GPU 0 would fail
  REQUIRE(cudaEventRecord(joins, streams[1]) == kSuccess);
  cudaSetDevice(0);
  REQUIRE(cudaStreamWaitEvent(streams[0], joins, 0) == kSuccess);
  GraphHandle graph = nullptr;
  REQUIRE(cudaStreamEndCapture(streams[0], &graph) == kSuccess);
  ExecHandle exec = nullptr;
  REQUIRE(cudaGraphInstantiate(&exec, graph, 0) == kSuccess);
  REQUIRE(cudaGraphLaunch(exec, streams[0]) == kSuccess);
  REQUIRE(cudaStreamSynchronize(streams[0]) == kSuccess);
  CHECK(TwoGpus::word(data[0]) == 1);
  CHECK(TwoGpus::word(data[1]) == 1);
}

TEST_CASE("Several GPUs: a trace has the launches of one") {
  DeviceOptions options;
  options.trace = "unused.wtrace";
  CHECK_THROWS_AS(SimulatedSystem({kTiny, kTiny}, options), UsageError);
  CHECK(describe_gpu(kTiny, {"clocks.core_mhz=500"}).config.clocks.core_mhz == 500);
}

// counter += 1; of one thread.
constexpr const char* kManagedCounter = R"(.version 8.0
.target sm_60
.address_size 64
.visible .global .attribute(.managed) .align 4 .u32 counter = 5;
.visible .entry count() {
  .reg .b32 %r<2>;
  ld.global.u32 %r1, [counter];
  add.u32 %r1, %r1, 1;
  st.global.u32 [counter], %r1;
  ret;
}
)";

TEST_CASE("Several GPUs: a managed variable is one for all of them and the host") {
  for (const bool functional_only : {false, true}) {
    const TwoGpus program({.functional_only = functional_only});
    ModuleHandle module = nullptr;
    KernelHandle count = nullptr;
    cudaSetDevice(0);
    REQUIRE(cuModuleLoadData(&module, kManagedCounter) == kSuccess);
    REQUIRE(cuModuleGetFunction(&count, module, "count") == kSuccess);
    std::uint64_t address = 0;
    std::uint64_t on_second = 0;
    std::size_t bytes = 0;
    REQUIRE(cuModuleGetGlobal_v2(&address, &bytes, module, "counter") == kSuccess);
    for (const int device : {0, 1, 0}) {
      cudaSetDevice(device);
      REQUIRE(cuLaunchKernel(count, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr) == kSuccess);
      REQUIRE(cudaDeviceSynchronize() == kSuccess);
    }
    cudaSetDevice(1);
    REQUIRE(cuModuleGetGlobal_v2(&on_second, &bytes, module, "counter") == kSuccess);
    CHECK(on_second == address);
    CHECK(*static_cast<volatile std::uint32_t*>(to_pointer(address)) == 8);
  }
}

}  // namespace
}  // namespace warpsim::cuda
