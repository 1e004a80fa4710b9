#include "codegen/emitter.h"

#include <algorithm>
#include <cctype>

#include "isa/opcode_table.h"

namespace warpsim::codegen {

namespace {

bool is_word_character(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') {
    text.remove_prefix(1);
  }
  while (!text.empty() && text.back() == ' ') {
    text.remove_suffix(1);
  }
  return text;
}

// Calls `part` with each of the parts between separators.
template <class Part>
void split(std::string_view text, std::string_view separator, Part&& part) {
  for (;;) {
    const std::size_t end = std::min(text.find(separator), text.size());
    part(trimmed(text.substr(0, end)));
    if (end == text.size()) {
      return;
    }
    text.remove_prefix(end + separator.size());
  }
}

constexpr std::string_view kOperandLetters = "dpabce";
constexpr std::string_view kTemporaryLetters = "tuvwxyz";
constexpr std::string_view kWideLetters = "TUVW";
constexpr std::string_view kPredicateLetters = "PQ";

bool is_letter(char c) {
  return kOperandLetters.find(c) != std::string_view::npos || kTemporaryLetters.find(c) != std::string_view::npos ||
         kWideLetters.find(c) != std::string_view::npos || kPredicateLetters.find(c) != std::string_view::npos;
}

Pipe pipe_of(std::string_view opcode) {
  constexpr std::uint32_t kNewest = 90;
  StaticInstruction known;
  classify(opcode, kNewest, known);
  return known.kind == OpKind::kCompute ? known.pipe : Pipe::kNone;
}

bool is_number(const MachineOperand& operand) {
  return operand.value == kNone && (operand.before.starts_with("0x") || operand.before.starts_with("-0x"));
}

// Position of a single letter in an operand's text; npos: none.
std::size_t find_letter(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool alone = (i == 0 || (!is_word_character(text[i - 1]) && text[i - 1] != '.')) &&
                       (i + 1 == text.size() || !is_word_character(text[i + 1]));
    if (alone && is_letter(text[i])) {
      return i;
    }
  }
  return std::string_view::npos;
}

}  // namespace

Number Emitter::add_value(Value::File file, std::uint8_t words) {
  values.push_back({file, words, kNone, 0});
  return static_cast<Number>(values.size() - 1);
}

void Emitter::emit(std::string opcode, std::vector<MachineOperand> operands) {
  add({std::move(opcode), std::move(operands), {}, kNone, kNone});
}

void Emitter::emit_move(const MachineOperand& to, const MachineOperand& from, bool by_multiplier) {
  if (by_multiplier) {
    emit("IMAD.MOV.U32", {to, text_operand("RZ"), text_operand("RZ"), from});
  } else {
    emit("MOV", {to, from});
  }
}

void Emitter::add(MachineInstruction instruction) {
  if (reads_constants_) {  // before 9.0, which has sums of two of its own
    if (instruction.opcode == "VIADD") {
      instruction.opcode = "IADD3";
      instruction.operands.push_back(text_operand("RZ"));
    }
    constants_.fit(*this, instruction);
  }
  doubles_.fit(*this, instruction);
  weigh(instruction.opcode);
  code.push_back(std::move(instruction));
}

void Emitter::weigh(std::string_view opcode) {
  switch (pipe_of(opcode)) {
    case Pipe::kAlu:
      ++alu_lead_;
      break;
    case Pipe::kFma:
    case Pipe::kFmaHeavy:
      --alu_lead_;
      break;
    default:
      break;
  }
}

// Uses alternatives in turn; if the ALU has far more work, those that do not use it. Immediates are not added
// by multiply-adds.
std::string_view Emitter::choose(std::string_view sequence, const Letters& letters) {
  constexpr std::string_view kBetweenAlternatives = " | ";
  constexpr std::int32_t kFarMore = 4;
  std::vector<std::string_view> alternatives;
  split(sequence, kBetweenAlternatives, [&](std::string_view alternative) { alternatives.push_back(alternative); });
  if (alternatives.size() == 1) {
    return alternatives.front();
  }
  const auto by_multiplier =
      std::ranges::find_if(alternatives, [](std::string_view alternative) { return alternative.starts_with("IMAD"); });
  const bool can = by_multiplier != alternatives.end();
  const bool adds_number = can && by_multiplier->starts_with("IMAD.IADD") && is_number(letters('b', 0));
  if (can && !adds_number && alu_lead_ >= kFarMore) {
    return *by_multiplier;
  }
  std::string_view chosen;
  do {
    chosen = alternatives[turns_[sequence.data()]++ % alternatives.size()];
  } while (adds_number && chosen == *by_multiplier);
  return chosen;
}

Emitter::Temporaries Emitter::expand(std::string_view sequence, const Letters& letters, Temporaries known) {
  const std::string_view chosen = choose(sequence, letters);
  if (!chosen.empty()) {
    split(chosen, ";", [&](std::string_view step) { expand_step(step, letters, known); });
  }
  return known;
}

void Emitter::expand_step(std::string_view step, const Letters& letters, Temporaries& temporaries) {
  MachineInstruction instruction;
  if (step.front() == '@') {
    const std::size_t blank = step.find(' ');
    const bool is_negated = step[1] == '!';
    instruction.guard =
        read_operand(step.substr(is_negated ? 2 : 1, blank - (is_negated ? 2 : 1)), letters, temporaries);
    instruction.guard.before = is_negated ? "@!" : "@";
    step = trimmed(step.substr(blank));
  }
  const std::size_t blank = std::min(step.find(' '), step.size());
  instruction.opcode = step.substr(0, blank);
  if (blank != step.size()) {
    split(step.substr(blank + 1), ", ",
          [&](std::string_view text) { instruction.operands.push_back(read_operand(text, letters, temporaries)); });
  }
  add(std::move(instruction));
}

MachineOperand Emitter::read_operand(std::string_view text, const Letters& letters, Temporaries& temporaries) {
  const std::size_t at = find_letter(text);
  if (at == std::string_view::npos) {
    return text_operand(std::string(text));
  }
  const char letter = text[at];
  std::string_view before = text.substr(0, at);
  std::string_view behind = text.substr(at + 1);
  std::uint8_t word = 0;
  if (behind.size() >= 2 && behind[0] == '.' && std::isdigit(static_cast<unsigned char>(behind[1])) != 0 &&
      (behind.size() == 2 || !is_word_character(behind[2]))) {
    word = static_cast<std::uint8_t>(behind[1] - '0');
    behind.remove_prefix(2);
  }
  MachineOperand operand;
  if (kOperandLetters.find(letter) != std::string_view::npos) {
    operand = letters(letter, word);
  } else {
    auto found = temporaries.find(letter);
    if (found == temporaries.end()) {
      const bool is_predicate = kPredicateLetters.find(letter) != std::string_view::npos;
      const bool is_wide = kWideLetters.find(letter) != std::string_view::npos;
      found = temporaries.emplace(letter, is_predicate ? predicate() : temporary(is_wide ? 2 : 1)).first;
    }
    operand = found->second;
    operand.word = word;
  }
  if (before == "-") {
    operand = negated(std::move(operand));
  } else if (operand.value != kNone || operand.before == "RZ" || operand.before == "PT") {
    operand.before.insert(0, before);
    operand.behind += behind;
  } else if (before == "[") {  // an address that is a number
    operand.before = "[" + operand.before + "]";
  }
  return operand;
}

MachineOperand negated(MachineOperand operand) {
  if (operand.before.starts_with('-')) {
    operand.before.erase(0, 1);
  } else if (operand.before != "RZ") {
    operand.before.insert(0, "-");
  }
  return operand;
}

}  // namespace warpsim::codegen
