// Machine code of a kernel's few lines of PTX, for tests of code generation.
#pragma once

#include <string>
#include <vector>

#include "codegen/code_generator.h"
#include "ptx/parser.h"

namespace warpsim::test {

inline constexpr const char* kHeadOfPtx = ".version 9.0\n.target sm_75\n.address_size 64\n";

// A kernel k(.param .u64 a, .param .u64 b, .param .u32 n) with registers %h, %r, %rd, %f, %d, %p.
inline std::string kernel_text(const std::string& body, const std::string& before = "") {
  return kHeadOfPtx + before +
         ".visible .entry k(.param .u64 a, .param .u64 b, .param .u32 n) {\n.reg .b16 %h<16>; .reg .b32 %r<64>; "
         ".reg .b64 %rd<64>; .reg .f32 %f<64>; .reg .f64 %d<16>; .reg .pred %p<16>;\n" +
         body + "\n}\n";
}

struct Generated {
  std::unique_ptr<ptx::Module> module;
  MachineCode code;

  const ptx::Function& function() const { return *module->find_function("k"); }
  // Without the common beginning of kernels (the stack pointer, the descriptor of global memory).
  std::vector<std::string> text() const {
    std::vector<std::string> lines;
    for (const std::string& line : code.program->text) {
      if (!line.ends_with("R1, c[0x0][0x28]") && !line.ends_with("c[0x0][0x208]") && !line.ends_with("c[0x0][0x118]")) {
        lines.push_back(line);
      }
    }
    return lines;
  }
  // Opcodes with their modifiers.
  std::vector<std::string> opcodes() const {
    std::vector<std::string> names;
    for (std::string line : text()) {
      if (line.starts_with('@')) {
        line.erase(0, line.find(' ') + 1);
      }
      names.push_back(line.substr(0, line.find(' ')));
    }
    return names;
  }
};

inline Generated generate(const std::string& body, bool optimised = false, std::uint32_t architecture = 90,
                          const std::string& before = "") {
  Generated result;
  result.module = ptx::parse_module(kernel_text(body, before), "t.ptx");
  std::uint32_t entry = 0;
  while (result.module->functions[entry].name != "k") {
    ++entry;
  }
  if (optimised) {
    prepare_for_machine(*result.module);
    optimise_for_machine(*result.module, entry, {.architecture = architecture});
  }
  result.code = generate_code(*result.module, entry, {.architecture = architecture});
  return result;
}

}  // namespace warpsim::test
