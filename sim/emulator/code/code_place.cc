#include "emulator/code/code_place.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

namespace warpsim {

std::string place_text(const ptx::Module& module, const FunctionCode& code, std::uint32_t operation) {
  const std::vector<ptx::Instruction>& body = code.source->body;
  if (body.empty()) {
    return fmt::format("{}:{}", module.file, code.source->place.line);
  }
  // The last operation is the return that the text may lack.
  const ptx::Instruction& instruction = body[std::min<std::size_t>(operation, body.size() - 1)];
  std::string text = fmt::format("{}:{}", module.file, instruction.place.line);
  if (instruction.source_file != 0 && instruction.source_file <= module.files.size()) {
    text += fmt::format(" ({}:{})", module.files[instruction.source_file - 1], instruction.source_line);
  }
  return text;
}

std::string place_text(const KernelImage& kernel, const Operation& operation) {
  const ptx::Module& module = kernel.module().module();
  for (std::uint32_t number = 0; number < module.functions.size(); ++number) {
    const FunctionCode* const code = kernel.function(number);
    if (code == nullptr) {
      continue;
    }
    const std::less<> before;
    const Operation* const first = code->operations.data();
    if (!before(&operation, first) && before(&operation, first + code->operations.size())) {
      return place_text(module, *code, static_cast<std::uint32_t>(&operation - first));
    }
  }
  return fmt::format("{}:{}", module.file, operation.line);
}

}  // namespace warpsim
