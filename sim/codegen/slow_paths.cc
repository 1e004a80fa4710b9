#include "codegen/slow_paths.h"

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>

#include "codegen/body_editor.h"
#include "codegen/instruction_words.h"
#include "ptx/flow_graph.h"

namespace warpsim::codegen {

namespace {

using ptx::CodePath;
using ptx::DataType;
using ptx::Function;
using ptx::Instruction;
using ptx::Module;
using ptx::Operand;

// How the code goes on after the test.
enum class Shape : std::uint8_t {
  kNone,       // there is no function
  kFastFirst,  // the fast path always, then the function if it is needed
  kEither,     // one of them
};

Shape shape_of(const Instruction& instruction) {
  if (has_word(instruction, "approx") || has_word(instruction, "full")) {
    return instruction.opcode == "rsqrt" && type_of(instruction) == DataType::kF64 && !has_word(instruction, "ftz")
               ? Shape::kFastFirst
               : Shape::kNone;
  }
  const DataType type = type_of(instruction);
  const bool divides = instruction.opcode == "div" || instruction.opcode == "rem";
  if (divides && (type == DataType::kU64 || type == DataType::kS64)) {
    return Shape::kEither;
  }
  if (type != DataType::kF32 && type != DataType::kF64) {
    return Shape::kNone;
  }
  if (instruction.opcode == "rcp" || instruction.opcode == "sqrt") {
    return type == DataType::kF32 ? Shape::kEither : Shape::kFastFirst;
  }
  return instruction.opcode == "div" ? Shape::kFastFirst : Shape::kNone;
}

bool overwrites_operand(const Instruction& instruction) {
  const Operand& result = instruction.operands.front();
  return std::any_of(instruction.operands.begin() + 1, instruction.operands.end(), [&](const Operand& operand) {
    return operand.kind == Operand::Kind::kRegister && operand.number == result.number;
  });
}

class SlowPaths {
 public:
  SlowPaths(Module& module, Function& function) : module_(module), function_(function), editor_(function) {}

  void split() {
    const auto count = static_cast<std::uint32_t>(function_.body.size());
    if (count == 0 || !ptx::ends_block(function_.body.back()) || function_.body.back().guard) {
      return;  // the functions follow the last instruction
    }
    for (std::uint32_t i = 0; i < count; ++i) {
      const Instruction& instruction = function_.body[i];
      const Shape shape = shape_of(instruction);
      if (shape == Shape::kNone || instruction.guard || instruction.operands.front().kind != Operand::Kind::kRegister ||
          (shape == Shape::kFastFirst && overwrites_operand(instruction))) {
        continue;
      }
      replace(i, shape);
    }
    editor_.apply();
  }

 private:
  // The function stands behind all other code, as a compiler places it, so that it does not occupy instruction caches.
  void replace(std::uint32_t at, Shape shape) {
    const Instruction whole = editor_.take(at);
    const std::uint32_t needed = add_register(module_, function_, "%slow", DataType::kPredicate);
    const std::uint32_t fast = add_label(module_, function_, "$fast", 0);
    const std::uint32_t slow = add_label(module_, function_, "$slow", 0);
    const std::uint32_t behind = add_label(module_, function_, "$divided", 0);
    if (shape == Shape::kFastFirst) {
      insert(at, whole, part_of(whole, CodePath::kFast));
    }
    insert(at, whole, test_of(whole, needed));
    insert(at, whole, branch_to(fast, ptx::Guard{needed, true}));
    insert(at, whole, branch_to(slow, {}));
    editor_.insert_label(at, fast);
    if (shape == Shape::kEither) {
      insert(at, whole, part_of(whole, CodePath::kFast));
    }
    editor_.insert_label(at, behind);
    const auto end = static_cast<std::uint32_t>(function_.body.size());
    editor_.insert_label(end, slow);
    insert(end, whole, part_of(whole, CodePath::kSlow));
    insert(end, whole, branch_to(behind, {}));
  }

  static Instruction part_of(const Instruction& whole, CodePath path) {
    Instruction part = copy_of(whole);
    part.path = path;
    return part;
  }

  // Whether the operands need the function. The test of a double quotient also reads the fast path's result.
  static Instruction test_of(const Instruction& whole, std::uint32_t needed) {
    Instruction test;
    test.opcode = "sass";
    test.modifiers = {"slow", whole.opcode, ptx::name_of(type_of(whole))};
    if (whole.opcode == "div" && type_of(whole) == DataType::kF32) {
      test.modifiers = {"fchk"};
    }
    test.operands.push_back(register_operand(needed));
    for (std::size_t i = 1; i < whole.operands.size(); ++i) {
      test.operands.push_back(copy_of(whole.operands[i]));
    }
    if (whole.opcode == "div" && type_of(whole) == DataType::kF64) {
      test.operands.push_back(copy_of(whole.operands.front()));
    }
    return test;
  }

  // From the same line of the source as the whole.
  void insert(std::uint32_t at, const Instruction& whole, Instruction added) {
    place_like(added, whole);
    editor_.insert(at, std::move(added));
  }

  Module& module_;
  Function& function_;
  BodyEditor editor_;
};

}  // namespace

void split_slow_paths(Module& module, Function& function) {
  SlowPaths(module, function).split();
}

}  // namespace warpsim::codegen
