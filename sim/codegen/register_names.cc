#include "codegen/register_names.h"

#include <algorithm>
#include <utility>

#include "codegen/half_words.h"

namespace warpsim::codegen {

namespace {

using ptx::Instruction;
using ptx::Operand;

// A move between registers that needs no machine instruction if both are written once.
bool only_renames(const Instruction& instruction) {
  if (instruction.opcode == "mov" || instruction.opcode == "cvta") {
    return true;
  }
  if (instruction.opcode != "cvt" || instruction.modifiers.size() != 2) {
    return false;
  }
  const auto to = ptx::data_type_of(instruction.modifiers[0]);
  const auto from = ptx::data_type_of(instruction.modifiers[1]);
  const auto is_integer = [](std::string_view name) { return name[0] == 'u' || name[0] == 's' || name[0] == 'b'; };
  return to && from && is_integer(instruction.modifiers[0]) && is_integer(instruction.modifiers[1]) &&
         ptx::bytes_of(*to) >= 4 && ptx::bytes_of(*to) <= ptx::bytes_of(*from);
}

class NameSearch {
 public:
  NameSearch(const ptx::Function& function, const std::vector<std::uint32_t>& only_write)
      : function_(function), only_write_(only_write), reads_(half_reads(function)) {
    found_.constants.assign(function.registers.size(), nullptr);
  }
  void run();
  RegisterNames take() { return std::move(found_); }

 private:
  void find_halves(std::uint32_t unpacking);
  void find_packed(const Operand& to, const Operand& from);

  const ptx::Function& function_;
  const std::vector<std::uint32_t>& only_write_;
  std::vector<HalfReads> reads_;
  RegisterNames found_;
};

// The upper half only where nothing else reads it; several words have lower and upper halves in turn.
void NameSearch::find_halves(std::uint32_t unpacking) {
  const Operand& to = function_.body[unpacking].operands[0];
  const RegisterName from = found_.names[function_.body[unpacking].operands[1].number];
  if (from.part != RegisterName::Part::kWhole || found_.constants[from.reg] != nullptr) {
    return;
  }
  for (std::uint32_t i = 0; i < to.elements.size(); ++i) {
    const bool is_upper = i % 2 == 1;
    if (is_whole_register(to.elements[i]) && only_write_[to.elements[i].number] == unpacking &&
        reads_[to.elements[i].number] >= (is_upper ? HalfReads::kEither : HalfReads::kLower)) {
      found_.names[to.elements[i].number] = {from.reg, static_cast<std::uint8_t>(from.word + i / 2),
                                             is_upper ? RegisterName::Part::kUpper : RegisterName::Part::kLower};
    }
  }
}

// The halves of a word together again.
void NameSearch::find_packed(const Operand& to, const Operand& from) {
  if (from.elements.size() != 2 || !std::ranges::all_of(from.elements, is_whole_register)) {
    return;
  }
  const RegisterName lower = found_.names[from.elements[0].number];
  const RegisterName upper = found_.names[from.elements[1].number];
  if (lower.part == RegisterName::Part::kLower && upper.part == RegisterName::Part::kUpper && lower.reg == upper.reg &&
      lower.word == upper.word) {
    found_.names[to.number] = {lower.reg, lower.word};
  }
}

void NameSearch::run() {
  for (std::uint32_t reg = 0; reg < function_.registers.size(); ++reg) {
    found_.names.push_back({reg});
  }
  for (std::uint32_t i = 0; i < function_.body.size(); ++i) {
    const Instruction& instruction = function_.body[i];
    if (instruction.operands.size() != 2) {
      continue;
    }
    const Operand& to = instruction.operands[0];
    const Operand& from = instruction.operands[1];
    if (instruction.opcode == "mov" && to.kind == Operand::Kind::kVector && is_whole_register(from) &&
        only_write_[from.number] != kNoInstruction) {  // unpacks a value
      if (unpacks_halves(function_, instruction)) {
        find_halves(i);
        continue;
      }
      const bool halves = ptx::bytes_of(function_.registers[from.number].type) != 4 * to.elements.size();
      for (std::size_t word = 0; word < to.elements.size() && !halves; ++word) {
        if (is_whole_register(to.elements[word]) && only_write_[to.elements[word].number] == i) {
          found_.names[to.elements[word].number] = {found_.names[from.number].reg,
                                                    static_cast<std::uint8_t>(found_.names[from.number].word + word)};
        }
      }
      continue;
    }
    if (is_whole_register(to) && only_write_[to.number] == i && packs_halves(function_, instruction)) {
      find_packed(to, from);
      continue;
    }
    if (!is_whole_register(to) || only_write_[to.number] != i || !only_renames(instruction)) {
      continue;
    }
    if (is_whole_register(from) && from.offset == 0 && only_write_[from.number] != kNoInstruction) {
      found_.names[to.number] = found_.names[from.number];
    } else if (is_literal(from) && instruction.opcode == "mov" &&
               function_.registers[to.number].type != ptx::DataType::kPredicate) {
      found_.constants[to.number] = &from;
    }
  }
}

}  // namespace

bool is_whole_register(const Operand& operand) {
  return operand.kind == Operand::Kind::kRegister && operand.component < 0 && !operand.negated && !operand.minus;
}

bool is_literal(const Operand& operand) {
  return operand.kind == Operand::Kind::kInteger || operand.kind == Operand::Kind::kFloat;
}

RegisterNames find_register_names(const ptx::Function& function, const std::vector<std::uint32_t>& only_write) {
  NameSearch search(function, only_write);
  search.run();
  return search.take();
}

}  // namespace warpsim::codegen
