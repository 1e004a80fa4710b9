// Modules for tests of the parser, from the few lines of a test.
#pragma once

#include <memory>
#include <string>

#include "ptx/parser.h"

namespace warpsim::ptx {

// Lines 1 to 3 are the head; `text` begins in line 4.
inline std::unique_ptr<const Module> parse(const std::string& text) {
  return parse_module(".version 9.0\n.target sm_90a\n.address_size 64\n" + text, "t.ptx");
}

// A kernel k(.param .u64 a) with registers %r, %rd, %f, %p; `text` begins in line 6.
inline std::string in_kernel(const std::string& text, const std::string& before = "") {
  return before + ".entry k(.param .u64 a) {\n.reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .f32 %f<9>; .reg .pred %p<9>;\n" +
         text + "\n}\n";
}

inline std::unique_ptr<const Module> parse_in_kernel(const std::string& text, const std::string& before = "") {
  return parse(in_kernel(text, before));
}

inline const Function& kernel_of(const Module& module) {
  return *module.find_function("k");
}

}  // namespace warpsim::ptx
