// A program with kernels and variables, registered with the CUDA runtime on a fake device like by compilers.
#pragma once

#include <memory>
#include <string>

#include "config/config_tree.h"
#include "cuda/context.h"
#include "cuda/current_device.h"
#include "cuda/runtime/runtime_api.h"
#include "support/fake_device.h"
#include "support/fat_binary_text.h"

namespace warpsim::test {

inline constexpr int kHostToDevice = 1;
inline constexpr int kDeviceToHost = 2;
inline constexpr int kDeviceToDevice = 3;
inline constexpr int kAnyDirection = 4;
inline constexpr const char* kProgramPtx = R"(.version 8.0
.target sm_70
.address_size 64
.global .align 4 .u32 counters[8];
.global .attribute(.managed) .align 4 .u32 shared_counter;
.visible .entry scale(.param .u64 data, .param .f32 factor, .param .u32 count) { ret; }
.visible .entry packed(.param .u8 flag, .param .align 8 .b8 pair[16]) { ret; }
)";

// A program with one fat binary that holds kProgramPtx, registered like by compilers.
class CudaProgram {
 public:
  CudaProgram() {
    auto made =
        std::make_unique<FakeDevice>(ConfigTree::load(WARPSIM_SOURCE_DIR "/configs/h200.yaml", {}).read<GpuConfig>());
    device = made.get();
    cuda::process_context().use_device(std::move(made));
    cuda::enter_primary_context();
    cudaGetLastError();
    module = __cudaRegisterFatBinary(&wrapper_);
    __cudaRegisterFunction(module, &scale_stub, nullptr, "scale", -1, nullptr, nullptr, nullptr, nullptr, nullptr);
    __cudaRegisterFunction(module, &packed_stub, nullptr, "packed", -1, nullptr, nullptr, nullptr, nullptr, nullptr);
    __cudaRegisterVar(module, &counters, nullptr, "counters", 0, 32, 0, 0);
    __cudaRegisterManagedVar(module, &shared_counter, nullptr, "shared_counter", 0, 4, 0, 0);
    __cudaRegisterFatBinaryEnd(module);
  }
  ~CudaProgram() {
    __cudaUnregisterFatBinary(module);
    cuda::process_context().use_device(nullptr);
  }
  CudaProgram(const CudaProgram&) = delete;
  CudaProgram& operator=(const CudaProgram&) = delete;

  FakeDevice* device = nullptr;
  void** module = nullptr;
  char scale_stub = 0;
  char packed_stub = 0;
  char counters = 0;
  void* shared_counter = nullptr;

  // Like `scale<<<grid, block>>>(...)`.
  int launch_scale(std::uint64_t data, float factor, std::uint32_t count, cuda::abi::Dim3 grid = {4, 1, 1},
                   cuda::abi::Dim3 block = {128, 1, 1}) {
    __cudaPushCallConfiguration(grid, block, 64, nullptr);
    cuda::abi::Dim3 popped_grid = {};
    cuda::abi::Dim3 popped_block = {};
    std::size_t shared = 0;
    cuda::StreamHandle stream = nullptr;
    __cudaPopCallConfiguration(&popped_grid, &popped_block, &shared, &stream);
    void* arguments[] = {&data, &factor, &count};
    return cudaLaunchKernel(&scale_stub, popped_grid, popped_block, arguments, shared, stream);
  }

 private:
  std::string container_ = fat_binary_of(kProgramPtx);
  cuda::abi::FatBinaryWrapper wrapper_ = wrapper_of(container_);
};

}  // namespace warpsim::test
