#include "support/machine_text.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <span>
#include <utility>

#include "emulator/code/kernel_image.h"
#include "emulator/code/module_image.h"
#include "emulator/execution/grid_execution.h"
#include "emulator/memory/device_memory.h"
#include "ptx/parser.h"

namespace warpsim::test {

namespace {

constexpr const char* kTextPrologue =
    ".version 9.0\n.target sm_90\n.address_size 64\n.visible .entry kernel(.param .u64 in, .param .u64 out) {\n"
    ".reg .b32 %r<64>, %u<8>, %t;\n.reg .b64 %q<8>, %in, %out, %own;\n.reg .pred %p<8>, %b<8>;\n"
    "ld.param.u64 %in, [in];\nld.param.u64 %out, [out];\nmov.u32 %t, %tid.x;\nmul.wide.u32 %own, %t, 4;\n"
    "add.u64 %in, %in, %own;\nadd.u64 %own, %own, %out;\nld.global.u32 %r0, [%in];\n";

}  // namespace

std::vector<std::uint32_t> execute_machine_text(const std::string& body, const std::vector<std::uint32_t>& input,
                                                std::uint32_t threads) {
  constexpr std::uint64_t kCapacity = std::uint64_t{1} << 20U;
  std::unique_ptr<ptx::Module> parsed = ptx::parse_module(kTextPrologue + body + "\nret;\n}\n", "test.ptx");
  parsed->is_machine_code = true;
  DeviceMemory memory(kCapacity);
  const ModuleImage module(std::move(parsed), memory);
  const KernelImage kernel(module, 0);
  const std::uint64_t bytes = std::uint64_t{4} * threads;
  const Address in = memory.allocate(bytes);
  const Address out = memory.allocate(bytes);
  std::copy_n(std::as_bytes(std::span(input)).begin(), std::min<std::uint64_t>(bytes, 4 * input.size()),
              memory.host(in, bytes));
  LaunchContext launch;
  launch.kernel = &kernel;
  launch.memory = &memory;
  launch.grid = {1, 1, 1};
  launch.cluster = {1, 1, 1};
  launch.block = {threads, 1, 1};
  launch.parameters.resize(2 * sizeof(Address));
  std::memcpy(launch.parameters.data(), &in, sizeof in);
  std::memcpy(launch.parameters.data() + sizeof in, &out, sizeof out);
  execute_grid(launch, {});
  std::vector<std::uint32_t> output(threads);
  std::memcpy(output.data(), memory.host(out, bytes), bytes);
  return output;
}

}  // namespace warpsim::test
