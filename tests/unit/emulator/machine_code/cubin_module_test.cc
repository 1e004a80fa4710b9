// Cubins as modules that are executed: the kernels of tests/data/sass/cubins/program.cu.
#include "emulator/machine_code/cubin_module.h"

#include <catch2/catch.hpp>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#include "emulator/code/kernel_image.h"
#include "emulator/code/module_image.h"
#include "emulator/execution/grid_execution.h"
#include "emulator/memory/device_memory.h"
#include "unit/sass/cubin_file.h"

using namespace warpsim;
using Catch::Matchers::Contains;
using sass::test::bytes_of;
using sass::test::load_cubin;

namespace {

// In linked code, the function that is called has a section of its own. Relocatable code is linked when it is loaded.
constexpr const char* kPrograms[] = {"program.sm_75.cubin",    "program.sm_80.cubin", "program.sm_90.cubin",
                                     "linked.sm_75.cubin",     "linked.sm_90.cubin",  "relocatable.sm_75.cubin",
                                     "relocatable.sm_90.cubin"};

// The parameters of `steps`: values, a pair, the step.
struct StepParameters {
  Address values;
  std::int32_t first;
  std::int32_t padding;
  double second;
  char step;
};

Address address_named(const ModuleImage& module, const std::string& name) {
  const auto& variables = module.module().variables;
  for (std::size_t i = 0; i < variables.size(); ++i) {
    if (variables[i].name == name) {
      return module.address_of(static_cast<std::uint32_t>(i));
    }
  }
  throw std::runtime_error("no variable " + name);
}

// What the first thread of `steps` stores in zeros[3], for 8 values 100, 101, ...
std::int32_t stored_by_steps(const std::string& file, char step) {
  constexpr std::uint64_t kCapacity = std::uint64_t{1} << 20U;
  const std::string bytes = load_cubin(file);
  DeviceMemory memory(kCapacity);
  const ModuleImage module(module_of_cubin(bytes_of(bytes), file), memory);
  const auto* const function = module.module().find_function("steps");
  REQUIRE(function != nullptr);
  const KernelImage kernel(module, static_cast<std::uint32_t>(function - module.module().functions.data()));
  const StepParameters parameters = {memory.allocate(32), 58, 0, 0.5, step};
  for (std::int32_t i = 0; i < 8; ++i) {
    const std::int32_t value = 100 + i;
    std::memcpy(memory.host(parameters.values + 4 * static_cast<Address>(i), 4), &value, sizeof value);
  }
  // As by cudaMemcpyToSymbol: `middle` points to zeros[3].
  const Address stored_at = address_named(module, "zeros") + 12;
  std::memcpy(memory.host(address_named(module, "middle"), sizeof stored_at), &stored_at, sizeof stored_at);
  LaunchContext launch;
  launch.kernel = &kernel;
  launch.memory = &memory;
  launch.grid = {1, 1, 1};
  launch.cluster = {1, 1, 1};
  launch.block = {1, 1, 1};
  launch.parameters.resize(kernel.parameter_bytes());
  REQUIRE(launch.parameters.size() == 25);
  std::memcpy(launch.parameters.data(), &parameters, launch.parameters.size());
  execute_grid(launch, {});
  std::int32_t stored = 0;
  std::memcpy(&stored, memory.host(stored_at, sizeof stored), sizeof stored);
  return stored;
}

std::string refusal_of(const std::string& file) {
  const std::string bytes = load_cubin(file);
  return module_of_cubin(bytes_of(bytes), file)->kernel_source->refusal();
}

}  // namespace

TEST_CASE("cubin: jump tables, calls, variables and constants of a kernel work", "[machine_code]") {
  const auto* const file =
      GENERATE(kPrograms[0], kPrograms[1], kPrograms[2], kPrograms[3], kPrograms[4], kPrograms[5], kPrograms[6]);
  CAPTURE(file);
  CHECK(stored_by_steps(file, 0) == 100 / 3);
  CHECK(stored_by_steps(file, 2) == 100 + 107);
  // triple(): value * 3 + counter, which is 7 initially.
  CHECK(stored_by_steps(file, 3) == 307);
  // weights[100 & 3] is 10.
  CHECK(stored_by_steps(file, 4) == 1000);
  CHECK(stored_by_steps(file, 5) == 100 - 58);
  // Other steps leave the value.
  CHECK(stored_by_steps(file, 6) == 100);
  CHECK(stored_by_steps(file, -1) == 100);
}

TEST_CASE("cubin: kernels have their registers, parameters and shared memory", "[machine_code]") {
  const std::string bytes = load_cubin("program.sm_75.cubin");
  const sass::Cubin cubin(bytes_of(bytes), "program.sm_75.cubin");
  const MachineModule module = machine_module_of(cubin);
  CHECK(module.architecture == 75);
  REQUIRE(module.kernels.size() == 2);
  const MachineKernel& steps = module.kernels[module.kernels[0].name == "steps" ? 0 : 1];
  const MachineKernel& report = module.kernels[module.kernels[0].name == "steps" ? 1 : 0];
  CHECK(steps.name == "steps");
  CHECK(steps.parameter_base == 0x160);
  CHECK(steps.parameter_bytes == 25);
  REQUIRE(steps.parameters.size() == 3);
  CHECK(steps.parameters[1].offset == 8);
  CHECK(steps.parameters[1].bytes == 16);
  CHECK(steps.parameters[2].offset == 24);
  CHECK(steps.shared_bytes == 25 * 4);
  CHECK(steps.registers == cubin.find_function("steps")->registers);
  CHECK(steps.code.empty());
  CHECK(report.name == "report");
  CHECK(report.shared_bytes == 0);
  CHECK(report.stack_bytes >= 8);
  REQUIRE(module.constants.size() >= 16);
  CHECK(module.constants[4] == std::byte{20});
  CHECK(module.variables.size() >= 3);
}

TEST_CASE("cubin: 9.0 has parameters and reserved shared memory elsewhere", "[machine_code]") {
  const std::string bytes = load_cubin("program.sm_90.cubin");
  const sass::Cubin cubin(bytes_of(bytes), "program.sm_90.cubin");
  for (const MachineKernel& kernel : machine_module_of(cubin).kernels) {
    INFO(kernel.name);
    CHECK(kernel.parameter_base == 0x210);
    CHECK(kernel.system_shared_bytes == cubin.reserved_shared_bytes());
    CHECK(kernel.shared_bytes == (kernel.name == "steps" ? 100 : 0));
  }
}

TEST_CASE("cubin: all kernels of programs, linked or not, can be translated", "[machine_code]") {
  const auto* const architecture = GENERATE("75", "90");
  const std::string suffix = ".sm_" + std::string(architecture) + ".cubin";
  CAPTURE(suffix);
  CHECK(refusal_of("relocatable" + suffix).empty());
  CHECK(refusal_of("program" + suffix).empty());
  CHECK(refusal_of("linked" + suffix).empty());
}

TEST_CASE("cubin: a unit that refers to others is an error", "[machine_code]") {
  const std::string bytes = load_cubin("units_first.sm_90.cubin");
  CHECK_THROWS_WITH(module_of_cubin(bytes_of(bytes), "first.cubin"),
                    Contains("first.cubin: section .text.") && Contains("undefined reference to '"));
}

TEST_CASE("cubin: code is recognised as a cubin or as PTX", "[machine_code]") {
  CHECK(module_of_code(load_cubin("shapes.sm_90.cubin"), "shapes.cubin")->is_machine_code);
  const auto ptx =
      module_of_code(".version 8.0\n.target sm_75\n.address_size 64\n.visible .entry empty() { ret; }\n", "empty.ptx");
  CHECK_FALSE(ptx->is_machine_code);
  CHECK(ptx->find_function("empty") != nullptr);
  CHECK_THROWS_AS(module_of_code("\x7f"
                                 "ELF",
                                 "short.cubin"),
                  UserError);
}
