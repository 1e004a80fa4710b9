// Changes the instructions of a PTX function; labels keep their places.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "ptx/module.h"

namespace warpsim::codegen {

ptx::Operand copy_of(const ptx::Operand& operand);
ptx::Instruction copy_of(const ptx::Instruction& instruction);
ptx::Operand register_operand(std::uint32_t number);
ptx::Operand integer_operand(std::int64_t value);

// Returns the number of a new register, or of a new label in front of an instruction; its name is `name` with a number.
std::uint32_t add_register(ptx::Module& module, ptx::Function& function, const std::string& name, ptx::DataType type);
std::uint32_t add_label(ptx::Module& module, ptx::Function& function, const std::string& name,
                        std::uint32_t instruction);

// Reads the register name(r) instead, where a register r is read and not written.
void rename_reads(ptx::Instruction& instruction, const std::function<std::uint32_t(std::uint32_t)>& name);

ptx::Instruction branch_to(std::uint32_t label, std::optional<ptx::Guard> guard);
// The place in the text and in the source is that of `like`.
void place_like(ptx::Instruction& instruction, const ptx::Instruction& like);

class BodyEditor {
 public:
  explicit BodyEditor(ptx::Function& function);

  void remove(std::uint32_t instruction) { removed_[instruction] = true; }
  // In front of `instruction` (or at the end), after earlier insertions there. A label there then precedes
  // the inserted instructions.
  void insert(std::uint32_t instruction, ptx::Instruction added);
  // The label is in front of what is inserted there next, and of `instruction` if nothing is.
  void insert_label(std::uint32_t instruction, std::uint32_t label);
  // Removes the instruction and returns it, for insertion elsewhere.
  ptx::Instruction take(std::uint32_t instruction);
  void apply();

 private:
  ptx::Function& function_;
  std::vector<bool> removed_;
  std::vector<std::vector<ptx::Instruction>> inserted_;
  struct NewLabel {
    std::uint32_t label = 0;
    std::uint32_t instruction = 0;
    std::uint32_t inserted = 0;  // instructions before the label that were inserted in front of `instruction`
  };
  std::vector<NewLabel> labels_;
};

}  // namespace warpsim::codegen
