// Texture references of the runtime and the driver, and code that the driver links.
#include <catch2/catch.hpp>
#include <cstring>
#include <string>

#include "cuda/current_device.h"
#include "cuda/device/simulated_device.h"
#include "cuda/driver/driver_api.h"
#include "cuda/memory/memory_calls.h"
#include "cuda/memory/textures.h"
#include "cuda/modules/code_images.h"
#include "emulator/memory/tensor_map.h"
#include "support/cuda_program.h"

namespace warpsim::cuda {
namespace {

using test::CudaProgram;

constexpr const char* kCode = R"(.version 8.0
.target sm_70
.address_size 64
.global .texref colours;
.global .surfref plane;
.visible .entry fetch(.param .u64 out) {
.reg .b32 %r<8>; .reg .b64 %q; .reg .f32 %f<2>;
ld.param.u64 %q, [out];
mov.u32 %r0, %tid.x; cvt.rn.f32.u32 %f0, %r0; mov.f32 %f1, 0f3f800000;
tex.2d.v4.u32.f32 {%r1, %r2, %r3, %r4}, [colours, {%f0, %f1}];
mul.wide.u32 %q, %r0, 4; ld.param.u64 %q, [out]; mad.wide.u32 %q, %r0, 4, %q;
st.global.u32 [%q], %r1;
shl.b32 %r0, %r0, 2; sust.b.2d.b32.trap [plane, {%r0, 0}], {%r1};
ret; }
)";

// The real device of the process's context.
struct RealDevice {
  RealDevice() {
    process_context().use_device(std::make_unique<SimulatedDevice>(WARPSIM_SOURCE_DIR "/configs/h200.yaml",
                                                                   DeviceOptions{.functional_only = true}));
    enter_primary_context();
  }
  ~RealDevice() { process_context().use_device(nullptr); }
};

TEST_CASE("the driver binds arrays to texture and surface references") {
  const RealDevice device;
  ModuleHandle module = nullptr;
  REQUIRE(cuModuleLoadData(&module, kCode) == 0);
  const abi::ArrayDescriptor descriptor = {4, 2, 0x03, 1};  // of unsigned words
  ArrayHandle array = nullptr;
  REQUIRE(cuArrayCreate_v2(&array, &descriptor) == 0);
  const std::uint32_t texels[8] = {1, 2, 3, 4, 11, 12, 13, 14};
  REQUIRE(cudaMemcpy2DToArray(array, 0, 0, texels, 16, 16, 2, test::kHostToDevice) == 0);
  void* texture = nullptr;
  void* surface = nullptr;
  REQUIRE(cuModuleGetTexRef(&texture, module, "colours") == 0);
  REQUIRE(cuModuleGetSurfRef(&surface, module, "plane") == 0);
  CHECK(cuModuleGetTexRef(&texture, module, "missing") != 0);
  void* again = nullptr;
  REQUIRE(cuModuleGetTexRef(&again, module, "colours") == 0);
  CHECK(again == texture);
  CHECK(cuTexRefSetFlags(texture, 0x01) == 0);  // as integers
  CHECK(cuTexRefSetAddressMode(texture, 0, 3) == 0);
  REQUIRE(cuTexRefSetArray(texture, array, 0x01) == 0);
  REQUIRE(cuSurfRefSetArray(surface, array, 0) == 0);
  KernelHandle kernel = nullptr;
  REQUIRE(cuModuleGetFunction(&kernel, module, "fetch") == 0);
  std::uint64_t out = 0;
  REQUIRE(cuMemAlloc_v2(&out, 64) == 0);
  void* arguments[] = {&out};
  REQUIRE(cuLaunchKernel(kernel, 1, 1, 1, 4, 1, 1, 0, nullptr, arguments, nullptr) == 0);
  std::uint32_t got[8] = {};
  REQUIRE(cuMemcpyDtoH_v2(got, out, 16) == 0);
  CHECK(got[0] == 11);
  CHECK(got[3] == 14);
  // The surface wrote them in its first row.
  REQUIRE(cudaMemcpy2DFromArray(got, 16, array, 0, 0, 16, 2, test::kDeviceToHost) == 0);
  CHECK(got[1] == 12);
  CHECK(got[5] == 12);
  // The mode of the first dimension is that of the border from here on.
  REQUIRE(cuTexRefSetAddressMode(texture, 1, 3) == 0);
  CHECK(cuTexRefSetAddressMode(texture, 3, 0) != 0);
}

TEST_CASE("the runtime binds memory to the texture reference of a program") {
  CudaProgram program;
  abi::TextureReference host = {};
  host.filter_mode = 0;
  host.address_mode[1] = 2;
  __cudaRegisterTexture(program.module, &host, nullptr, "counters", 1, 0, 0);
  void* data = nullptr;
  REQUIRE(cudaMalloc(&data, 100) == kSuccess);
  const abi::ChannelFormat format = cudaCreateChannelDesc(32, 0, 0, 0, 2);
  std::size_t offset = 5;
  // The variable of the fake has 32 bytes; a real one has the size of an object.
  CHECK(cudaBindTexture(&offset, &host, data, &format, 100) == kInvalidSymbol);
  CHECK(cudaBindTexture(&offset, &format == nullptr ? nullptr : &host + 1, data, &format, 100) == kInvalidTexture);
  const abi::TextureReference* found = nullptr;
  CHECK(cudaGetTextureReference(&found, &host) == kSuccess);
  CHECK(found == &host);
  CHECK(program.device->textures.at(0).width == 25);
  CHECK(program.device->textures.at(0).address_mode[1] == TextureDescription::AddressMode::kMirror);
}

TEST_CASE("the driver links PTX into one image") {
  const RealDevice device;
  const std::string head = ".version 8.0\n.target sm_70\n.address_size 64\n";
  const std::string caller = head +
                             ".extern .func (.param .b32 r) seven();\n.visible .entry call_it(.param .u64 out) {\n"
                             ".reg .b32 %r; .reg .b64 %q; .param .b32 x;\ncall (x), seven;\nld.param.u32 %r, [x];\n"
                             "ld.param.u64 %q, [out]; st.global.u32 [%q], %r; ret; }\n";
  const std::string callee =
      head + ".visible .func (.param .b32 r) seven() { .reg .b32 %r; mov.u32 %r, 7; st.param.b32 [r], %r; ret; }\n";
  void* state = nullptr;
  REQUIRE(cuLinkCreate_v2(0, nullptr, nullptr, &state) == 0);
  REQUIRE(cuLinkAddData_v2(state, 1, caller.c_str(), caller.size() + 1, "caller", 0, nullptr, nullptr) == 0);
  CHECK(cuLinkAddData_v2(state, 0, caller.c_str(), caller.size(), "machine code", 0, nullptr, nullptr) != 0);
  REQUIRE(cuLinkAddData_v2(state, 1, callee.c_str(), callee.size(), "callee", 0, nullptr, nullptr) == 0);
  void* image = nullptr;
  std::size_t bytes = 0;
  REQUIRE(cuLinkComplete(state, &image, &bytes) == 0);
  CHECK(std::string(static_cast<char*>(image), bytes) == linked_image({caller, callee}));
  ModuleHandle module = nullptr;
  REQUIRE(cuModuleLoadData(&module, image) == 0);
  CHECK(cuLinkDestroy(state) == 0);
  CHECK(cuLinkDestroy(state) != 0);
  KernelHandle kernel = nullptr;
  REQUIRE(cuModuleGetFunction(&kernel, module, "call_it") == 0);
  std::uint64_t out = 0;
  REQUIRE(cuMemAlloc_v2(&out, 4) == 0);
  void* arguments[] = {&out};
  REQUIRE(cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr) == 0);
  std::uint32_t got = 0;
  REQUIRE(cuMemcpyDtoH_v2(&got, out, 4) == 0);
  CHECK(got == 7);
}

TEST_CASE("tensor maps are refused if they are contradictory") {
  const RealDevice device;
  alignas(64) std::byte map[kTensorMapBytes];
  const std::uint64_t size[] = {100, 7};
  const std::uint64_t stride[] = {256};
  const std::uint32_t steps[] = {1, 1};
  const auto encode = [&](std::uint32_t columns, int swizzle, std::uint64_t distance, std::uintptr_t data) {
    const std::uint32_t box[] = {columns, 4};
    const std::uint64_t distances[] = {distance};
    // NOLINTNEXTLINE(performance-no-int-to-ptr): an address of the device
    return cuTensorMapEncodeTiled(map, 6, 2, reinterpret_cast<void*>(data), size, distances, box, steps, 0, swizzle, 0,
                                  0);
  };
  REQUIRE(encode(32, 2, stride[0], 0x1000) == 0);
  TensorMap read;
  REQUIRE(read.decode(map));
  CHECK(read.type == TensorType::kF16);
  CHECK(read.size[0] == 100);
  CHECK(read.stride[1] == 256);
  CHECK(read.swizzle == 2);
  CHECK(cuTensorMapReplaceAddress(map, reinterpret_cast<void*>(std::uintptr_t{0x2000})) == 0);
  REQUIRE(read.decode(map));
  CHECK(read.address == 0x2000);
  CHECK(encode(33, 0, 256, 0x1000) != 0);  // rows of 66 bytes
  CHECK(encode(64, 2, 256, 0x1000) != 0);  // wider than the swizzle
  CHECK(encode(32, 2, 250, 0x1000) != 0);  // rows that are not aligned
  CHECK(encode(32, 2, 256, 0x1008) != 0);
  CHECK(encode(257, 0, 256, 0x1000) != 0);
}

TEST_CASE("tensor maps of columns have a bounding box and a number of pixels") {
  const RealDevice device;
  alignas(64) std::byte map[kTensorMapBytes];
  const std::uint64_t size[] = {64, 9, 14, 3};
  const std::uint64_t stride[] = {128, 1152, 16128};
  const std::uint32_t steps[] = {1, 1, 2, 1};
  const auto encode = [&](unsigned dimensions, int corner, unsigned pixels) {
    const int lower[] = {corner, -2, 0};
    const int upper[] = {1, corner, 0};
    // NOLINTNEXTLINE(performance-no-int-to-ptr): an address of the device
    return cuTensorMapEncodeIm2col(map, 6, dimensions, reinterpret_cast<void*>(0x1000), size, stride, lower, upper, 64,
                                   pixels, steps, 0, 3, 0, 0);
  };
  REQUIRE(encode(4, -1, 100) == 0);
  TensorMap read;
  REQUIRE(read.decode(map));
  CHECK(read.in_columns);
  CHECK(read.pixels == 100);
  CHECK(read.lower[1] == -1);
  CHECK(read.lower[2] == -2);
  CHECK(read.upper[1] == 1);
  CHECK(read.upper[2] == -1);
  CHECK(read.element_stride[2] == 2);
  CHECK(read.box_bytes() == 64 * 2 * 100);
  CHECK(encode(2, -1, 100) != 0);
  CHECK(encode(4, -129, 100) != 0);  // corners have 8 bits
  CHECK(encode(4, -1, 1025) != 0);
}

}  // namespace
}  // namespace warpsim::cuda
