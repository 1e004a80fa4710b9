// Collects the selected machine instructions, with the values that need registers.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "codegen/constant_operands.h"
#include "codegen/double_constants.h"
#include "codegen/machine_instruction.h"

namespace warpsim::codegen {

class Emitter {
 public:
  // `reads_constants`: arithmetic reads constant banks by address, as before 9.0.
  explicit Emitter(bool reads_constants) : reads_constants_(reads_constants), doubles_(!reads_constants) {}

  std::vector<MachineInstruction> code;
  std::vector<Value> values;

  Number count() const { return static_cast<Number>(code.size()); }
  Number add_value(Value::File file, std::uint8_t words);
  MachineOperand operand(Number value, std::uint8_t word = 0) const { return {"", value, word, ""}; }
  MachineOperand temporary(std::uint8_t words = 1) { return operand(add_value(Value::File::kGeneral, words)); }
  MachineOperand uniform(std::uint8_t words = 1) { return operand(add_value(Value::File::kUniform, words)); }
  MachineOperand predicate() { return operand(add_value(Value::File::kPredicate, 1)); }

  void emit(std::string opcode, std::vector<MachineOperand> operands);
  // A move of one word; compilers alternate between the ALU and the multiplier.
  void emit_move(const MachineOperand& to, const MachineOperand& from, bool by_multiplier);

  // The sequence of an instruction row (instruction_rows.h). `letters` gives the operand of a letter, of
  // 64-bit ones the low word for word 0.
  using Letters = std::function<MachineOperand(char letter, std::uint8_t word)>;
  // `known` are temporaries that earlier instructions have set; returns them and the other ones.
  using Temporaries = std::map<char, MachineOperand>;
  Temporaries expand(std::string_view sequence, const Letters& letters, Temporaries known = {});

  // Instructions emitted before do not share time with later ones.
  void begin_block() {
    alu_lead_ = 0;
    constants_.begin_block();
    doubles_.begin_block();
  }

 private:
  void add(MachineInstruction instruction);
  void weigh(std::string_view opcode);
  std::string_view choose(std::string_view sequence, const Letters& letters);
  void expand_step(std::string_view step, const Letters& letters, Temporaries& temporaries);
  MachineOperand read_operand(std::string_view text, const Letters& letters, Temporaries& temporaries);

  bool reads_constants_;
  ConstantOperands constants_;
  DoubleConstants doubles_;
  std::map<const char*, std::uint32_t> turns_;  // of alternatives, by sequence
  std::int32_t alu_lead_ = 0;                   // instructions of the block on the ALU minus those on the multiplier
};

// "-x" of "x", also of numbers.
MachineOperand negated(MachineOperand operand);

}  // namespace warpsim::codegen
