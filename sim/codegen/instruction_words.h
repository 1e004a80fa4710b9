// The meaning of an instruction's words, and their spelling in machine code.
#pragma once

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <string>
#include <string_view>

#include "codegen/register_facts.h"
#include "ptx/module.h"

namespace warpsim::codegen {

// "F32" of f32.
inline std::string upper(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return result;
}

inline ptx::StateSpace space_of(const ptx::Instruction& instruction) {
  for (const std::string_view word : instruction.modifiers) {
    if (word == "global") {
      return ptx::StateSpace::kGlobal;
    }
    if (word.starts_with("shared")) {
      return ptx::StateSpace::kShared;
    }
    if (word == "local") {
      return ptx::StateSpace::kLocal;
    }
    if (word.starts_with("const")) {
      return ptx::StateSpace::kConstant;
    }
    if (word.starts_with("param")) {
      return ptx::StateSpace::kParameter;
    }
  }
  return ptx::StateSpace::kGeneric;
}

inline std::uint32_t elements_of(const ptx::Instruction& instruction) {
  return has_word(instruction, "v8") ? 8 : has_word(instruction, "v4") ? 4 : has_word(instruction, "v2") ? 2 : 1;
}

inline ptx::DataType type_of(const ptx::Instruction& instruction) {
  for (auto word = instruction.modifiers.rbegin(); word != instruction.modifiers.rend(); ++word) {
    if (const auto type = ptx::data_type_of(*word)) {
      return *type;
    }
  }
  return ptx::DataType::kB32;
}

}  // namespace warpsim::codegen
