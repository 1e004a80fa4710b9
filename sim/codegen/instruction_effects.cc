#include "codegen/instruction_effects.h"

#include <algorithm>
#include <string_view>

#include "codegen/register_facts.h"

namespace warpsim::codegen {

using ptx::Instruction;

namespace {

constexpr std::string_view kPure[] = {"abs", "add",   "addc",     "and",  "bfe",  "bfi",   "bfind", "bmsk",  "brev",
                                      "clz", "cnot",  "copysign", "cos",  "cvt",  "cvta",  "div",   "dp2a",  "dp4a",
                                      "ex2", "fma",   "lg2",      "lop3", "mad",  "mad24", "madc",  "max",   "min",
                                      "mov", "mul",   "mul24",    "neg",  "not",  "or",    "popc",  "prmt",  "rcp",
                                      "rem", "rsqrt", "sad",      "selp", "set",  "setp",  "shf",   "shl",   "shr",
                                      "sin", "slct",  "sqrt",     "sub",  "subc", "szext", "tanh",  "testp", "xor"};

}  // namespace

MemoryUse memory_use(const Instruction& instruction) {
  const std::string_view opcode = instruction.opcode;
  MemoryUse use;
  use.near = std::ranges::any_of(instruction.modifiers, [](std::string_view w) { return w.starts_with("shared"); });
  use.far = has_word(instruction, "global");
  if (opcode == "ld" || opcode == "ldu" || opcode == "ldmatrix" ||
      (opcode == "wmma" && has_word(instruction, "load"))) {
    const bool fixed =
        has_word(instruction, "const") || has_word(instruction, "nc") || reads_own_parameter(instruction);
    const bool ordered =
        has_word(instruction, "volatile") || has_word(instruction, "acquire") || has_word(instruction, "relaxed");
    use.effect = ordered ? Effect::kFence : fixed ? Effect::kNone : Effect::kLoad;
    use.near = use.near || opcode == "ldmatrix";
  } else if (opcode == "st" || opcode == "stmatrix" || (opcode == "wmma" && has_word(instruction, "store"))) {
    const bool ordered =
        has_word(instruction, "volatile") || has_word(instruction, "release") || has_word(instruction, "relaxed");
    use.effect = ordered || has_word(instruction, "param") ? Effect::kFence : Effect::kStore;
    use.near = use.near || opcode == "stmatrix";
  } else if (opcode == "atom" || opcode == "red") {
    use.effect = Effect::kStore;
  } else if (opcode == "tex" || opcode == "tld4") {
    return {};  // of texels that the kernel does not write
  } else if (opcode == "suld" || opcode == "sust" || opcode == "sured") {
    return {opcode == "suld" ? Effect::kLoad : Effect::kStore, false, true, false};
  } else if (opcode == "cp" && has_word(instruction, "async") && instruction.operands.size() >= 2 &&
             !has_word(instruction, "bulk") && !has_word(instruction, "mbarrier")) {
    use = {Effect::kStore, true, true, true};
  } else if (opcode == "bar" || opcode == "barrier" || opcode == "membar" || opcode == "fence" || opcode == "call" ||
             opcode == "cp" || opcode == "mbarrier" || opcode == "nanosleep" || opcode == "trap" || opcode == "brkpt" ||
             opcode == "wgmma" || opcode == "activemask" || opcode == "elect" || opcode == "griddepcontrol" ||
             opcode == "setmaxnreg" || opcode == "alloca" || opcode == "stacksave" || opcode == "stackrestore" ||
             opcode == "pmevent" || opcode == "st_async" || opcode == "multimem") {
    use.effect = Effect::kFence;
  } else if (opcode == "shfl" || opcode == "vote" || opcode == "match" || opcode == "redux") {
    return {Effect::kMeeting, true, true, true};
  }
  if (use.effect != Effect::kNone && !use.near && !use.far) {
    const bool local = has_word(instruction, "local");
    use.near = !local;
    use.far = !local;
    use.own = true;
  }
  return use;
}

bool reads_clock(const Instruction& instruction) {
  return std::ranges::any_of(instruction.operands, [](const ptx::Operand& operand) {
    return operand.kind == ptx::Operand::Kind::kSpecial &&
           (operand.name.starts_with("clock") || operand.name.starts_with("globaltimer"));
  });
}

bool uses_carry(const Instruction& instruction) {
  return has_word(instruction, "cc") || instruction.opcode == "addc" || instruction.opcode == "subc" ||
         instruction.opcode == "madc";
}

bool is_computation(const Instruction& instruction) {
  return std::ranges::find(kPure, instruction.opcode) != std::end(kPure);
}

}  // namespace warpsim::codegen
