#include "support/ptx_launch.h"

#include <catch2/catch.hpp>
#include <utility>

#include "emulator/code/kernel_image.h"
#include "emulator/code/module_image.h"
#include "emulator/execution/fault.h"
#include "emulator/execution/grid_execution.h"
#include "ptx/parser.h"

namespace warpsim::test {

namespace {

std::uint32_t number_of_kernel(const ptx::Module& module) {
  std::uint32_t number = 0;
  while (module.functions[number].name != "kernel") {
    ++number;
  }
  return number;
}

}  // namespace

PtxLaunch::PtxLaunch(std::string body, std::string declarations, std::uint64_t capacity)
    : memory(capacity), out(memory.allocate(kBytes)), in(memory.allocate(kBytes)) {
  text_ = ".version 9.0 .target sm_100a .address_size 64 " + std::move(declarations) +
          " .visible .entry kernel(.param .u64 out, .param .u64 in) { .reg .b64 %out, %in, %rd<8>; .reg .pred %p<8>; "
          ".reg .b16 %h<8>; .reg .b32 %t, %r<8>; .reg .f32 %f<8>; .reg .f64 %d<8>; .reg .b128 %w<8>; "
          "ld.param.u64 %out, [out]; ld.param.u64 %in, [in]; mov.u32 %t, %tid.x;\n" +
          std::move(body) + "\nret;\n}\n";
  launch.host_code = HostCodeUse::kAlways;
  launch.memory = &memory;
  launch.grid = {1, 1, 1};
  launch.cluster = {1, 1, 1};
  launch.block = {1, 1, 1};
  launch.parameters.resize(16);
  std::memcpy(launch.parameters.data(), &out, sizeof(out));
  std::memcpy(launch.parameters.data() + sizeof(out), &in, sizeof(in));
  launch.print = [this](const std::string& text) { printed += text; };
  launch.warn = [this](std::uint32_t line, const std::string& text) {
    warnings.push_back(text);
    warning_lines.push_back(line);
  };
}

void PtxLaunch::run() {
  const ModuleImage module(ptx::parse_module(text_, "test.ptx"), memory);
  const KernelImage kernel(module, number_of_kernel(module.module()));
  launch.kernel = &kernel;
  execute_grid(launch, {resident_blocks, kernel.local_bytes()});
  launch.kernel = nullptr;
}

std::string PtxLaunch::fault() {
  try {
    run();
  } catch (const KernelFault& fault) {
    return fault.what();
  }
  FAIL("the kernel ended without a fault");
  return {};
}

}  // namespace warpsim::test
