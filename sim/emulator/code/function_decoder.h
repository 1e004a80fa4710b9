// Decodes a PTX function: places of registers, parameters, variables and constants, then each instruction through the
// operation tables, then targets and reconvergence points of branches.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "emulator/code/function_code.h"
#include "emulator/code/symbol_places.h"
#include "emulator/operations/operation_builder.h"

namespace warpsim {

class FunctionDecoder {
 public:
  // `kernel` is for messages.
  FunctionDecoder(const SymbolPlaces& symbols, std::uint32_t function, std::string kernel);
  // Throws PtxError.
  std::unique_ptr<FunctionCode> decode();

  // --- for the builder ---
  const ptx::Function& source() const { return *code_->source; }
  const SymbolPlaces& symbols() const { return symbols_; }
  FunctionCode& code() { return *code_; }
  const std::string& kernel() const { return kernel_; }
  bool is_entry() const { return number_ == symbols_.entry; }
  OperandPlace place_of(std::uint32_t reg) const { return places_[reg]; }
  OperandPlace constant(std::uint64_t bits, std::uint32_t bytes);
  OperandPlace scratch(std::uint32_t bytes);
  // One bit per lane for add.cc, addc and the like, shared by the function.
  OperandPlace condition_code();
  OperandPlace special(SpecialRegister which, std::uint8_t component, bool wide);
  // The symbol's address in its own space, as a program sees it, and this space.
  struct SymbolAddress {
    ptx::StateSpace space = ptx::StateSpace::kGeneric;
    std::uint64_t address = 0;
    bool of_frame = false;  // relative to the call's local memory or parameter area
  };
  SymbolAddress address_of(const ptx::Operand& symbol) const;

 private:
  void place_registers();
  void place_variables();
  void decode_instruction(std::uint32_t number);
  void finish_constants();
  void find_restored();

  const SymbolPlaces& symbols_;
  std::uint32_t number_;
  std::string kernel_;
  std::unique_ptr<FunctionCode> code_;
  std::vector<OperandPlace> places_;              // of registers
  std::vector<std::uint32_t> parameter_offsets_;  // of the function's parameters, then results
  std::vector<std::uint32_t> variable_offsets_;   // of its .local and .param variables
  std::map<std::pair<std::uint64_t, std::uint32_t>, std::uint32_t> constants_;  // bits, bytes: number
  std::vector<std::pair<std::uint64_t, std::uint32_t>> constant_values_;        // in order
  std::uint32_t constant_bytes_ = 0;
  OperandPlace condition_code_ = kNoPlace;
};

}  // namespace warpsim
