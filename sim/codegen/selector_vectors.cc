// Vectors: elements in consecutive registers.
#include <algorithm>

#include "codegen/function_selector.h"

namespace warpsim::codegen {

using ptx::Operand;

// Elements of a vector that no other vector holds get consecutive registers.
void FunctionSelector::group(const Operand& vector) {
  std::uint32_t words = 0;
  std::vector<std::uint32_t> members;
  const Operand& front = vector.elements.front();
  const Value::File file = front.kind == Operand::Kind::kRegister
                               ? emitter_.values[facts_.name_for(front.number).reg].file
                               : Value::File::kGeneral;
  for (const Operand& element : vector.elements) {
    if (element.kind != Operand::Kind::kRegister) {
      return;
    }
    const RegisterFacts::Name name = facts_.name_for(element.number);
    const Value& value = emitter_.values[name.reg];
    const bool free = name.word == 0 && value.part_of == kNone && value.file == file &&
                      facts_.constant(element.number) == nullptr &&
                      std::ranges::find(members, name.reg) == members.end();
    if (!free) {
      return;
    }
    members.push_back(name.reg);
    words += value.words;
  }
  if (words > 8 || members.size() < 2) {
    return;
  }
  const Number whole = emitter_.add_value(file, static_cast<std::uint8_t>(words));
  std::uint8_t word = 0;
  for (const std::uint32_t member : members) {
    emitter_.values[member].part_of = whole;
    emitter_.values[member].word = word;
    word = static_cast<std::uint8_t>(word + emitter_.values[member].words);
  }
}

// Consecutive registers that hold the elements; moves them if they are part of other vectors, or constants.
MachineOperand FunctionSelector::vector_source(const Operand& operand) {
  if (operand.kind != Operand::Kind::kVector) {
    return source(operand);
  }
  if (operand.elements.size() == 1) {
    return source(operand.elements[0]);
  }
  const auto whole_of = [&](const Operand& element) {
    return element.kind == Operand::Kind::kRegister ? emitter_.values[facts_.name_for(element.number).reg].part_of
                                                    : kNone;
  };
  const Number whole = whole_of(operand.elements[0]);
  bool together = whole != kNone;
  std::uint8_t word = 0;
  for (const Operand& element : operand.elements) {
    together = together && whole_of(element) == whole &&
               emitter_.values[facts_.name_for(element.number).reg].word == word % emitter_.values[whole].words;
    word = static_cast<std::uint8_t>(word + (element.kind == Operand::Kind::kRegister ? words_of(element.number) : 1));
  }
  if (together && word % emitter_.values[whole].words == 0) {  // the whole vector, or fragments that are held once
    return emitter_.operand(whole);
  }
  MachineOperand all = emitter_.temporary(std::min<std::uint8_t>(word, 8));
  std::uint8_t at = 0;
  for (const Operand& element : operand.elements) {
    const std::uint32_t words = element.kind == Operand::Kind::kRegister ? words_of(element.number) : 1;
    for (std::uint32_t i = 0; i < words && at < 8; ++i, ++at) {
      emitter_.emit("MOV", {emitter_.operand(all.value, at), source(element, static_cast<std::uint8_t>(i))});
    }
  }
  return all;
}

MachineOperand FunctionSelector::vector_destination(const Operand& operand) {
  if (operand.kind != Operand::Kind::kVector) {
    return destination(operand);
  }
  std::uint32_t words = 0;
  Number whole = kNone;
  for (const Operand& element : operand.elements) {
    if (element.kind == Operand::Kind::kRegister) {
      words += words_of(element.number);
      whole = emitter_.values[element.number].part_of;
    } else {
      ++words;
    }
  }
  if (operand.elements.size() == 1) {
    return destination(operand.elements[0]);
  }
  if (whole != kNone && emitter_.values[whole].words == words) {
    return emitter_.operand(whole);
  }
  return emitter_.temporary(static_cast<std::uint8_t>(std::min(words, 8U)));
}

}  // namespace warpsim::codegen
