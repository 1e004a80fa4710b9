// Memory that processes share, as the calls of a program use it; tests/cuda_programs/processes.cc has all errors.
#include "cuda/ipc/ipc_memory.h"

#include <catch2/catch.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "cuda/calls.h"
#include "cuda/driver/driver_api.h"
#include "cuda/ipc/ipc_api.h"
#include "cuda/memory/memory_calls.h"
#include "cuda/runtime/runtime_api.h"
#include "support/child_process.h"

namespace warpsim::cuda {
namespace {

using test::in_child_process;

constexpr unsigned kLazy = 1;
constexpr int kIpcEventSupport = 125;

std::string config_of(const std::string& name) {
  return WARPSIM_SOURCE_DIR "/configs/" + name + ".yaml";
}

struct Program {
  explicit Program(const std::vector<std::string>& gpus, bool functional_only = false) {
    process_context().use_devices(make_devices(gpus, {.functional_only = functional_only}));
    cudaGetLastError();
  }
  ~Program() {
    process_context().use_device(nullptr);
    process_context().forget_errors();
  }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  static void* allocate(int device, std::size_t bytes, int value) {
    REQUIRE(cudaSetDevice(device) == kSuccess);
    void* data = nullptr;
    REQUIRE(cudaMalloc(&data, bytes) == kSuccess);
    REQUIRE(cudaMemset(data, value, bytes) == kSuccess);
    REQUIRE(cudaDeviceSynchronize() == kSuccess);
    return data;
  }
  static int byte_at(const void* data, std::size_t offset = 0) {
    const std::byte* const place = process_context().device(0).memory().host(to_address(data) + offset, 1);
    return place == nullptr ? -1 : static_cast<int>(*place);
  }
};

TEST_CASE("IPC memory: processes read and write the same bytes, of several GPUs and in small allocations") {
  for (const bool functional_only : {false, true}) {
    const std::vector<std::string> gpus(2, config_of("test_tiny"));
    const Program program(gpus, functional_only);
    void* const small = Program::allocate(0, 100, 1);
    void* const next = Program::allocate(0, 100, 2);
    void* const other = Program::allocate(1, 3 << 20, 3);
    std::vector<abi::IpcHandle> handles(3);
    REQUIRE(cudaIpcGetMemHandle(handles.data(), small) == kSuccess);
    REQUIRE(cudaIpcGetMemHandle(&handles[1], static_cast<std::byte*>(next) + 99) == kSuccess);
    REQUIRE(cuIpcGetMemHandle(&handles[2], to_address(other)) == kSuccess);
    CHECK(Program::byte_at(small, 99) == 1);
    CHECK(in_child_process([&] {
      Program child(gpus, functional_only);
      cudaSetDevice(0);
      std::vector<void*> data(3);
      bool good = cudaIpcOpenMemHandle(data.data(), handles[0], kLazy) == kSuccess &&
                  cudaIpcOpenMemHandle(&data[1], handles[1], kLazy) == kSuccess &&
                  cudaIpcOpenMemHandle(&data[2], handles[2], kLazy) == kSuccess;
      const DeviceMemory& memory = process_context().device(0).memory();
      const auto* const far = memory.find(to_address(data[2]));
      good = good && Program::byte_at(data[0]) == 1 && Program::byte_at(data[1]) == 2 && far != nullptr &&
             far->gpu == 1 && memory.reaches(*far) && Program::byte_at(data[2], (3 << 20) - 1) == 3;
      // The other device has a mapping of its own.
      void* own = nullptr;
      cudaSetDevice(1);
      good = good && cudaIpcOpenMemHandle(&own, handles[2], kLazy) == kSuccess && own != data[2] &&
             cudaMemset(own, 9, 10) == kSuccess && cudaDeviceSynchronize() == kSuccess;
      return good && Program::byte_at(data[2], 9) == 9 && cudaIpcCloseMemHandle(own) == kSuccess &&
             Program::byte_at(own) == -1 && Program::byte_at(data[2], 9) == 9 && cudaFree(data[0]) == kInvalidValue;
    }));
    CHECK(Program::byte_at(other, 9) == 9);
    CHECK(Program::byte_at(other, 10) == 3);

    // A freed allocation cannot be opened; a new one has a new handle.
    REQUIRE(cudaFree(next) == kSuccess);
    CHECK(in_child_process([&] {
      Program child(gpus, functional_only);
      void* data = nullptr;
      return cudaIpcOpenMemHandle(&data, handles[1], kLazy) == kMapFailed &&
             cudaIpcOpenMemHandle(&data, handles[0], kLazy) == kSuccess;
    }));
  }
}

TEST_CASE("IPC memory: a GPU that the program does not have, and one without access, are errors") {
  const std::vector<std::string> gpus = {config_of("test_tiny"), config_of("t4")};
  const Program program(gpus, true);
  abi::IpcHandle handle = {};
  REQUIRE(cudaIpcGetMemHandle(&handle, Program::allocate(1, 4096, 1)) == kSuccess);
  CHECK(in_child_process([&] {
    Program child({config_of("test_tiny")}, true);
    void* data = nullptr;
    return cudaIpcOpenMemHandle(&data, handle, kLazy) == kInvalidDevice;
  }));
  CHECK(in_child_process([&] {
    Program child(gpus, true);
    void* data = nullptr;
    cudaSetDevice(0);
    return cudaIpcOpenMemHandle(&data, handle, kLazy) == kPeerAccessUnsupported;
  }));
}

TEST_CASE("IPC memory: it needs compute capability 2.0") {
  struct Gpu {
    const char* name;
    int support;
  };
  for (const Gpu& gpu : {Gpu{"gtx280", 0}, Gpu{"gtx480", 1}}) {
    const Program program({config_of(gpu.name)}, true);
    int support = -1;
    REQUIRE(cudaDeviceGetAttribute(&support, kIpcEventSupport, 0) == kSuccess);
    CHECK(support == gpu.support);
    abi::IpcHandle handle = {};
    void* const data = Program::allocate(0, 64, 1);
    CHECK(cudaIpcGetMemHandle(&handle, data) == (support == 1 ? kSuccess : kNotSupported));
    EventHandle event = nullptr;
    CHECK(cudaEventCreateWithFlags(&event, 6) == (support == 1 ? kSuccess : kNotSupported));
  }
}

}  // namespace
}  // namespace warpsim::cuda
