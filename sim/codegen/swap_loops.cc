#include "codegen/swap_loops.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "codegen/body_editor.h"
#include "codegen/instruction_words.h"

namespace warpsim::codegen {

namespace {

using ptx::DataType;
using ptx::Function;
using ptx::Instruction;
using ptx::Module;
using ptx::Operand;

constexpr std::string_view kOperations[] = {"add", "min", "max", "and", "or", "xor"};

std::string_view operation_of(const Instruction& instruction) {
  const auto* const found =
      std::ranges::find_if(kOperations, [&](std::string_view word) { return has_word(instruction, word); });
  return found == std::end(kOperations) ? std::string_view{} : *found;
}

// By a loop of compare-and-swap.
bool needs_loop(const Instruction& instruction) {
  if ((instruction.opcode != "atom" && instruction.opcode != "red") || !has_word(instruction, "shared") ||
      elements_of(instruction) != 1 || operation_of(instruction).empty()) {
    return false;
  }
  switch (type_of(instruction)) {
    case DataType::kF32:
    case DataType::kF64:
    case DataType::kF16x2:
    case DataType::kBf16x2:
    case DataType::kU64:
    case DataType::kS64:
    case DataType::kB64:
      return true;
    default:
      return false;
  }
}

class SwapLoops {
 public:
  SwapLoops(Module& module, Function& function) : module_(module), function_(function), editor_(function) {}

  void make() {
    const auto count = static_cast<std::uint32_t>(function_.body.size());
    for (std::uint32_t i = 0; i < count; ++i) {
      if (needs_loop(function_.body[i])) {
        replace(i);
      }
    }
    editor_.apply();
  }

 private:
  void replace(std::uint32_t at) {
    const Instruction atomic = editor_.take(at);
    const bool returns = atomic.opcode == "atom";
    const std::size_t place = returns ? 1 : 0;
    const std::string_view word = ptx::bytes_of(type_of(atomic)) == 8 ? "b64" : "b32";
    const DataType type = word == "b64" ? DataType::kB64 : DataType::kB32;
    const Operand old = new_register(type);
    const Operand next = new_register(type);
    const Operand found = new_register(type);
    const Operand differs = new_register(DataType::kPredicate);
    const std::uint32_t loop = add_label(module_, function_, "$swap", at);
    if (atomic.guard) {
      const std::uint32_t behind = add_label(module_, function_, "$swap", at + 1);
      insert(at, atomic, branch_to(behind, ptx::Guard{atomic.guard->predicate, !atomic.guard->negated}));
    }
    add(at, atomic, "ld", {"volatile", "shared", word}, {&old, &atomic.operands[place]});
    add(at, atomic, operation_of(atomic), operation_words(atomic), {&next, &old, &atomic.operands[place + 1]});
    add(at, atomic, "atom", {"shared", "cas", word}, {&found, &atomic.operands[place], &old, &next});
    add(at, atomic, "setp", {"ne", word}, {&differs, &found, &old});
    insert(at, atomic, branch_to(loop, ptx::Guard{differs.number, false}));
    if (returns && atomic.operands[0].kind == Operand::Kind::kRegister) {
      add(at, atomic, "mov", {word}, {&atomic.operands[0], &old});
    }
  }

  // Modifiers of the arithmetic.
  std::vector<std::string_view> operation_words(const Instruction& atomic) const {
    const bool is_logic = has_word(atomic, "and") || has_word(atomic, "or") || has_word(atomic, "xor");
    if (is_logic) {
      return {"b64"};
    }
    std::vector<std::string_view> words;
    for (const std::string_view word : atomic.modifiers) {
      for (const std::string_view type : {"f32", "f64", "f16x2", "bf16x2", "u64", "s64"}) {
        if (word == type) {
          words.push_back(word);
        }
      }
    }
    return words;
  }

  void add(std::uint32_t at, const Instruction& like, std::string_view opcode, std::vector<std::string_view> modifiers,
           const std::vector<const Operand*>& operands) {
    Instruction added;
    added.opcode = opcode;
    added.modifiers = std::move(modifiers);
    for (const Operand* operand : operands) {
      added.operands.push_back(copy_of(*operand));
    }
    added.spins = opcode == "atom" || opcode == "ld";
    insert(at, like, std::move(added));
  }

  // From the same line of the source as the atomic.
  void insert(std::uint32_t at, const Instruction& like, Instruction added) {
    place_like(added, like);
    editor_.insert(at, std::move(added));
  }

  Operand new_register(DataType type) { return register_operand(add_register(module_, function_, "%swap", type)); }

  Module& module_;
  Function& function_;
  BodyEditor editor_;
};

}  // namespace

void make_swap_loops(Module& module, Function& function) {
  SwapLoops(module, function).make();
}

}  // namespace warpsim::codegen
