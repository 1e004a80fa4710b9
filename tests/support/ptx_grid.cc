#include "support/ptx_grid.h"

#include <cstring>
#include <stdexcept>

#include "codegen/code_generator.h"
#include "emulator/code/kernel_image.h"
#include "emulator/code/module_image.h"
#include "emulator/execution/grid_execution.h"
#include "emulator/memory/device_memory.h"
#include "ptx/parser.h"

namespace warpsim::test {

namespace {

std::unique_ptr<ptx::Module> parsed(const std::string& text, bool optimised) {
  std::unique_ptr<ptx::Module> module = ptx::parse_module(text, "test.ptx");
  if (optimised) {
    prepare_for_machine(*module);
    for (std::uint32_t i = 0; i < module->functions.size(); ++i) {
      optimise_for_machine(*module, i);
    }
  }
  return module;
}

constexpr std::uint32_t kSeveralThreads = 3;
constexpr const char* kHead = ".version 9.0\n.target sm_100a\n.address_size 64\n";
constexpr const char* kPrologue =
    ".visible .entry kernel(.param .u64 in, .param .u64 out) {\n"
    ".reg .b32 %r<64>, %t, %n, %c;\n.reg .b64 %q<64>, %in, %out, %own;\n.reg .f32 %f<16>;\n.reg .pred %p<16>;\n"
    "ld.param.u64 %in, [in];\nld.param.u64 %out, [out];\n"
    "mov.u32 %t, %tid.x;\nmov.u32 %n, %ntid.x;\nmov.u32 %c, %ctaid.x;\n"
    "mad.lo.u32 %n, %c, %n, %t;\nmul.wide.u32 %own, %n, 4;\nadd.u64 %own, %own, %out;\n";

}  // namespace

struct PreparedPtx::Parts {
  static constexpr std::uint64_t kCapacity = std::uint64_t{1} << 22U;
  explicit Parts(const PtxGrid& launch)
      : memory(kCapacity),
        image(parsed(kHead + launch.before + "\n" + kPrologue + launch.body + "\nret;\n}\n", launch.optimised), memory),
        kernel(image,
               static_cast<std::uint32_t>(image.module().find_function("kernel") - image.module().functions.data())),
        words(launch.output_words != 0 ? launch.output_words : launch.grid.count() * launch.block.count()),
        in(memory.allocate(4 * launch.input.size() + 4)),
        out(memory.allocate(4 * words)) {}

  DeviceMemory memory;
  ModuleImage image;
  KernelImage kernel;
  std::uint64_t words;
  Address in;
  Address out;
};

PreparedPtx::PreparedPtx(const PtxGrid& launch) : parts_(std::make_unique<Parts>(launch)) {
  DeviceMemory& memory = parts_->memory;
  if (!launch.input.empty()) {
    std::memcpy(memory.host(parts_->in, 4 * launch.input.size()), launch.input.data(), 4 * launch.input.size());
  }
  context.kernel = &parts_->kernel;
  context.memory = &memory;
  context.grid = launch.grid;
  context.block = launch.block;
  context.cluster = launch.cluster;
  context.independent_threads = launch.independent_threads;
  context.host_code = launch.host_code;
  context.capability = launch.independent_threads ? 100 : 60;
  context.parameters.resize(16);
  std::memcpy(context.parameters.data(), &parts_->in, 8);
  std::memcpy(context.parameters.data() + 8, &parts_->out, 8);
}

PreparedPtx::~PreparedPtx() = default;

std::vector<std::uint32_t> PreparedPtx::output() const {
  std::vector<std::uint32_t> result(parts_->words);
  std::memcpy(result.data(), parts_->memory.host(parts_->out, 4 * parts_->words), 4 * parts_->words);
  return result;
}

const ptx::Module& PreparedPtx::module() const {
  return parts_->image.module();
}

std::vector<std::uint32_t> execute_ptx(const PtxGrid& launch) {
  PreparedPtx prepared(launch);
  WorkerPool workers(launch.threads);
  ThreadBenefit benefit;
  prepared.context.concurrent = launch.threads > 1 && can_be_concurrent(prepared.context);
  execute_grid(prepared.context, {.resident_blocks = launch.resident_blocks,
                                  .local_bytes = launch.local_bytes,
                                  .workers = &workers,
                                  .benefit = &benefit});
  std::vector<std::uint32_t> output = prepared.output();
  if (launch.threads == 1 && launch.resident_blocks > launch.cluster.count()) {
    PtxGrid again = launch;
    again.threads = kSeveralThreads;
    if (execute_ptx(again) != output) {
      throw std::runtime_error("several threads of the host have changed the results");
    }
  }
  if (launch.host_code == HostCodeUse::kNever && launch.threads == 1) {
    PtxGrid again = launch;
    again.host_code = HostCodeUse::kAlways;
    if (execute_ptx(again) != output) {
      throw std::runtime_error("translation to the host's instructions has changed the results");
    }
  }
  if (!launch.optimised) {
    PtxGrid again = launch;
    again.optimised = true;
    if (execute_ptx(again) != output) {
      throw std::runtime_error("what a compiler would change before it times the kernel has changed its results");
    }
  }
  return output;
}

}  // namespace warpsim::test
