// A program that maps memory itself, by the driver's functions, with kernels that use it.
#pragma once

#include <catch2/catch.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "cuda/calls.h"
#include "cuda/current_device.h"
#include "cuda/device/simulated_system.h"
#include "cuda/driver/driver_api.h"
#include "cuda/driver/virtual_memory_api.h"

namespace warpsim::test {

// data[i] += 1; of one thread for each word. And a copy of 4 bytes.
inline constexpr const char* kVirtualKernels = R"(.version 8.0
.target sm_60
.address_size 64
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
.visible .entry copy_word(.param .u64 target, .param .u64 source) {
  .reg .b32 %r<2>; .reg .b64 %q<3>;
  ld.param.u64 %q1, [target];
  ld.param.u64 %q2, [source];
  ld.global.u32 %r1, [%q2];
  st.global.u32 [%q1], %r1;
  ret;
}
)";

inline cuda::abi::AllocationProperties memory_properties(int location = cuda::abi::MemoryLocation::kDevice, int id = 0,
                                                         int handle_types = 0) {
  cuda::abi::AllocationProperties properties = {};
  properties.type = cuda::abi::kPinned;
  properties.location = {location, id};
  properties.handle_types = handle_types;
  return properties;
}

struct VirtualProgram {
  explicit VirtualProgram(std::size_t gpus = 1, bool timed = false) {
    cuda::DeviceOptions options;
    options.functional_only = !timed;
    const std::vector<std::string> names(gpus, WARPSIM_SOURCE_DIR "/configs/test_tiny.yaml");
    cuda::process_context().use_devices(cuda::make_devices(names, options));
    cuda::enter_primary_context();
    REQUIRE(cuModuleLoadData(&module, kVirtualKernels) == 0);
    REQUIRE(cuModuleGetFunction(&increment, module, "increment") == 0);
    REQUIRE(cuModuleGetFunction(&copy_word, module, "copy_word") == 0);
  }
  ~VirtualProgram() {
    cuda::process_context().use_device(nullptr);
    cuda::process_context().forget_errors();
  }
  VirtualProgram(const VirtualProgram&) = delete;
  VirtualProgram& operator=(const VirtualProgram&) = delete;

  static std::uint64_t create(std::uint64_t bytes,
                              const cuda::abi::AllocationProperties& properties = memory_properties()) {
    std::uint64_t handle = 0;
    REQUIRE(cuMemCreate(&handle, bytes, &properties, 0) == 0);
    return handle;
  }
  static std::uint64_t reserve(std::uint64_t bytes, std::uint64_t wanted = 0) {
    std::uint64_t address = 0;
    REQUIRE(cuMemAddressReserve(&address, bytes, 0, wanted, 0) == 0);
    return address;
  }
  static int open(std::uint64_t address, std::uint64_t bytes, int gpu = 0, int flags = cuda::abi::kReadWriteAccess) {
    const cuda::abi::AccessDescription access = {{cuda::abi::MemoryLocation::kDevice, gpu}, flags};
    return cuMemSetAccess(address, bytes, &access, 1);
  }
  static std::uint64_t used() {
    std::size_t free = 0;
    std::size_t total = 0;
    REQUIRE(cuMemGetInfo_v2(&free, &total) == 0);
    return total - free;
  }
  int run_increment(std::uint64_t data) {
    void* arguments[] = {&data};
    const int code = cuLaunchKernel(increment, 1, 1, 1, 32, 1, 1, 0, nullptr, arguments, nullptr);
    return code != 0 ? code : cuCtxSynchronize();
  }

  cuda::ModuleHandle module = nullptr;
  cuda::KernelHandle increment = nullptr;
  cuda::KernelHandle copy_word = nullptr;
};

}  // namespace warpsim::test
