// Functions of linked cubins: calls through pointers, recursion, pointers that kernels hand on, null pointers
// (tests/data/sass/cubins/functions.cu).
#include <catch2/catch.hpp>
#include <cstring>
#include <string>
#include <vector>

#include "emulator/code/kernel_image.h"
#include "emulator/code/module_image.h"
#include "emulator/execution/fault.h"
#include "emulator/execution/grid_execution.h"
#include "emulator/machine_code/cubin_module.h"
#include "emulator/memory/device_memory.h"
#include "unit/sass/cubin_file.h"

using namespace warpsim;
using sass::test::bytes_of;
using sass::test::load_cubin;

namespace {

constexpr std::uint32_t kThreads = 9;

struct LoadedFunctions {
  explicit LoadedFunctions(const std::string& file)
      : bytes(load_cubin(file)), module(module_of_cubin(bytes_of(bytes), file), memory) {}

  // Parameters of 8 bytes each, as far as the kernel has them. `stack_bytes`: of a thread, beyond what it needs at
  // least.
  void launch(const std::string& name, std::vector<std::uint64_t> parameters, std::uint32_t threads,
              std::uint32_t stack_bytes = 1024) {
    const auto* const function = module.module().find_function(name);
    REQUIRE(function != nullptr);
    const KernelImage kernel(module, static_cast<std::uint32_t>(function - module.module().functions.data()));
    LaunchContext launch;
    launch.kernel = &kernel;
    launch.memory = &memory;
    launch.grid = {1, 1, 1};
    launch.cluster = {1, 1, 1};
    launch.block = {threads, 1, 1};
    launch.parameters.resize(kernel.parameter_bytes());
    REQUIRE(launch.parameters.size() <= 8 * parameters.size());
    std::memcpy(launch.parameters.data(), parameters.data(), launch.parameters.size());
    grows = kernel.takes_stack();
    execute_grid(launch, {.resident_blocks = 1, .local_bytes = kernel.local_bytes() + (grows ? stack_bytes : 0)});
  }
  std::vector<std::int32_t> values(Address at) {
    std::vector<std::int32_t> result(kThreads);
    std::memcpy(result.data(), memory.host(at, 4 * kThreads), 4 * kThreads);
    return result;
  }

  static constexpr std::uint64_t kCapacity = std::uint64_t{1} << 20U;
  DeviceMemory memory{kCapacity};
  std::string bytes;
  ModuleImage module;
  bool grows = false;
};

}  // namespace

TEST_CASE("cubin functions: threads call different functions through pointers", "[machine_code]") {
  const auto* const file = GENERATE("functions.sm_75.cubin", "functions.sm_90.cubin", "functions_unit.sm_90.cubin");
  CAPTURE(file);
  LoadedFunctions loaded(file);
  REQUIRE(loaded.module.module().kernel_source->refusal().empty());
  const Address values = loaded.memory.allocate(4 * kThreads);
  loaded.launch("call", {values, 0}, kThreads);
  // x + 1, 3 x, the x-th Fibonacci number in turn.
  CHECK(loaded.values(values) == std::vector<std::int32_t>{1, 3, 1, 4, 12, 5, 7, 21, 21});
  CHECK(loaded.grows);
}

TEST_CASE("cubin functions: constants hold addresses of functions", "[machine_code]") {
  const auto* const file = GENERATE("functions.sm_75.cubin", "functions.sm_90.cubin", "functions_unit.sm_90.cubin");
  CAPTURE(file);
  LoadedFunctions loaded(file);
  const Address values = loaded.memory.allocate(4 * kThreads);
  loaded.launch("call_constant", {values}, kThreads);
  // 3 x and x + 1 in turn.
  CHECK(loaded.values(values) == std::vector<std::int32_t>{0, 2, 6, 4, 12, 6, 18, 8, 24});
}

TEST_CASE("cubin functions: a call of a null pointer is a fault", "[machine_code]") {
  const auto* const file = GENERATE("functions.sm_75.cubin", "functions.sm_90.cubin", "functions_unit.sm_90.cubin");
  CAPTURE(file);
  LoadedFunctions loaded(file);
  const Address values = loaded.memory.allocate(4 * kThreads);
  CHECK_THROWS_WITH(loaded.launch("call", {values, 3}, 1),
                    Catch::Contains("jumped to an address that no instruction has"));
}

TEST_CASE("cubin functions: kernels hand pointers to functions to each other", "[machine_code]") {
  const auto* const file = GENERATE("functions.sm_75.cubin", "functions.sm_90.cubin", "functions_unit.sm_90.cubin");
  CAPTURE(file);
  LoadedFunctions loaded(file);
  const Address values = loaded.memory.allocate(4 * kThreads);
  const Address pointer = loaded.memory.allocate(8);
  loaded.launch("name", {pointer}, 1);
  CHECK_FALSE(loaded.grows);
  loaded.launch("call_pointer", {values, pointer}, kThreads);
  CHECK(loaded.values(values) == std::vector<std::int32_t>{0, 3, 6, 9, 12, 15, 18, 21, 24});
}

TEST_CASE("cubin functions: a recursion that is deeper than the stack is a fault", "[machine_code]") {
  LoadedFunctions loaded("functions.sm_90.cubin");
  const Address values = loaded.memory.allocate(4 * kThreads);
  CHECK_THROWS_AS(loaded.launch("call", {values, 0}, kThreads, 64), KernelFault);
}

TEST_CASE("cubin: faults name the line of the source", "[machine_code]") {
  const auto* const file = GENERATE("lines.sm_75.cubin", "lines_unit.sm_90.cubin");
  CAPTURE(file);
  LoadedFunctions loaded(file);
  const Address values = loaded.memory.allocate(4 * kThreads);
  CHECK_THROWS_WITH(
      loaded.launch("store", {values, 6}, 1),
      Catch::StartsWith(std::string(file) + ":") && Catch::Contains(" (/source/lines.cu:19): kernel store:"));
  CHECK(loaded.values(values)[0] == 2);
}
