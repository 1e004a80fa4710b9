#include "codegen/function_selector.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "codegen/constant_places.h"
#include "codegen/instruction_rows.h"
#include "ptx/operand_roles.h"
#include "ptx/ptx_error.h"

namespace warpsim::codegen {

using ptx::Instruction;
using ptx::Operand;

namespace {

bool uses_global_memory(const ptx::Function& function) {
  return std::ranges::any_of(function.body, [](const Instruction& instruction) {
    const bool accesses = instruction.opcode == "ld" || instruction.opcode == "st" || instruction.opcode == "atom" ||
                          instruction.opcode == "red" || instruction.opcode == "cp" || instruction.opcode == "wmma";
    return accesses && !has_word(instruction, "param") && !has_word(instruction, "shared") &&
           !has_word(instruction, "local") && !has_word(instruction, "const");
  });
}

}  // namespace

FunctionSelector::FunctionSelector(const ptx::Module& module, const ptx::Function& function, std::uint32_t architecture)
    : module_(module),
      function_(function),
      architecture_(architecture),
      graph_(ptx::make_flow_graph(function)),
      reads_constants_(reads_constants_by_address(architecture)),
      facts_(function, graph_, architecture),
      uniform_(function, graph_, facts_, architecture),
      emitter_(reads_constants_),
      convergence_(find_convergence_barriers(function, graph_, WarpUniformity(function, graph_))),
      fillers_(architecture) {}

void FunctionSelector::fail(const Instruction& instruction) const {
  std::string text(instruction.opcode);
  for (const std::string_view word : instruction.modifiers) {
    text += '.';
    text += word;
  }
  throw ptx::PtxError(fmt::format("{}:{}:{}: there is no machine code for {}", module_.file, instruction.place.line,
                                  instruction.place.column, text));
}

SelectedFunction FunctionSelector::select() {
  make_values();
  constexpr std::uint32_t kClusters = 90;
  if (architecture_ >= kClusters) {
    find_early_bases();
  }
  const Number begin = emitter_.count();
  if (function_.is_entry) {
    emitter_.emit(reads_constants_ ? "MOV" : "LDC", {text_operand("R1"), text_operand("c[0x0][0x28]")});
  }
  constexpr std::uint32_t kDescriptors = 80;
  if (architecture_ >= kDescriptors && uses_global_memory(function_)) {
    const MachineOperand descriptor = emitter_.uniform(2);
    descriptor_ = descriptor.value;
    emitter_.emit("ULDC.64", {descriptor, text_operand(reads_constants_ ? "c[0x0][0x118]" : "c[0x0][0x208]")});
  }
  for (std::uint32_t i = 0; i < function_.body.size(); ++i) {
    const Number first = i == 0 ? begin : emitter_.count();
    effect_ = kNone;
    if (graph_.blocks[graph_.block_of[i]].begin == i) {
      emitter_.begin_block();
      fragment_bases_.clear();
      turns_.clear();
      divisors_.clear();
      fillers_.begin_block(is_target(i));
    }
    if (convergence_.gathers[i]) {
      emitter_.emit("BSYNC", {text_operand("B0")});
    }
    if (const auto early = early_bases_.find(i); early != early_bases_.end()) {
      std::ranges::for_each(early->second, [this](std::string_view name) { shared_base_of(name); });
    }
    if (convergence_.opens[i]) {
      emitter_.emit("BSSY", {text_operand("B0"), text_operand("0x0")});
    }
    select(i);
    const Number count = emitter_.count() - first;
    for (Number k = first; k < emitter_.count(); ++k) {
      emitter_.code[k].ptx = i;
      fillers_.follow(emitter_.code[k]);
    }
    const Number effect = effect_ == kNone || effect_ >= emitter_.count() ? std::max(count, 1U) - 1 : effect_ - first;
    places_.push_back(
        {first, static_cast<std::uint16_t>(count), static_cast<std::uint16_t>(effect), convergence_.gathers[i]});
  }
  places_.push_back({emitter_.count(), 0, 0, false});
  if (ends_behind()) {
    places_.back().count = 1;
    emitter_.emit(function_.is_entry ? "EXIT" : "RET.REL.NODEC", {});
  }
  return {std::move(emitter_.code),  std::move(places_), std::move(emitter_.values), std::move(value_of_), {},
          std::move(path_registers_)};
}

// Whether branches lead to the instruction.
bool FunctionSelector::is_target(std::uint32_t index) const {
  return std::ranges::any_of(function_.labels, [&](const ptx::Label& label) { return label.instruction == index; });
}

// Whether threads reach the end of the text; in functions, returning threads wait for each other there.
bool FunctionSelector::ends_behind() const {
  const auto is_end = [&](const ptx::Label& label) { return label.instruction == function_.body.size(); };
  if (!function_.is_entry || function_.body.empty() || std::ranges::any_of(function_.labels, is_end)) {
    return true;
  }
  const Instruction& last = function_.body.back();
  return last.guard || !ptx::ends_block(last);
}

void FunctionSelector::select(std::uint32_t index) {
  const Instruction& instruction = function_.body[index];
  if (facts_.is_folded(index)) {
    return;
  }
  const Number first = emitter_.count();
  const bool is_selected = (instruction.opcode == "ld" && load_constant(instruction)) ||
                           select_address_part(instruction) || select_control(instruction) ||
                           select_memory(instruction);
  if (!is_selected) {
    if (instruction.opcode == "mov" || instruction.opcode == "cvta") {
      select_move(instruction, index);
    } else if (instruction.opcode == "cvt") {
      select_conversion(instruction);
    } else if (instruction.opcode == "setp") {
      select_setp(instruction);
    } else if (instruction.opcode == "set") {
      select_set(instruction);
    } else if (instruction.opcode == "sin" || instruction.opcode == "cos") {
      select_circular(instruction);
    } else if (!select_with_folded(instruction)) {
      select_by_row(instruction);
    }
  }
  if (instruction.guard && instruction.opcode != "bra") {
    for (Number i = first; i < emitter_.count(); ++i) {
      MachineInstruction& chosen = emitter_.code[i];
      if (chosen.guard.before.empty()) {
        chosen.guard = emitter_.operand(facts_.name_for(instruction.guard->predicate).reg);
        chosen.guard.before = instruction.guard->negated ? "@!" : "@";
      }
    }
  }
}

// The values t and v of a row that divides.
Emitter::Temporaries FunctionSelector::divisor_values(const Instruction& instruction, const InstructionRow& row) {
  if (row.divisor.empty()) {
    return {};
  }
  const Number divisor = shared_value(instruction, instruction.operands[2]);
  const std::pair key(divisor, row.divisor.data());
  if (const auto known = divisors_.find(key); divisor != kNone && known != divisors_.end()) {
    return known->second;
  }
  const Emitter::Temporaries all = emitter_.expand(row.divisor, letters_of(instruction));
  Emitter::Temporaries kept = {{'t', all.at('t')}, {'v', all.at('v')}};
  if (divisor != kNone) {
    divisors_[key] = kept;
  }
  return kept;
}

// The value of a source from which other instructions of the block may derive the same; kNone if they cannot.
Number FunctionSelector::shared_value(const Instruction& instruction, const Operand& source) const {
  if (source.kind != Operand::Kind::kRegister || source.minus || instruction.guard ||
      facts_.folded(source) != nullptr) {
    return kNone;
  }
  const Number value = facts_.name_for(source.number).reg;
  return facts_.only_write(value) == RegisterFacts::kNowhere ? kNone : value;
}

void FunctionSelector::select_by_row(const Instruction& instruction) {
  const InstructionRow* const row = find_row(instruction, architecture_);
  if (row == nullptr) {
    fail(instruction);
  }
  emitter_.expand(row->sequence, letters_of(instruction), divisor_values(instruction, *row));
  if (row->path_registers != 0) {
    path_registers_[static_cast<std::uint32_t>(&instruction - function_.body.data())] = row->path_registers;
  }
}

// --- constants and moves ---

// What arithmetic reads by address needs no instruction; what is needed in registers is moved there.
bool FunctionSelector::load_constant(const Instruction& instruction) {
  constexpr std::uint32_t kWordBytes = 4;
  const Operand& to = instruction.operands[0];
  if (!reads_constants_ || constant_place(module_, function_, instruction, 0, architecture_).empty()) {
    return false;
  }
  if (to.kind == Operand::Kind::kRegister && facts_.is_kept_constant(to.number)) {
    return true;
  }
  std::uint32_t bytes = kWordBytes;
  if (instruction.opcode == "ld") {
    bytes = ptx::bytes_of(ptx::data_type_of(instruction.modifiers.back()).value_or(ptx::DataType::kB8));
  }
  if (bytes < kWordBytes || !function_.is_entry) {  // LDC extends narrow values
    return false;
  }
  const auto words = static_cast<std::uint8_t>(
      bytes / kWordBytes * (to.kind == Operand::Kind::kVector ? static_cast<std::uint32_t>(to.elements.size()) : 1U));
  MachineOperand d = vector_destination(to);
  for (std::uint8_t word = 0; word < words && d.value != kNone; ++word) {
    MachineOperand part = d;
    part.word = static_cast<std::uint8_t>(d.word + word);
    const MachineOperand from = text_operand(constant_place(module_, function_, instruction, word, architecture_));
    emitter_.emit_move(part, from, numbers_++ % 2 != 0);
  }
  return true;
}

void FunctionSelector::move_number(const Instruction& instruction) {
  const Operand& to = instruction.operands[0];
  const bool is_zero = instruction.operands[1].bits == 0;
  for (std::uint8_t word = 0; word < std::min(words_of(to.number), 2U); ++word) {
    const MachineOperand d = destination(to, word);
    const MachineOperand value = number(instruction.operands[1], word);
    if (words_of(to.number) == 2 && is_zero) {
      emitter_.emit("CS2R", {d, text_operand("SRZ")});
      return;
    }
    load_number(d, value);
  }
}

// Alternates between two pipes, like compilers.
void FunctionSelector::load_number(const MachineOperand& d, const MachineOperand& value) {
  if (numbers_++ % 2 == 0) {
    emitter_.emit("HFMA2.MMA", {d, text_operand("-RZ"), text_operand("RZ"), value, text_operand("RZ")});
  } else {
    emitter_.emit("MOV", {d, value});
  }
}

void FunctionSelector::pack_halves(const MachineOperand& d, const Operand& lower, const Operand& upper) {
  const char* const first = is_upper_half(lower) ? "32" : "10";
  const char* const second = is_upper_half(upper) ? "76" : "54";
  emitter_.emit("PRMT",
                {d, word_source(lower), text_operand(fmt::format("0x{}{}", second, first)), word_source(upper)});
}

void FunctionSelector::select_move(const Instruction& instruction, std::uint32_t index) {
  const Operand& to = instruction.operands[0];
  const Operand& from = instruction.operands[1];
  if (to.kind == Operand::Kind::kVector) {  // unpacks a value into words, or halves of words
    if (from.kind != Operand::Kind::kRegister) {
      fail(instruction);
    }
    const bool halves = ptx::bytes_of(function_.registers[from.number].type) < 4 * to.elements.size();
    for (std::size_t i = 0; i < to.elements.size(); ++i) {
      const Operand& element = to.elements[i];
      if (element.kind != Operand::Kind::kRegister || facts_.name_for(element.number).reg != element.number ||
          facts_.reads(element.number) == 0) {
        continue;
      }
      const MachineOperand value = source(from, static_cast<std::uint8_t>(halves ? i / 2 : i));
      if (halves) {
        emitter_.emit("PRMT", {destination(element), value, text_operand(i % 2 == 0 ? "0x7610" : "0x7632"), value});
      } else {
        emitter_.emit("MOV", {destination(element), value});
      }
    }
    return;
  }
  if (to.kind != Operand::Kind::kRegister) {
    return;
  }
  const bool renames = facts_.name_for(to.number).reg != to.number;
  const bool once = facts_.only_write(to.number) == index;
  if (renames || (once && facts_.constant(to.number) != nullptr)) {
    return;
  }
  if (from.kind == Operand::Kind::kSymbol) {
    const ptx::Variable* const variable = variable_of(from);
    const bool is_near = variable != nullptr &&
                         (variable->space == ptx::StateSpace::kShared || variable->space == ptx::StateSpace::kLocal ||
                          variable->space == ptx::StateSpace::kParameter);
    if (!is_near) {
      emitter_.emit("LDC.64", {destination(to), text_operand("c[0x4][0x0]")});
    } else if (!once) {
      emitter_.emit("MOV", {destination(to), symbol_source(from, 0)});
    }
    return;
  }
  if (from.kind == Operand::Kind::kInteger || from.kind == Operand::Kind::kFloat) {
    if (function_.registers[to.number].type == ptx::DataType::kPredicate) {
      emitter_.emit("PLOP3.LUT",
                    {destination(to), text_operand("PT"), text_operand("PT"), text_operand("PT"), text_operand("PT"),
                     text_operand(from.bits != 0 ? "0x80" : "0x8"), text_operand("0x0")});
    } else {
      move_number(instruction);
    }
    return;
  }
  if (from.kind == Operand::Kind::kVector) {  // packs a value
    const bool halves = ptx::bytes_of(function_.registers[to.number].type) < 4 * from.elements.size();
    if (halves) {
      for (std::size_t i = 0; i + 1 < from.elements.size(); i += 2) {
        pack_halves(destination(to, static_cast<std::uint8_t>(i / 2)), from.elements[i], from.elements[i + 1]);
      }
      return;
    }
  }
  if (from.kind == Operand::Kind::kSpecial) {
    if (load_constant(instruction)) {
      return;
    }
    const Number before = emitter_.count();
    const MachineOperand value = special_source(from);
    SIM_CHECK(emitter_.count() == before + 1, "a special register is read by one instruction");
    // Directly into the register that was requested.
    const MachineOperand d = destination(to);
    MachineInstruction& read = emitter_.code.back();
    read.operands[0] = d;
    if (emitter_.values[value.value].file == Value::File::kUniform &&
        emitter_.values[d.value].file == Value::File::kGeneral) {
      read.opcode = "LDC";
    }
    return;
  }
  select_by_row(instruction);
}

}  // namespace warpsim::codegen
