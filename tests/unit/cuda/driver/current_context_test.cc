// Calls of the driver in threads without a current context. The expected results are those of an H100 and an H200 with
// driver 580.
#include "cuda/current_device.h"

#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <thread>

#include "cuda/driver/driver_api.h"
#include "cuda/driver/driver_graph_api.h"
#include "cuda/memory/memory_pool_api.h"
#include "cuda/runtime/runtime_api.h"
#include "support/cuda_program.h"

namespace warpsim::cuda {
namespace {

using test::CudaProgram;

TEST_CASE("current context: a thread without one cannot allocate, load, launch or wait") {
  CudaProgram program;
  while (pop_context()) {
  }
  std::uint64_t data = 0;
  std::size_t bytes = 0;
  std::size_t total = 0;
  int device = 0;
  void* host = nullptr;
  ModuleHandle module = nullptr;
  StreamHandle stream = nullptr;
  EventHandle event = nullptr;
  CHECK(cuMemAlloc_v2(&data, 1024) == kInvalidContext);
  CHECK(cuMemAllocManaged(&data, 64, 1) == kInvalidContext);
  CHECK(cuMemHostAlloc(&host, 64, 0) == kInvalidContext);
  CHECK(cuMemGetInfo_v2(&bytes, &total) == kInvalidContext);
  CHECK(cuMemsetD8_v2(4096, 0, 16) == kInvalidContext);
  CHECK(cuModuleLoadData(&module, "x") == kInvalidContext);
  CHECK(cuStreamCreate(&stream, 0) == kInvalidContext);
  CHECK(cuStreamSynchronize(nullptr) == kInvalidContext);
  CHECK(cuEventCreate(&event, 0) == kInvalidContext);
  CHECK(cuLaunchKernel(nullptr, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr) == kInvalidContext);
  CHECK(cuCtxSynchronize() == kInvalidContext);
  CHECK(cuCtxGetDevice(&device) == kInvalidContext);
  CHECK(cuCtxGetLimit(&bytes, 0) == kInvalidContext);
  CHECK(cuProfilerStart() == kInvalidContext);
  CHECK(cuProfilerStop() == kInvalidContext);
  CHECK(cuMemFree_v2(0) == kSuccess);
  CHECK(cuDeviceGet(&device, 0) == kSuccess);
  void* current = &bytes;
  CHECK(cuCtxGetCurrent(&current) == kSuccess);
  CHECK(current == nullptr);
}

TEST_CASE("current context: streams of the program have their own, and what is made is destroyed without one") {
  CudaProgram program;
  StreamHandle stream = nullptr;
  EventHandle event = nullptr;
  std::uint64_t data = 0;
  std::uint64_t other = 0;
  std::uint8_t bytes[16] = {};
  REQUIRE(cuStreamCreate(&stream, 1) == kSuccess);
  REQUIRE(cuEventCreate(&event, 0) == kSuccess);
  REQUIRE(cuMemAlloc_v2(&data, 1024) == kSuccess);
  while (pop_context()) {
  }
  CHECK(cuMemsetD8Async(data, 7, 16, stream) == kSuccess);
  CHECK(cuMemcpyDtoHAsync_v2(bytes, data, 16, stream) == kSuccess);
  CHECK(cuEventRecord(event, stream) == kSuccess);
  CHECK(cuStreamWaitEvent(stream, event, 0) == kSuccess);
  CHECK(cuStreamSynchronize(stream) == kSuccess);
  CHECK(bytes[15] == 7);
  CHECK(cuEventQuery(event) == kSuccess);
  CHECK(cuMemAllocAsync(&other, 64, stream) == kSuccess);
  CHECK(cuMemFreeAsync(other, stream) == kSuccess);
  CHECK(cuMemcpyDtoH_v2(bytes, data, 16) == kInvalidContext);
  CHECK(cuEventRecord(event, nullptr) == kInvalidContext);
  CHECK(cuMemFree_v2(data) == kSuccess);
  CHECK(cuEventDestroy_v2(event) == kSuccess);
  CHECK(cuStreamDestroy_v2(stream) == kSuccess);
}

TEST_CASE("current context: a call of the runtime makes the first device's current in its thread") {
  CudaProgram program;
  std::thread([] {
    int device = -1;
    CHECK(cuCtxGetDevice(&device) == kInvalidContext);
    CHECK(cudaDeviceSynchronize() == kSuccess);
    CHECK(cuCtxGetDevice(&device) == kSuccess);
    CHECK(device == 0);
  }).join();
}

// Objects of a thread end in the opposite order of their beginnings.
TEST_CASE("current context: it is known when the thread's own objects have ended") {
  static std::optional<std::uint32_t> at_end;
  static std::optional<std::uint32_t> after_push;
  static std::optional<std::uint32_t> after_pop;
  struct LooksAtEnd {
    bool begun = false;
    ~LooksAtEnd() {
      at_end = current_context();
      push_context(5);
      after_push = current_context();
      pop_context();
      after_pop = current_context();
    }
  };
  std::thread([] {
    thread_local LooksAtEnd first;
    first.begun = true;
    push_context(1);
    push_context(3);
  }).join();
  CHECK(at_end == 3);
  CHECK(after_push == 5);
  CHECK(after_pop == std::nullopt);
}

}  // namespace
}  // namespace warpsim::cuda
