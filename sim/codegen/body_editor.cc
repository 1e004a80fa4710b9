#include "codegen/body_editor.h"

#include <algorithm>
#include <utility>

#include "ptx/operand_roles.h"

namespace warpsim::codegen {

ptx::Operand copy_of(const ptx::Operand& operand) {
  ptx::Operand result;
  result.kind = operand.kind;
  result.negated = operand.negated;
  result.minus = operand.minus;
  result.scope = operand.scope;
  result.single = operand.single;
  result.unsigned_literal = operand.unsigned_literal;
  result.video = operand.video;
  result.component = operand.component;
  result.number = operand.number;
  result.bits = operand.bits;
  result.offset = operand.offset;
  result.name = operand.name;
  for (const ptx::Operand& element : operand.elements) {
    result.elements.push_back(copy_of(element));
  }
  if (operand.second != nullptr) {
    result.second = std::make_unique<ptx::Operand>(copy_of(*operand.second));
  }
  result.place = operand.place;
  return result;
}

ptx::Instruction copy_of(const ptx::Instruction& instruction) {
  ptx::Instruction result;
  result.opcode = instruction.opcode;
  result.modifiers = instruction.modifiers;
  result.guard = instruction.guard;
  for (const ptx::Operand& operand : instruction.operands) {
    result.operands.push_back(copy_of(operand));
  }
  result.place = instruction.place;
  result.spins = instruction.spins;
  result.path = instruction.path;
  result.keeps_loop = instruction.keeps_loop;
  result.source_file = instruction.source_file;
  result.source_line = instruction.source_line;
  return result;
}

ptx::Operand integer_operand(std::int64_t value) {
  ptx::Operand operand;
  operand.kind = ptx::Operand::Kind::kInteger;
  operand.bits = static_cast<std::uint64_t>(value);
  return operand;
}

ptx::Operand register_operand(std::uint32_t number) {
  ptx::Operand operand;
  operand.kind = ptx::Operand::Kind::kRegister;
  operand.number = number;
  return operand;
}

std::uint32_t add_register(ptx::Module& module, ptx::Function& function, const std::string& name, ptx::DataType type) {
  const auto number = static_cast<std::uint32_t>(function.registers.size());
  function.registers.push_back({module.names.intern(name + std::to_string(number)), type, 1});
  return number;
}

std::uint32_t add_label(ptx::Module& module, ptx::Function& function, const std::string& name,
                        std::uint32_t instruction) {
  const auto number = static_cast<std::uint32_t>(function.labels.size());
  function.labels.push_back({module.names.intern(name + std::to_string(number)), instruction});
  return number;
}

void rename_reads(ptx::Instruction& instruction, const std::function<std::uint32_t(std::uint32_t)>& name) {
  bool writes = false;
  ptx::visit_written_registers(instruction, [&](std::uint32_t) { writes = true; });
  const auto rename = [&](ptx::Operand& operand, auto&& self) -> void {
    if (operand.kind == ptx::Operand::Kind::kRegister) {
      operand.number = name(operand.number);
    }
    std::ranges::for_each(operand.elements, [&](ptx::Operand& element) { self(element, self); });
    if (operand.second != nullptr) {
      self(*operand.second, self);
    }
  };
  for (std::size_t i = writes ? 1 : 0; i < instruction.operands.size(); ++i) {
    rename(instruction.operands[i], rename);
  }
  if (instruction.guard) {
    instruction.guard->predicate = name(instruction.guard->predicate);
  }
}

ptx::Instruction branch_to(std::uint32_t label, std::optional<ptx::Guard> guard) {
  ptx::Instruction branch;
  branch.opcode = "bra";
  branch.guard = guard;
  ptx::Operand target;
  target.kind = ptx::Operand::Kind::kLabel;
  target.number = label;
  branch.operands.push_back(std::move(target));
  return branch;
}

void place_like(ptx::Instruction& instruction, const ptx::Instruction& like) {
  instruction.place = like.place;
  instruction.source_file = like.source_file;
  instruction.source_line = like.source_line;
}

BodyEditor::BodyEditor(ptx::Function& function)
    : function_(function), removed_(function.body.size(), false), inserted_(function.body.size() + 1) {}

void BodyEditor::insert(std::uint32_t instruction, ptx::Instruction added) {
  inserted_[instruction].push_back(std::move(added));
}

void BodyEditor::insert_label(std::uint32_t instruction, std::uint32_t label) {
  labels_.push_back({label, instruction, static_cast<std::uint32_t>(inserted_[instruction].size())});
}

ptx::Instruction BodyEditor::take(std::uint32_t instruction) {
  removed_[instruction] = true;
  return copy_of(function_.body[instruction]);
}

void BodyEditor::apply() {
  std::vector<ptx::Instruction> body;
  std::vector<std::uint32_t> place(function_.body.size() + 1, 0);
  for (std::size_t i = 0; i <= function_.body.size(); ++i) {
    place[i] = static_cast<std::uint32_t>(body.size());
    for (ptx::Instruction& added : inserted_[i]) {
      body.push_back(std::move(added));
    }
    if (i < function_.body.size() && !removed_[i]) {
      body.push_back(std::move(function_.body[i]));
    }
  }
  for (ptx::Label& label : function_.labels) {
    label.instruction = place[label.instruction];
  }
  for (const NewLabel& label : labels_) {
    function_.labels[label.label].instruction = place[label.instruction] + label.inserted;
  }
  labels_.clear();
  function_.body = std::move(body);
  removed_.assign(function_.body.size(), false);
  inserted_.clear();
  inserted_.resize(function_.body.size() + 1);
}

}  // namespace warpsim::codegen
