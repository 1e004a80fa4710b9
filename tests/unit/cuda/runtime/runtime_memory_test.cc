// The runtime's memory: allocations, copies, symbols, arrays.
#include "cuda/runtime/runtime_api.h"

#include <catch2/catch.hpp>
#include <cstring>
#include <numeric>
#include <string>
#include <vector>

#include "cuda/calls.h"
#include "support/cuda_program.h"

namespace warpsim::cuda {
namespace {

using test::CudaProgram;
using test::kAnyDirection;
using test::kDeviceToDevice;
using test::kDeviceToHost;
using test::kHostToDevice;

TEST_CASE("bytes are copied to the device and back, and transfers are accounted") {
  CudaProgram program;
  std::vector<int> numbers(100);
  std::iota(numbers.begin(), numbers.end(), 1);
  void* data = nullptr;
  void* copy = nullptr;
  REQUIRE(cudaMalloc(&data, 400) == kSuccess);
  REQUIRE(cudaMalloc(&copy, 400) == kSuccess);
  CHECK(cudaMemcpy(data, numbers.data(), 400, kHostToDevice) == kSuccess);
  CHECK(cudaMemcpy(copy, data, 400, kDeviceToDevice) == kSuccess);
  std::vector<int> back(100);
  CHECK(cudaMemcpy(back.data(), copy, 400, kAnyDirection) == kSuccess);
  CHECK(back == numbers);
  CHECK(program.device->copied_bytes() == 800);
  // Beyond the end, and at addresses outside of device memory.
  CHECK(cudaMemcpy(data, numbers.data(), 401, kHostToDevice) == kInvalidValue);
  CHECK(cudaMemcpy(numbers.data(), back.data(), 8, kDeviceToHost) == kInvalidValue);
  CHECK(cudaMemcpy(data, numbers.data(), 4, 9) == kInvalidCopyDirection);
  CHECK(cudaFree(data) == kSuccess);
  CHECK(cudaFree(data) == kInvalidValue);
  CHECK(cudaFree(nullptr) == kSuccess);
}

TEST_CASE("rows of pitched memory are filled and copied without their gaps") {
  CudaProgram program;
  void* data = nullptr;
  std::size_t pitch = 0;
  REQUIRE(cudaMallocPitch(&data, &pitch, 100, 3) == kSuccess);
  CHECK(pitch == 512);
  CHECK(cudaMemset2D(data, pitch, 7, 100, 3) == kSuccess);
  std::vector<char> rows(300);
  CHECK(cudaMemcpy2D(rows.data(), 100, data, pitch, 100, 3, kDeviceToHost) == kSuccess);
  CHECK(rows == std::vector<char>(300, 7));
  char gap = 1;
  CHECK(cudaMemcpy(&gap, static_cast<char*>(data) + 100, 1, kDeviceToHost) == kSuccess);
  CHECK(gap == 0);
  CHECK(cudaMemcpy2D(rows.data(), 99, data, pitch, 100, 3, kDeviceToHost) == kInvalidPitch);
}

TEST_CASE("pinned memory belongs to the host, managed memory to both") {
  CudaProgram program;
  void* pinned = nullptr;
  void* managed = nullptr;
  REQUIRE(cudaMallocHost(&pinned, 5000) == kSuccess);
  REQUIRE(cudaMallocManaged(&managed, 64, 1) == kSuccess);
  std::memset(pinned, 3, 5000);
  std::memset(managed, 4, 64);
  abi::PointerAttributes attributes = {};
  CHECK(cudaPointerGetAttributes(&attributes, static_cast<char*>(pinned) + 10) == kSuccess);
  CHECK(attributes.type == 1);
  CHECK(attributes.device_pointer == static_cast<char*>(pinned) + 10);
  CHECK(cudaPointerGetAttributes(&attributes, managed) == kSuccess);
  CHECK(attributes.type == 3);
  int local = 0;
  CHECK(cudaPointerGetAttributes(&attributes, &local) == kSuccess);
  CHECK(attributes.type == 0);
  CHECK(cudaFree(pinned) == kInvalidValue);
  CHECK(cudaFreeHost(pinned) == kSuccess);
  CHECK(cudaFree(managed) == kSuccess);
}

TEST_CASE("symbols are found by the address of their host variable") {
  CudaProgram program;
  const int values[2] = {11, 12};
  CHECK(cudaMemcpyToSymbol(&program.counters, values, 8, 8, kHostToDevice) == kSuccess);
  int back[8] = {};
  CHECK(cudaMemcpyFromSymbol(back, &program.counters, 32, 0, kDeviceToHost) == kSuccess);
  CHECK(back[2] == 11);
  CHECK(back[3] == 12);
  std::size_t bytes = 0;
  CHECK(cudaGetSymbolSize(&bytes, &program.counters) == kSuccess);
  CHECK(bytes == 32);
  CHECK(cudaMemcpyToSymbol(&program.counters, values, 8, 28, kHostToDevice) == kInvalidValue);
  CHECK(cudaGetSymbolSize(&bytes, &bytes) == kInvalidSymbol);
}

TEST_CASE("a managed variable has its address on the host when the module is ready") {
  CudaProgram program;
  CHECK(__cudaInitModule(program.module) == 1);
  REQUIRE(program.shared_counter != nullptr);
  *static_cast<std::uint32_t*>(program.shared_counter) = 5;
}

TEST_CASE("a mipmapped array has levels of half the size, in one allocation") {
  CudaProgram program;
  const abi::ChannelFormat format = cudaCreateChannelDesc(32, 0, 0, 0, 2);
  ArrayHandle array = nullptr;
  CHECK(cudaMallocMipmappedArray(&array, &format, {16, 4, 0}, 0, 0) == kInvalidValue);
  REQUIRE(cudaMallocMipmappedArray(&array, &format, {16, 4, 0}, 9, 0) == kSuccess);
  ArrayHandle level = nullptr;
  REQUIRE(cudaGetMipmappedArrayLevel(&level, array, 4) == kSuccess);  // 16, 8, 4, 2, 1
  CHECK(cudaGetMipmappedArrayLevel(&level, array, 5) == kInvalidValue);
  REQUIRE(cudaGetMipmappedArrayLevel(&level, array, 3) == kSuccess);
  abi::Extent extent = {};
  REQUIRE(cudaArrayGetInfo(nullptr, &extent, nullptr, level) == kSuccess);
  CHECK(extent.width == 2);
  CHECK(extent.height == 1);
  CHECK(extent.depth == 0);
  abi::ResourceDescription resource = {};
  resource.type = 1;
  resource.resource.array = level;
  abi::TextureDescription description = {};
  description.mipmap_filter_mode = 1;
  description.mipmap_most = 3;
  std::uint64_t object = 0;
  CHECK(cudaCreateTextureObject(&object, &resource, &description, nullptr) == kInvalidHandle);
  resource.resource.array = array;
  REQUIRE(cudaCreateTextureObject(&object, &resource, &description, nullptr) == kSuccess);
  const cuda::TextureDescription& t = program.device->textures.at(0);
  CHECK(t.normalized_coordinates);
  CHECK(t.blends_levels);
  CHECK(t.most_level == 3);
  REQUIRE(t.smaller.size() == 4);
  CHECK(t.smaller[0].width == 8);
  CHECK(t.smaller[0].data > t.data);
  CHECK(cudaFreeMipmappedArray(array) == kSuccess);
  CHECK(cudaGetMipmappedArrayLevel(&level, array, 0) == kInvalidHandle);
}

TEST_CASE("a texture of an array keeps its shape, format and modes") {
  CudaProgram program;
  const abi::ChannelFormat format = cudaCreateChannelDesc(8, 8, 8, 8, 1);
  ArrayHandle array = nullptr;
  REQUIRE(cudaMallocArray(&array, &format, 16, 4, 0) == kSuccess);
  std::vector<char> texels(16 * 4 * 4, 9);
  CHECK(cudaMemcpy2DToArray(array, 0, 0, texels.data(), 64, 64, 4, kHostToDevice) == kSuccess);
  CHECK(cudaMemcpy2DToArray(array, 4, 0, texels.data(), 64, 64, 4, kHostToDevice) == kInvalidValue);
  abi::ResourceDescription resource = {};
  resource.resource.array = array;
  abi::TextureDescription description = {};
  description.address_mode[0] = 1;
  description.filter_mode = 1;
  description.read_mode = 1;
  std::uint64_t object = 0;
  REQUIRE(cudaCreateTextureObject(&object, &resource, &description, nullptr) == kSuccess);
  CHECK(object != 0);
  const cuda::TextureDescription& t = program.device->textures.at(0);
  CHECK(t.shape == cuda::TextureDescription::Shape::kArray2d);
  CHECK(t.width == 16);
  CHECK(t.height == 4);
  CHECK(t.channels == 4);
  CHECK(t.channel_bits == 8);
  CHECK(t.linear_filter);
  CHECK(t.normalized_values);
  CHECK(t.address_mode[0] == cuda::TextureDescription::AddressMode::kClamp);
  CHECK(t.address_mode[1] == cuda::TextureDescription::AddressMode::kWrap);
  // Integers cannot be interpolated.
  description.read_mode = 0;
  CHECK(cudaCreateTextureObject(&object, &resource, &description, nullptr) == kInvalidValue);
  CHECK(cudaFreeArray(array) == kSuccess);
}

}  // namespace
}  // namespace warpsim::cuda
