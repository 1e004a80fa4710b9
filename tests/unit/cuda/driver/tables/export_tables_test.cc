// The driver's tables that NVIDIA's runtime and libraries request by number.
#include "cuda/driver/tables/export_tables.h"

#include <catch2/catch.hpp>
#include <cstdint>
#include <vector>

#include "cuda/calls.h"
#include "cuda/driver/driver_api.h"
#include "cuda/driver/driver_contexts.h"
#include "support/cuda_program.h"

namespace warpsim::cuda {
namespace {

using test::CudaProgram;
using test::kProgramPtx;

constexpr abi::Uuid kRuntime = {{0x6b, char(0xd5), char(0xfb), 0x6c, 0x5b, char(0xf4), char(0xe7), 0x4a, char(0x89),
                                 char(0x87), char(0xd9), 0x39, 0x12, char(0xfd), char(0x9d), char(0xf9)}};
constexpr abi::Uuid kStorage = {{char(0xc6), char(0x93), 0x33, 0x6e, 0x11, 0x21, char(0xdf), 0x11, char(0xa8),
                                 char(0xc3), 0x68, char(0xf3), 0x55, char(0xd8), char(0x95), char(0x93)}};
constexpr abi::Uuid kKernels = {{0x6e, 0x16, 0x3f, char(0xbe), char(0xb9), 0x58, 0x44, 0x4d, char(0x83), 0x5c,
                                 char(0xe1), char(0x82), char(0xaf), char(0xf1), char(0x99), 0x1e}};
constexpr abi::Uuid kThreads = {{0x42, char(0xd8), 0x5a, char(0x81), 0x23, char(0xf6), char(0xcb), 0x47, char(0x82),
                                 char(0x98), char(0xf6), char(0xe7), char(0x8a), 0x3a, char(0xec), char(0xdc)}};

const std::uintptr_t* words(const abi::Uuid& id) {
  const void* table = nullptr;
  REQUIRE(cuGetExportTable(&table, &id) == kSuccess);
  return static_cast<const std::uintptr_t*>(table);
}
template <class Function>
Function entry(const abi::Uuid& id, std::size_t index) {
  return reinterpret_cast<Function>(words(id)[index]);  // NOLINT(performance-no-int-to-ptr): an entry
}

TEST_CASE("export tables: the runtime's table begins with its size") {
  CudaProgram program;
  CHECK(words(kRuntime)[0] == 13 * sizeof(void*));
  CHECK(export_table(kRuntime) == words(kRuntime));
}

TEST_CASE("export tables: an unknown number fails") {
  CudaProgram program;
  const abi::Uuid unknown = {{1, 2, 3}};
  const void* table = &program;
  CHECK(cuGetExportTable(&table, &unknown) == kInvalidValue);
  CHECK(table == nullptr);
}

TEST_CASE("export tables: an entry that is not known is refused") {
  CudaProgram program;
  CHECK(entry<int (*)()>(kRuntime, 3)() == driver_code(kNotSupported));
}

TEST_CASE("export tables: values of a context are kept until it is reset") {
  CudaProgram program;
  using Put = int (*)(void*, void*, void*, ContextStorage::WhenGone);
  using Erase = int (*)(void*, void*);
  using Get = int (*)(void**, void*, void*);
  int key = 0;
  static int gone = 0;
  gone = 0;
  void* value = nullptr;
  void* context = nullptr;
  REQUIRE(cuCtxPopCurrent_v2(&context) == kSuccess);
  CHECK(entry<Get>(kStorage, 2)(&value, nullptr, &key) == kInvalidContext);
  REQUIRE(cuCtxCreate_v2(&context, 0, 0) == kSuccess);
  CHECK(entry<Get>(kStorage, 2)(&value, nullptr, &key) == driver_code(kInvalidHandle));
  CHECK(entry<Put>(kStorage, 0)(nullptr, &key, &gone, [](void*, void*, void*) { ++gone; }) == kSuccess);
  CHECK(entry<Get>(kStorage, 2)(&value, context, &key) == kSuccess);
  CHECK(value == &gone);
  CHECK(cuDevicePrimaryCtxReset_v2(0) == kSuccess);
  CHECK(gone == 1);
  CHECK(entry<Erase>(kStorage, 1)(context, &key) == driver_code(kInvalidHandle));
  CHECK(cuCtxDestroy_v2(context) == kSuccess);
}

TEST_CASE("export tables: the current context, and the kernels of a module") {
  CudaProgram program;
  void* context = nullptr;
  REQUIRE(cuCtxCreate_v2(&context, 0, 0) == kSuccess);
  void* current = nullptr;
  CHECK(entry<int (*)(void**)>(kThreads, 2)(&current) == kSuccess);
  CHECK(current == context);
  CHECK(gpu_of_context(process_context(), current) == 0);
  ModuleHandle module = nullptr;
  REQUIRE(cuModuleLoadData(&module, kProgramPtx) == kSuccess);
  std::vector<KernelHandle> found;
  const auto take = [](void* data, KernelHandle kernel) {
    static_cast<std::vector<KernelHandle>*>(data)->push_back(kernel);
  };
  using Each = int (*)(void*, ModuleHandle, void (*)(void*, KernelHandle), void*);
  CHECK(entry<Each>(kKernels, 7)(context, module, take, &found) == 1);
  unsigned count = 0;
  CHECK(cuModuleGetFunctionCount(&count, module) == kSuccess);
  CHECK(found.size() == count);
  CHECK(count != 0);
  CHECK(cuCtxDestroy_v2(context) == kSuccess);
}

}  // namespace
}  // namespace warpsim::cuda
