// The runtime's launches, errors, events and queries, on a device that records its calls.
#include "cuda/runtime/runtime_api.h"

#include <catch2/catch.hpp>
#include <cstring>
#include <string>
#include <vector>

#include "cuda/calls.h"
#include "cuda/device/device_properties.h"
#include "support/cuda_program.h"

namespace warpsim::cuda {
namespace {

using test::CudaProgram;
using test::FakeDevice;
using test::RecordedLaunch;

TEST_CASE("a launch reaches the device with its configuration and packed parameters") {
  CudaProgram program;
  CHECK(program.launch_scale(0x1234, 2.5F, 77) == kSuccess);
  REQUIRE(program.device->launches.size() == 1);
  const RecordedLaunch& launch = program.device->launches[0];
  CHECK(launch.kernel == "scale");
  CHECK(launch.grid == Dim3{4, 1, 1});
  CHECK(launch.block == Dim3{128, 1, 1});
  CHECK(launch.dynamic_shared_bytes == 64);
  CHECK(launch.parameters.size() == 16);
  CHECK(launch.parameter<std::uint64_t>(0) == 0x1234);
  CHECK(launch.parameter<float>(8) == 2.5F);
  CHECK(launch.parameter<std::uint32_t>(12) == 77);
}

TEST_CASE("parameters are aligned") {
  CudaProgram program;
  char flag = 5;
  std::uint64_t pair[2] = {6, 7};
  void* arguments[] = {&flag, pair};
  REQUIRE(cudaLaunchKernel(&program.packed_stub, {1, 1, 1}, {1, 1, 1}, arguments, 0, nullptr) == kSuccess);
  const RecordedLaunch& launch = program.device->launches.at(0);
  CHECK(launch.parameter<char>(0) == 5);
  CHECK(launch.parameter<std::uint64_t>(8) == 6);
  CHECK(launch.parameter<std::uint64_t>(16) == 7);
}

TEST_CASE("a kernel's handle launches it, like in programs of toolkit 13") {
  CudaProgram program;
  KernelHandle kernel = nullptr;
  REQUIRE(__cudaGetKernel(&kernel, &program.scale_stub) == kSuccess);
  std::uint64_t data = 0;
  float factor = 0;
  std::uint32_t count = 0;
  void* arguments[] = {&data, &factor, &count};
  CHECK(__cudaLaunchKernel(kernel, {1, 1, 1}, {32, 1, 1}, arguments, 0, nullptr) == kSuccess);
  CHECK(program.device->launches.at(0).kernel == "scale");
}

TEST_CASE("cluster and cooperative launches are marked as such") {
  CudaProgram program;
  abi::LaunchAttribute attributes[2] = {};
  attributes[0].id = 4;
  attributes[0].value.dimensions = {2, 1, 1};
  attributes[1].id = 2;
  attributes[1].value.integer = 1;
  abi::LaunchConfig config = {{8, 1, 1}, {64, 1, 1}, 0, nullptr, attributes, 2};
  std::uint64_t word = 0;
  void* arguments[] = {&word, &word, &word};
  REQUIRE(cudaLaunchKernelExC(&config, &program.scale_stub, arguments) == kSuccess);
  CHECK(program.device->launches.at(0).cluster == Dim3{2, 1, 1});
  CHECK(program.device->launches.at(0).cooperative);
  attributes[0].value.dimensions = {16, 1, 1};
  CHECK(cudaLaunchKernelExC(&config, &program.scale_stub, arguments) == kInvalidClusterSize);
  config.grid = {9, 1, 1};
  attributes[0].value.dimensions = {2, 1, 1};
  CHECK(cudaLaunchKernelExC(&config, &program.scale_stub, arguments) == kInvalidConfiguration);
}

TEST_CASE("shared memory beyond the default needs the opt-in") {
  CudaProgram program;
  std::uint64_t word = 0;
  void* arguments[] = {&word, &word, &word};
  const auto launch = [&](std::size_t shared) {
    return cudaLaunchKernel(&program.scale_stub, {1, 1, 1}, {32, 1, 1}, arguments, shared, nullptr);
  };
  CHECK(launch(49152) == kSuccess);
  CHECK(launch(49153) == kInvalidValue);
  CHECK(cudaFuncSetAttribute(&program.scale_stub, 8, 232449) == kInvalidValue);
  CHECK(cudaFuncSetAttribute(&program.scale_stub, 8, 232448) == kSuccess);
  CHECK(launch(232448) == kSuccess);
}

TEST_CASE("events measure the device's time") {
  CudaProgram program;
  EventHandle begin = nullptr;
  EventHandle end = nullptr;
  REQUIRE(cudaEventCreate(&begin) == kSuccess);
  REQUIRE(cudaEventCreate(&end) == kSuccess);
  program.device->launch_ns = 1.5e6;
  float ms = 0;
  CHECK(cudaEventElapsedTime(&ms, begin, end) == kInvalidHandle);
  CHECK(cudaEventRecord(begin, nullptr) == kSuccess);
  program.launch_scale(0, 0, 0);
  program.launch_scale(0, 0, 0);
  CHECK(cudaEventRecord(end, nullptr) == kSuccess);
  CHECK(cudaEventElapsedTime(&ms, begin, end) == kSuccess);
  CHECK(ms == 3.0F);
  CHECK(cudaEventDestroy(begin) == kSuccess);
  CHECK(cudaEventDestroy(begin) == kInvalidHandle);
}

TEST_CASE("the last error is kept until it is requested") {
  CudaProgram program;
  CHECK(cudaFree(&program) == kInvalidValue);
  CHECK(cudaDeviceSynchronize() == kSuccess);
  CHECK(cudaPeekAtLastError() == kInvalidValue);
  CHECK(cudaGetLastError() == kInvalidValue);
  CHECK(cudaGetLastError() == kSuccess);
  CHECK(std::string(cudaGetErrorName(kInvalidValue)) == "cudaErrorInvalidValue");
  CHECK(std::string(cudaGetErrorString(kIllegalAddress)) == "an illegal memory access was encountered");
  CHECK(std::string(cudaGetErrorString(-1)) == "unrecognized error code");
}

TEST_CASE("a kernel that fails on the device fails every later call, not its launch") {
  CudaProgram program;
  program.device->work["scale"] = [](FakeDevice&, const RecordedLaunch&) {
    return Outcome{Failure::kIllegalAddress, ""};
  };
  CHECK(program.launch_scale(0, 0, 0) == kSuccess);
  CHECK(cudaDeviceSynchronize() == kIllegalAddress);
  CHECK(cudaGetLastError() == kIllegalAddress);
  void* data = nullptr;
  CHECK(cudaMalloc(&data, 4) == kIllegalAddress);
}

TEST_CASE("a launch that the device refuses is only its own error") {
  CudaProgram program;
  program.device->work["scale"] = [](FakeDevice&, const RecordedLaunch&) {
    return Outcome{Failure::kOutOfResources, ""};
  };
  CHECK(program.launch_scale(0, 0, 0) == kLaunchOutOfResources);
  CHECK(cudaDeviceSynchronize() == kSuccess);
  CHECK(program.launch_scale(0, 0, 0, {0, 1, 1}) == kInvalidConfiguration);
  char unknown = 0;
  CHECK(cudaLaunchKernel(&unknown, {1, 1, 1}, {1, 1, 1}, nullptr, 0, nullptr) == kInvalidDeviceFunction);
}

TEST_CASE("properties are those of the GPU") {
  CudaProgram program;
  abi::DeviceProperties13 p = {};
  REQUIRE(cudaGetDeviceProperties(&p, 0) == kSuccess);
  CHECK(std::string(p.name) == "NVIDIA H200");
  CHECK(p.major == 9);
  CHECK(p.minor == 0);
  CHECK(p.sms == 132);
  CHECK(p.l2_bytes == 62914560);
  CHECK(p.shared_per_block == 49152);
  CHECK(p.shared_per_block_optin == 232448);
  CHECK(p.shared_per_sm == 233472);
  CHECK(p.shared_reserved == 1024);
  CHECK(p.threads_per_sm == 2048);
  CHECK(p.cooperative_launch == 1);
  CHECK(p.cluster_launch == 1);
  abi::DeviceProperties12 old = {};
  REQUIRE(cudaGetDeviceProperties_v2(&old, 0) == kSuccess);
  CHECK(old.clock_khz == 1980000);
  CHECK(old.grid_size[0] == 2147483647);
  CHECK(cudaGetDeviceProperties(&p, 1) == kInvalidDevice);
  int value = 0;
  CHECK(cudaDeviceGetAttribute(&value, 16, 0) == kSuccess);
  CHECK(value == 132);
  CHECK(cudaDeviceGetAttribute(&value, 100000, 0) == kInvalidValue);
}

TEST_CASE("occupancy of a kernel is that of the calculator") {
  CudaProgram program;
  int blocks = 0;
  REQUIRE(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, &program.scale_stub, 256, 0) == kSuccess);
  CHECK(blocks == 8);  // 2048 threads of 32 registers
  REQUIRE(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, &program.scale_stub, 256, 100000) == kSuccess);
  CHECK(blocks == 2);  // 228 KiB
  std::size_t bytes = 0;
  REQUIRE(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, &program.scale_stub, 2, 256) == kSuccess);
  CHECK(bytes == 233472 / 2 - 1024);
}

TEST_CASE("a function's attributes are those of its kernel") {
  CudaProgram program;
  abi::FunctionAttributes a = {};
  REQUIRE(cudaFuncGetAttributes(&a, &program.scale_stub) == kSuccess);
  CHECK(a.registers == 32);
  CHECK(a.most_threads == 1024);
  CHECK(a.binary_version == 90);
  CHECK(a.most_dynamic_shared_bytes == 49152);
}

TEST_CASE("streams are distinguished on the device") {
  CudaProgram program;
  StreamHandle stream = nullptr;
  REQUIRE(cudaStreamCreate(&stream) == kSuccess);
  std::uint64_t word = 0;
  void* arguments[] = {&word, &word, &word};
  CHECK(cudaLaunchKernel(&program.scale_stub, {1, 1, 1}, {1, 1, 1}, arguments, 0, stream) == kSuccess);
  CHECK(program.device->launches.at(0).stream != 0);
  int called = 0;
  CHECK(cudaLaunchHostFunc(
            stream, [](void* data) { ++*static_cast<int*>(data); }, &called) == kSuccess);
  CHECK(called == 1);
  CHECK(cudaStreamDestroy(stream) == kSuccess);
  CHECK(cudaStreamSynchronize(stream) == kInvalidHandle);
}

}  // namespace
}  // namespace warpsim::cuda
