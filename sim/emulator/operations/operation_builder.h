// Turns one PTX instruction into an operation. Tables of binders define the opcodes (operation_table.h); the builder
// gives them the instruction's words and operands and ensures that none is ignored: a word that no binder accepted is
// an error, with its place.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "emulator/code/function_code.h"
#include "emulator/code/symbol_places.h"
#include "ptx/module.h"

namespace warpsim {

class FunctionDecoder;

class OperationBuilder {
 public:
  OperationBuilder(FunctionDecoder& function, const ptx::Instruction& instruction)
      : function_(function), instruction_(instruction) {}

  const ptx::Instruction& instruction() const { return instruction_; }
  Operation operation;

  // --- words after the opcode ---
  // Whether the word is present; it then counts as read.
  bool take(std::string_view word);
  // Whether the word at this place among the modifiers is still unread.
  bool is_left(std::size_t place) const { return (taken_ >> place & 1U) == 0; }
  // The next unread type word; fails if there is none.
  ptx::DataType take_type();
  std::optional<ptx::DataType> take_type_if_any();
  // A state space; generic if none is stated.
  ptx::StateSpace take_space();
  std::uint32_t take_vector();  // .v2, .v4, .v8: elements; 1 otherwise
  // The first unread word; empty if there is none.
  std::string_view take_next();
  // Fails if a word is unread.
  void finish() const;

  // --- operands ---
  std::size_t operands() const { return instruction_.operands.size(); }
  const ptx::Operand& operand(std::size_t number) const;  // fails if it is missing
  bool is_discarded(std::size_t number) const;
  // A register that can hold the type, a number, an address, or a special register.
  OperandPlace source(std::size_t number, ptx::DataType type);
  OperandPlace source(const ptx::Operand& operand, ptx::DataType type);
  // A register to write; for a discarded operand one that is never read.
  OperandPlace destination(std::size_t number, ptx::DataType type);
  OperandPlace destination(const ptx::Operand& operand, ptx::DataType type);
  OperandPlace predicate_source(std::size_t number);  // a negated one gets a copy: see negates()
  OperandPlace predicate_destination(std::size_t number);
  bool negates(std::size_t number) const { return operand(number).negated; }
  // The p of d|p; kNoPlace if there is none.
  OperandPlace second_destination(std::size_t number);
  // The elements of a vector operand (or the one register) are entered into the function's lists; returns the first.
  std::uint32_t source_list(const ptx::Operand& operand, ptx::DataType type, std::uint32_t count);
  std::uint32_t destination_list(const ptx::Operand& operand, ptx::DataType type, std::uint32_t count);
  // [base + offset]: sets operation.a and operation.offset, checks the space; a base is 64 or 32 bits wide.
  void address(std::size_t number);
  void address(const ptx::Operand& operand);
  // Another address of the same instruction, entered into the function's lists; for second_addresses().
  static constexpr std::uint32_t kAddressEntries = 4;  // that it takes there
  std::uint32_t second_address(std::size_t number, ptx::StateSpace space);
  // A constant of the type in all lanes.
  OperandPlace constant(std::uint64_t bits, std::uint32_t bytes);
  // Registers for the operation itself, of so many bytes per lane.
  OperandPlace scratch(std::uint32_t bytes);

  FunctionDecoder& function() { return function_; }

  // Throws PtxError naming place, instruction and kernel.
  [[noreturn]] void fail(const std::string& what) const;

 private:
  void address_pair(const ptx::Operand& pair);

  FunctionDecoder& function_;
  const ptx::Instruction& instruction_;
  std::uint64_t taken_ = 0;  // bit i: word i is read
};

// Sets handler, operands and control of the builder's operation.
using Binder = void (*)(OperationBuilder& builder);

}  // namespace warpsim
