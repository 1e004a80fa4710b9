#include "cuda/streams/host_functions.h"

#include <catch2/catch.hpp>
#include <memory>
#include <thread>

#include "cuda/calls.h"
#include "cuda/device/simulated_device.h"
#include "cuda/runtime/runtime_api.h"

namespace warpsim::cuda {
namespace {

struct CodesInside {
  int synchronize = -1;
  int allocate = -1;
  int driver = -1;
};

void call_cuda(void* data) {
  auto& codes = *static_cast<CodesInside*>(data);
  void* memory = nullptr;
  codes.synchronize = cudaDeviceSynchronize();
  codes.allocate = cudaMalloc(&memory, 4);
  codes.driver = driver_call([](Context&) {});
}

TEST_CASE("host functions: calls of CUDA in functions that streams call are not permitted") {
  for (const bool functional_only : {false, true}) {
    process_context().use_device(std::make_unique<SimulatedDevice>(WARPSIM_SOURCE_DIR "/configs/test_tiny.yaml",
                                                                   DeviceOptions{.functional_only = functional_only}));
    cudaGetLastError();
    CodesInside codes;
    REQUIRE(cudaLaunchHostFunc(nullptr, call_cuda, &codes) == kSuccess);
    REQUIRE(cudaDeviceSynchronize() == kSuccess);
    CHECK(codes.synchronize == kNotPermitted);
    CHECK(codes.allocate == kNotPermitted);
    CHECK(codes.driver == kNotPermitted);
    CodesInside of_callback;
    const CudaStreamCallback callback = [](StreamHandle, int, void* data) { call_cuda(data); };
    REQUIRE(cudaStreamAddCallback(nullptr, callback, &of_callback, 0) == kSuccess);
    REQUIRE(cudaDeviceSynchronize() == kSuccess);
    CHECK(of_callback.synchronize == kNotPermitted);
    CHECK(cudaGetLastError() == kSuccess);
    CHECK_FALSE(in_host_function());
    process_context().use_device(nullptr);
  }
}

TEST_CASE("host functions: a call counts for its thread, and ends") {
  bool in_other_thread = true;
  {
    const HostFunctionCall outer;
    const HostFunctionCall inner;
    CHECK(in_host_function());
    std::thread([&] { in_other_thread = in_host_function(); }).join();
  }
  CHECK_FALSE(in_other_thread);
  CHECK_FALSE(in_host_function());
}

}  // namespace
}  // namespace warpsim::cuda
