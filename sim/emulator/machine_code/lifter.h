// Translates decoded machine instructions to the emulator's instructions: PTX, and the operations of machine code that
// PTX does not have (operations/operations_machine.cc).
//
// Each machine instruction becomes one line of text with one or several statements under its guard. General registers
// are %r0 to %r254, uniform ones %u0 to %u62, of 32 bits each; predicates %p0 to %p6 and %v0 to %v6; convergence
// barriers %b0 to %b15. Registers that begin with %t, %s, %q and %h are only used within a line. Words of constant
// banks are registers that the code before the first instruction fills.
// An instruction without a translation is an error that names it.
#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "emulator/machine_code/system_functions.h"
#include "sass/machine_instruction.h"

namespace warpsim {

// Machine code that cannot be executed, with the instruction and its address.
class UntranslatedInstruction : public UserError {
 public:
  using UserError::UserError;
};

class Lifter {
 public:
  // `parameter_base`: where parameters begin in constant bank 0; `literals`: name of the array with bank 2.
  Lifter(std::uint32_t architecture, std::uint32_t parameter_base, std::string literals)
      : architecture_(architecture), parameter_base_(parameter_base), literals_(std::move(literals)) {}

  // Code of functions from kFunctionsBegin on follows the kernel's own, which has so many bytes.
  void set_functions(std::uint64_t kernel_bytes) { kernel_bytes_ = kernel_bytes; }
  // The functions of the driver that registers may hold the address of; unless stated, all of system_functions().
  void set_system_functions(std::vector<const SystemFunction*> functions) { system_functions_ = std::move(functions); }
  // The text of one instruction, without labels. `immediate`: a register that has its immediate value of 32 bits, if
  // that is not the one in its word. Throws UntranslatedInstruction.
  std::string lift(const sass::MachineInstruction& instruction, const std::string& immediate = {});
  // Words of constant banks that the instructions so far read: bank, byte offset.
  const std::set<std::pair<std::uint32_t, std::int64_t>>& constants() const { return constants_; }
  // Byte offsets of the targets of direct branches so far; whether there are branches to computed addresses.
  const std::set<std::uint64_t>& targets() const { return targets_; }
  bool has_computed_targets() const { return computed_targets_; }
  // Banks that are read at offsets in registers.
  const std::set<std::uint32_t>& indexed_banks() const { return indexed_banks_; }

  static std::string constant_name(std::uint32_t bank, std::int64_t offset);
  static std::string label(std::uint64_t offset);

  // --- for the tables of instructions ---
  std::uint32_t architecture() const { return architecture_; }
  const sass::MachineInstruction& instruction() const { return *instruction_; }
  const sass::MachineOperand& operand(std::size_t number) const {
    if (number >= instruction_->operands.size()) {
      fail("an operand that others of its kind have is missing");
    }
    return instruction_->operands[number];
  }
  std::size_t operand_count() const { return instruction_->operands.size(); }
  bool shown(std::size_t number) const { return !operand(number).hidden; }
  std::uint32_t modifier(std::string_view field) const { return instruction_->modifier(field); }
  std::string_view modifier_text(std::string_view field) const;
  // Adds a statement under the guard, without its semicolon.
  void add(const std::string& statement);
  // The same also under a predicate ("!%p1").
  void add_under(const std::string& predicate, const std::string& statement);
  // Adds a statement that is executed whatever the guard is; the same for text with its own semicolons.
  void add_always(const std::string& statement) { add_text(statement + ";"); }
  void add_text(const std::string& text) { line_ += (line_.empty() ? "" : " ") + text; }
  // The guard as a source: "%p1", "!%p1", "%pt".
  std::string guard() const;
  [[noreturn]] void fail(const std::string& why) const;

  // Names of places. A source of 32 bits, `part` words after it (pairs and quadruples of registers); an integer source
  // with its minus or complement applied, a float source with its signs.
  std::string word(const sass::MachineOperand& operand, std::uint32_t part = 0);
  // The same where PTX wants a float: RZ is 0f00000000.
  std::string float_word(const sass::MachineOperand& operand, std::uint32_t part = 0);
  std::string integer(std::size_t number);
  std::string single(std::size_t number);
  // The same for instructions that negate it themselves: `negative` says whether they must; also for those that take
  // its absolute value themselves.
  std::string single_without_sign(std::size_t number, bool& negative);
  std::string single_without_signs(std::size_t number, bool& negative, bool& absolute);
  // A word of a constant bank.
  std::string constant(std::uint32_t bank, std::int64_t offset);
  // Loads from a constant bank at an offset plus a register ("" for none). `type`: vector and type of PTX.
  void read_bank(std::uint32_t bank, const std::string& base, std::int64_t offset, const std::string& type,
                 const std::string& destination);
  // 64 bits, put together in a register of its own; of integers and of doubles with their signs.
  std::string pair(std::size_t number);
  std::string real(std::size_t number);
  // Destinations; "_" for RZ.
  std::string destination(std::size_t number, std::uint32_t part = 0) const;
  // Takes a register of 64 bits apart into the destination.
  void set_pair(std::size_t number, const std::string& wide);
  // A predicate, with its negation ("!%p1"); "%pt" for PT.
  std::string predicate(std::size_t number) const;
  // A predicate to be written; "_" for PT.
  std::string predicate_destination(std::size_t number) const;
  bool is_true(std::size_t number) const;   // PT, not negated
  bool is_false(std::size_t number) const;  // !PT
  // Names for one line.
  std::string scratch() { return "%t" + std::to_string(words_++); }
  std::string wide_scratch() { return "%s" + std::to_string(wides_++); }
  std::string predicate_scratch() { return "%q" + std::to_string(predicates_++); }
  std::string half_scratch() { return "%h" + std::to_string(halves_++); }
  // [register + offset] of an address: global memory (64 bits), or 32 bits of shared and local memory. 64 bits may also
  // be
  // [{lower register + offset, upper register}] where accesses are certainly those of global memory.
  std::string wide_address(std::size_t number);
  std::string global_address(std::size_t number);
  std::string narrow_address(std::size_t number);
  // The label of a branch's target.
  std::string target(std::size_t number);
  void needs_computed_targets() { computed_targets_ = true; }
  std::uint64_t kernel_bytes() const { return kernel_bytes_; }  // 0: no functions outside of its own code
  const std::vector<const SystemFunction*>& callable_system_functions() const { return system_functions_; }

 private:
  std::uint32_t architecture_;
  std::uint32_t parameter_base_;
  std::string literals_;
  const sass::MachineInstruction* instruction_ = nullptr;
  std::uint64_t kernel_bytes_ = 0;
  std::vector<const SystemFunction*> system_functions_ = all_system_functions();
  std::string immediate_;
  std::string line_;
  std::string guard_;
  bool never_ = false;
  std::uint32_t words_ = 0;
  std::uint32_t wides_ = 0;
  std::uint32_t predicates_ = 0;
  std::uint32_t halves_ = 0;
  std::set<std::pair<std::uint32_t, std::int64_t>> constants_;
  std::set<std::uint64_t> targets_;
  bool computed_targets_ = false;
  std::set<std::uint32_t> indexed_banks_;
};

// "gtu" of "GTU".
std::string in_small_letters(std::string_view text);
// Comparisons F and T ("f", "t") have one result for all sources, which is a predicate.
inline bool is_constant(std::string_view compare) {
  return compare == "f" || compare == "t";
}
inline const char* constant_of(std::string_view compare) {
  return compare == "t" ? "%pt" : "!%pt";
}

// Names that a line may use at most.
inline constexpr std::uint32_t kLineRegisters = 64;

struct LiftedOpcode {
  std::string_view mnemonic;
  void (*lift)(Lifter& lifter);
};
// One table per family, each in its own file.
std::span<const LiftedOpcode> lifted_integer_opcodes();
std::span<const LiftedOpcode> lifted_extreme_opcodes();
std::span<const LiftedOpcode> lifted_logic_opcodes();
std::span<const LiftedOpcode> lifted_float_opcodes();
std::span<const LiftedOpcode> lifted_float_extreme_opcodes();
std::span<const LiftedOpcode> lifted_half_opcodes();
std::span<const LiftedOpcode> lifted_conversion_opcodes();
std::span<const LiftedOpcode> lifted_memory_opcodes();
std::span<const LiftedOpcode> lifted_atomic_opcodes();
std::span<const LiftedOpcode> lifted_control_opcodes();
std::span<const LiftedOpcode> lifted_call_opcodes();
std::span<const LiftedOpcode> lifted_warp_opcodes();
std::span<const LiftedOpcode> lifted_matrix_opcodes();
std::span<const LiftedOpcode> lifted_texture_opcodes();
std::span<const LiftedOpcode> lifted_surface_opcodes();
std::span<const LiftedOpcode> lifted_asynchronous_opcodes();
std::span<const LiftedOpcode> lifted_warpgroup_opcodes();

}  // namespace warpsim
