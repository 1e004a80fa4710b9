#include "app/commands/generated_listing.h"

#include <fmt/format.h>

#include <ostream>

#include "base/error.h"
#include "base/input_file.h"
#include "codegen/code_generator.h"
#include "config/config_tree.h"
#include "config/gpu_files.h"
#include "core/blocks/register_steps.h"
#include "core/gpu/gpu_config.h"
#include "ptx/parser.h"

namespace warpsim {

namespace {

constexpr std::uint32_t kOldest = 75;  // codegen writes code for older capabilities as lowered code of this one
constexpr std::uint32_t kNewest = 90;

// Of the first shipped GPU of the architecture. Throws UserError: there is none.
codegen::CompileTarget target_of(std::uint32_t architecture, const std::string& file) {
  for (const ShippedGpu& gpu : shipped_gpus()) {
    const auto config = ConfigTree::load(gpu.path, {}).read<GpuConfig>();
    if (architecture_of(config.compute_capability) == architecture) {
      return {.architecture = architecture, .register_steps = register_steps(config.occupancy)};
    }
  }
  throw UserError(
      fmt::format("{}: no shipped GPU has sm_{}; expected --arch with the capability of one of "
                  "'warpsim gpus'",
                  file, architecture));
}

void print_kernel(const MachineCode& code, std::ostream& out) {
  const StaticProgram& program = *code.program;
  out << fmt::format("\tFunction : {}\n\t// generated for sm_{}; registers: {}\n", program.function,
                     program.architecture, code.registers_per_thread);
  for (std::size_t i = 0; i < program.text.size(); ++i) {
    out << fmt::format("        /*{:04x}*/  {} ;", i * program.instruction_bytes, program.text[i]);
    if (i < program.source_lines.size() && program.source_lines[i].line != 0) {
      const SourceLine& source = program.source_lines[i];
      out << fmt::format("  // {}:{}", program.source_files[source.file], source.line);
    }
    out << '\n';
  }
}

}  // namespace

std::size_t print_generated(const std::string& file, std::uint32_t architecture,
                            const std::function<bool(std::string_view)>& wanted, std::ostream& out) {
  const std::string text = require_input(file, "PTX");
  const std::unique_ptr<ptx::Module> module = ptx::parse_module(text, file);
  const std::uint32_t target = architecture == 0 ? module->target : architecture;
  if (target < kOldest || target > kNewest || target < module->target) {
    throw UserError(fmt::format("{}: PTX for sm_{} cannot be listed for sm_{}; expected --arch from sm_{} to sm_{}",
                                file, module->target, target, std::max(kOldest, module->target), kNewest));
  }
  const codegen::CompileTarget compiled = target_of(target, file);
  prepare_for_machine(*module);
  std::size_t printed = 0;
  for (std::uint32_t number = 0; number < module->functions.size(); ++number) {
    const ptx::Function& function = module->functions[number];
    if (function.is_entry && function.has_body && (!wanted || wanted(function.name))) {
      optimise_for_machine(*module, number, compiled);
      print_kernel(generate_code(*module, number, compiled), out);
      ++printed;
    }
  }
  return printed;
}

}  // namespace warpsim
