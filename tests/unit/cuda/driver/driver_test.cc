// The driver's functions, on a device that records its calls.
#include "cuda/driver/driver_api.h"

#include <catch2/catch.hpp>
#include <cstring>
#include <string>
#include <vector>

#include "cuda/calls.h"
#include "cuda/device_calls.h"
#include "cuda/memory/textures.h"
#include "cuda/streams/launching.h"
#include "cuda/streams/stream_calls.h"
#include "cuda/unsupported.h"
#include "support/cuda_program.h"
#include "support/temporary_folder.h"

namespace warpsim::cuda {
namespace {

using test::CudaProgram;
using test::kProgramPtx;
using test::RecordedLaunch;

TEST_CASE("a module of PTX text has kernels that are launched with pointers or with a buffer") {
  CudaProgram program;
  ModuleHandle module = nullptr;
  REQUIRE(cuModuleLoadData(&module, kProgramPtx) == kSuccess);
  KernelHandle kernel = nullptr;
  CHECK(cuModuleGetFunction(&kernel, module, "missing") == kNotFound);
  REQUIRE(cuModuleGetFunction(&kernel, module, "scale") == kSuccess);
  std::uint64_t data = 0x55;
  float factor = 0.5F;
  std::uint32_t count = 9;
  void* arguments[] = {&data, &factor, &count};
  CHECK(cuLaunchKernel(kernel, 2, 3, 4, 32, 2, 1, 16, nullptr, arguments, nullptr) == kSuccess);
  struct {
    std::uint64_t data;
    float factor;
    std::uint32_t count;
  } buffer = {0x66, 1.5F, 10};
  std::size_t bytes = sizeof buffer;
  // NOLINTNEXTLINE(performance-no-int-to-ptr): the driver's keys
  void* list[] = {reinterpret_cast<void*>(1), &buffer, reinterpret_cast<void*>(2), &bytes, nullptr};
  CHECK(cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, list) == kSuccess);
  REQUIRE(program.device->launches.size() == 2);
  CHECK(program.device->launches[0].grid == Dim3{2, 3, 4});
  CHECK(program.device->launches[0].parameter<std::uint64_t>(0) == 0x55);
  CHECK(program.device->launches[1].parameter<std::uint64_t>(0) == 0x66);
  CHECK(program.device->launches[1].parameter<std::uint32_t>(12) == 10);
  CHECK(cuModuleUnload(module) == kSuccess);
  CHECK(cuModuleUnload(module) == kInvalidHandle);
}

TEST_CASE("an image in memory can be a cubin, whose length is in its tables") {
  CudaProgram program;
  const std::string cubin =
      TemporaryFolder::read(WARPSIM_SOURCE_DIR "/tests/data/sass/examples/vector_add.sm_75.cubin");
  const std::string longer = cubin + std::string(64, 'x');
  ModuleHandle module = nullptr;
  REQUIRE(cuModuleLoadData(&module, longer.data()) == kSuccess);
  CHECK(module->image == cubin);
}

TEST_CASE("an image that is neither PTX nor machine code is refused") {
  CudaProgram program;
  ModuleHandle module = nullptr;
  CHECK(cuModuleLoadData(&module, "") == kInvalidImage);
  const char elf[32] =
      "\x7f"
      "ELF";
  CHECK(cuModuleLoadData(&module, elf) == kInvalidImage);
  CHECK(cuModuleLoad(&module, "/nowhere/kernel.ptx") == kFileNotFound);
  const TemporaryFolder folder;
  const std::string path = folder.write("kernel.ptx", kProgramPtx);
  CHECK(cuModuleLoad(&module, path.c_str()) == kSuccess);
  std::uint64_t data = 0;
  std::size_t bytes = 0;
  CHECK(cuModuleGetGlobal_v2(&data, &bytes, module, "counters") == kSuccess);
  CHECK(bytes == 32);
  CHECK(data != 0);
}

TEST_CASE("memory is filled, copied and described by the driver") {
  CudaProgram program;
  std::uint64_t data = 0;
  REQUIRE(cuMemAlloc_v2(&data, 64) == kSuccess);
  CHECK(cuMemsetD32_v2(data, 0x01020304, 16) == kSuccess);
  std::uint16_t half[32] = {};
  CHECK(cuMemcpyDtoH_v2(half, data, 64) == kSuccess);
  CHECK(half[0] == 0x0304);
  CHECK(half[31] == 0x0102);
  CHECK(cuMemsetD16_v2(data + 60, 0xabcd, 3) == kInvalidValue);
  CHECK(cuMemsetD2D8Async(data, 16, 0x55, 3, 2, nullptr) == kSuccess);
  CHECK(cuMemsetD2D16Async(data + 4, 16, 0x6666, 1, 2, nullptr) == kSuccess);
  CHECK(cuMemsetD2D32Async(data + 8, 16, 0x77777777, 1, 2, nullptr) == kSuccess);
  std::uint32_t rows[8] = {};
  CHECK(cuMemcpyDtoH_v2(rows, data, sizeof rows) == kSuccess);
  for (const std::size_t row : {0U, 4U}) {
    CHECK(rows[row] == 0x01555555);
    CHECK(rows[row + 1] == 0x01026666);
    CHECK(rows[row + 2] == 0x77777777);
    CHECK(rows[row + 3] == 0x01020304);
  }
  std::uint64_t begin = 0;
  std::size_t bytes = 0;
  CHECK(cuMemGetAddressRange_v2(&begin, &bytes, data + 12) == kSuccess);
  CHECK(begin == data);
  CHECK(bytes == 64);
  unsigned type = 0;
  CHECK(cuPointerGetAttribute(&type, 2, data) == kSuccess);
  CHECK(type == 2);
  CHECK(cuPointerGetAttribute(&type, 2, 16) == kInvalidValue);
  CHECK(cuMemFree_v2(data) == kSuccess);
  CHECK(cuMemFree_v2(data) == kInvalidValue);
}

TEST_CASE("a box of an array is copied by the driver's descriptor") {
  CudaProgram program;
  const abi::ArrayDescriptor descriptor = {4, 4, 0x03, 1};  // 32-bit unsigned
  ArrayHandle array = nullptr;
  REQUIRE(cuArrayCreate_v2(&array, &descriptor) == kSuccess);
  std::uint32_t values[2][2] = {{1, 2}, {3, 4}};
  abi::DriverMemcpy2d copy = {};
  copy.source_type = 1;
  copy.source_host = values;
  copy.source_pitch = 8;
  copy.target_type = 3;
  copy.target_array = array;
  copy.target_x = 4;
  copy.target_y = 2;
  copy.width = 8;
  copy.height = 2;
  REQUIRE(cuMemcpy2D_v2(&copy) == kSuccess);
  std::uint32_t all[16] = {};
  REQUIRE(cuMemcpyAtoH_v2(all, array, 0, sizeof all) == kSuccess);
  CHECK(all[9] == 1);
  CHECK(all[10] == 2);
  CHECK(all[13] == 3);
  CHECK(all[14] == 4);
  CHECK(all[8] == 0);
  copy.target_y = 3;
  CHECK(cuMemcpy2D_v2(&copy) == kInvalidValue);
  const std::uint32_t line[2] = {77, 78};
  CHECK(cuMemcpyHtoAAsync_v2(array, 8, line, sizeof line, nullptr) == kSuccess);
  CHECK(cuMemcpyAtoHAsync_v2(all, array, 4, 12, nullptr) == kSuccess);
  CHECK(all[1] == 77);
  CHECK(all[2] == 78);
  abi::DriverMemcpy3d box = {};
  box.source_type = 3;
  box.source_array = array;
  box.target_type = 1;
  box.target_host = all;
  box.target_pitch = 16;
  box.target_height = 4;
  box.width = 16;
  box.height = 4;
  box.depth = 1;
  CHECK(cuMemcpy3DPeer(&box) == kSuccess);
  CHECK(all[2] == 77);
  CHECK(cuMemcpy3DPeerAsync(&box, nullptr) == kSuccess);
  CHECK(cuArrayDestroy(array) == kSuccess);
}

TEST_CASE("there is one device with the GPU's name and limits") {
  CudaProgram program;
  CHECK(cuInit(0) == kSuccess);
  int device = -1;
  CHECK(cuDeviceGet(&device, 0) == kSuccess);
  CHECK(cuDeviceGet(&device, 1) == kInvalidDevice);
  char name[8] = {};
  CHECK(cuDeviceGetName(name, sizeof name, device) == kSuccess);
  CHECK(std::string(name) == "NVIDIA ");  // as much as there is space for
  int value = 0;
  CHECK(cuDeviceGetAttribute(&value, 75, device) == kSuccess);
  CHECK(value == 9);
  void* handle = nullptr;
  CHECK(cuCtxPopCurrent_v2(&handle) == kSuccess);
  CHECK(cuCtxCreate_v2(&handle, 0, device) == kSuccess);
  void* current = nullptr;
  CHECK(cuCtxGetCurrent(&current) == kSuccess);
  CHECK(current == handle);
  CHECK(cuCtxSetCurrent(&value) == kInvalidContext);
  CHECK(cuCtxGetDevice_v2(&device, handle) == kSuccess);
  CHECK(cuCtxGetDevice_v2(&device, nullptr) == kSuccess);
  CHECK(cuCtxSynchronize_v2(handle) == kSuccess);
  void* of_stream = nullptr;
  CHECK(cuStreamGetCtx(nullptr, &of_stream) == kSuccess);
  CHECK(of_stream == handle);
  CHECK(cuStreamGetDevice(nullptr, &value) == kSuccess);
  CHECK(value == 0);
  CHECK(cuDevicePrimaryCtxSetFlags_v2(0, 4) == kSuccess);
  unsigned flags = 0;
  CHECK(cuCtxGetFlags(&flags) == kSuccess);
  CHECK(flags == 4);
  CHECK(cudaGetDeviceFlags(&flags) == kSuccess);
  CHECK(flags == 4);
  CHECK(cuCtxDestroy_v2(handle) == kSuccess);
  CHECK(cuCtxSynchronize_v2(nullptr) == kInvalidContext);
  std::size_t bytes = 0;
  CHECK(cuCtxGetLimit(&bytes, 2) == kInvalidContext);
  REQUIRE(cuCtxSetCurrent(handle) == kSuccess);
  CHECK(cuCtxGetLimit(&bytes, 2) == kSuccess);
  CHECK(bytes == 8U << 20);
  CHECK(cuCtxSetLimit(2, 1 << 20) == kSuccess);
  CHECK(program.device->heap_bytes == 1 << 20);
  CHECK(cuCtxSetLimit(77, 1) == kInvalidValue);
  CHECK(cuCtxGetLimit(&bytes, 1) == kSuccess);
  CHECK(bytes == 132 * 64 * 1024);
  CHECK(cuCtxGetLimit(&bytes, 3) == kUnsupportedLimit);  // kernels of 9.0 do not wait for launches
  CHECK(cuCtxGetLimit(&bytes, 7) == kSuccess);
  CHECK(bytes == 227 * 1024);
  CHECK(cuCtxSetLimit(7, 1024) == driver_code(kNotPermitted));
  CHECK(cuCtxGetLimit(&bytes, 8) == kSuccess);
  CHECK(bytes == 0);
  CHECK(cuCtxGetLimit(&bytes, 9) == kUnsupportedLimit);
}

TEST_CASE("errors have the driver's names") {
  const char* text = nullptr;
  CHECK(cuGetErrorName(kIllegalAddress, &text) == kSuccess);
  CHECK(std::string(text) == "CUDA_ERROR_ILLEGAL_ADDRESS");
  CHECK(cuGetErrorString(kNotFound, &text) == kSuccess);
  CHECK(std::string(text) == "named symbol not found");
  CHECK(cuGetErrorName(kInvalidConfiguration, &text) == kInvalidValue);  // only of the runtime
  CHECK(text == nullptr);
}

TEST_CASE("codes that only the runtime has become the nearest ones of the driver") {
  CHECK(driver_code(kInvalidConfiguration) == kInvalidValue);
  CHECK(driver_code(kInvalidDeviceFunction) == kInvalidHandle);
  CHECK(driver_code(kIllegalAddress) == kIllegalAddress);
}

TEST_CASE("an exception inside a call becomes an error code") {
  CudaProgram program;
  CHECK(driver_call([](Context&) { throw CallError(kNotReady); }) == kNotReady);
  CHECK(driver_call([](Context&) { throw NoUsablePtx("no PTX"); }) == kNoBinaryForGpu);
  CHECK(driver_call([](Context&) { throw InvalidFatBinary("damaged"); }) == kInvalidImage);
  CHECK(driver_call([](Context&) { throw std::bad_alloc(); }) == kOutOfMemory);
  int* const missing = nullptr;
  CHECK(driver_call([&](Context&) { result(missing) = 1; }) == kInvalidValue);
}

TEST_CASE("a function that exists only for the loader returns the error") {
  CudaProgram program;
  CHECK(warpsimUnsupportedDriver("cuGraphCreate") == kNotSupported);
  CHECK(warpsimUnsupportedRuntime("cudaGraphCreate") == kNotSupported);
  CHECK(cudaGetLastError() == kNotSupported);
}

TEST_CASE("the suggested block fills an SM, the grid all of them") {
  CudaProgram program;
  const auto shared_of_block = [](int threads) { return static_cast<std::size_t>(threads) * 100; };
  Kernel& kernel = process_context().kernel_of(&program.scale_stub);
  BlockSuggestion best = suggest_block(process_context(), kernel, nullptr, 0, 0);
  CHECK(best.block == 1024);
  CHECK(best.grid == 2 * 132);
  // 100 bytes per thread and 1 KiB per block: 2048 threads fit in 228 KiB in two blocks of 1024.
  best = suggest_block(process_context(), kernel, shared_of_block, 0, 512);
  CHECK(best.block == 512);
  CHECK(best.grid == 4 * 132);
}

TEST_CASE("events without times have none") {
  CudaProgram program;
  Context& context = process_context();
  constexpr unsigned kDisableTiming = 2;
  const EventHandle begin = context.create_event(kDisableTiming);
  const EventHandle end = context.create_event(0);
  record_event(context, begin, nullptr);
  record_event(context, end, nullptr);
  CHECK_THROWS_AS(elapsed_ms(context, begin, end), CallError);
}

TEST_CASE("formats of texels are translated in both directions") {
  const abi::ChannelFormat half4 = format_of(0x10, 4);
  CHECK(half4.bits[3] == 16);
  CHECK(half4.kind == 2);
  CHECK(driver_format_of(half4) == 0x10);
  CHECK(channels_of(half4) == 4);
  CHECK_THROWS_AS(format_of(0x10, 3), CallError);
  abi::DriverTextureDescription driver = {};
  driver.flags = 0x01 | 0x02;  // unchanged integers, normalised coordinates
  driver.filter_mode = 1;
  const abi::TextureDescription runtime = translate(driver);
  CHECK(runtime.read_mode == 0);
  CHECK(runtime.normalized_coordinates == 1);
  CHECK(runtime.filter_mode == 1);
}

TEST_CASE("texts for the program are cut to its buffer") {
  char text[5] = {};
  copy_text(text, sizeof text, pci_bus_id(3).c_str());
  CHECK(std::string(text) == "0000");
  CHECK(pci_bus_id(3) == "0000:03:00.0");
}

}  // namespace
}  // namespace warpsim::cuda
