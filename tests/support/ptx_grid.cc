#include "support/ptx_grid.h"

#include <cstring>

#include "emulator/device_memory.h"
#include "emulator/grid_execution.h"
#include "emulator/kernel_image.h"
#include "emulator/module_image.h"
#include "ptx/parser.h"

namespace warpsim::test {

namespace {

constexpr const char* kHead = ".version 9.0\n.target sm_100a\n.address_size 64\n";
constexpr const char* kPrologue =
    ".visible .entry kernel(.param .u64 in, .param .u64 out) {\n"
    ".reg .b32 %r<64>, %t, %n, %c;\n.reg .b64 %q<64>, %in, %out, %own;\n.reg .f32 %f<16>;\n.reg .pred %p<16>;\n"
    "ld.param.u64 %in, [in];\nld.param.u64 %out, [out];\n"
    "mov.u32 %t, %tid.x;\nmov.u32 %n, %ntid.x;\nmov.u32 %c, %ctaid.x;\n"
    "mad.lo.u32 %n, %c, %n, %t;\nmul.wide.u32 %own, %n, 4;\nadd.u64 %own, %own, %out;\n";

}  // namespace

std::vector<std::uint32_t> execute_ptx(const PtxGrid& launch) {
  constexpr std::uint64_t kCapacity = std::uint64_t{1} << 22U;
  DeviceMemory memory(kCapacity);
  const ModuleImage module(
      ptx::parse_module(kHead + launch.before + "\n" + kPrologue + launch.body + "\nret;\n}\n", "test.ptx"), memory);
  const auto entry =
      static_cast<std::uint32_t>(module.module().find_function("kernel") - module.module().functions.data());
  const KernelImage kernel(module, entry);
  const std::uint64_t words =
      launch.output_words != 0 ? launch.output_words : launch.grid.count() * launch.block.count();
  const Address in = memory.allocate(4 * launch.input.size() + 4);
  const Address out = memory.allocate(4 * words);
  if (!launch.input.empty()) {
    std::memcpy(memory.host(in, 4 * launch.input.size()), launch.input.data(), 4 * launch.input.size());
  }
  LaunchContext context;
  context.kernel = &kernel;
  context.memory = &memory;
  context.grid = launch.grid;
  context.block = launch.block;
  context.cluster = launch.cluster;
  context.independent_threads = launch.independent_threads;
  context.capability = launch.independent_threads ? 100 : 60;
  context.parameters.resize(16);
  std::memcpy(context.parameters.data(), &in, 8);
  std::memcpy(context.parameters.data() + 8, &out, 8);
  execute_grid(context, {.resident_blocks = launch.resident_blocks, .local_bytes = launch.local_bytes});
  std::vector<std::uint32_t> result(words);
  std::memcpy(result.data(), memory.host(out, 4 * words), 4 * words);
  return result;
}

}  // namespace warpsim::test
