#include "codegen/constant_operands.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <span>
#include <string_view>
#include <utility>

#include "codegen/double_constants.h"
#include "codegen/emitter.h"
#include "codegen/operand_use.h"
#include "isa/opcode_table.h"

namespace warpsim::codegen {

namespace {

bool is_in_bank(const MachineOperand& operand) {
  return operand.value == kNone && operand.before.find("c[") != std::string::npos;
}

// A number, or a place in a constant bank.
bool is_constant(const MachineOperand& operand) {
  if (operand.value != kNone || operand.before.empty()) {
    return false;
  }
  const std::size_t sign = operand.before.find_first_not_of("-|~+");
  const char first = operand.before[sign == std::string::npos ? 0 : sign];
  return is_in_bank(operand) || (first >= '0' && first <= '9') || operand.before == "+INF" ||
         operand.before == "-INF" || operand.before == "+QNAN";
}

bool starts_with_any(std::string_view opcode, std::span<const std::string_view> names) {
  return std::ranges::any_of(names, [opcode](std::string_view name) {
    return opcode.starts_with(name) && (opcode.size() == name.size() || opcode[name.size()] == '.');
  });
}

// The sources of which one can be a constant; the remaining operands are fields of their own.
std::size_t wide_sources(std::string_view opcode) {
  constexpr auto kTwo =
      std::to_array<std::string_view>({"LEA", "ISETP", "FSETP", "DSETP", "HSETP2", "SEL", "FSEL", "FMNMX", "IMNMX",
                                       "VIMNMX", "HMNMX2", "FSET", "HSET2", "FCHK", "SGXT", "BMSK"});
  constexpr std::size_t kMost = 3;
  return starts_with_any(opcode, kTwo) ? 2 : kMost;
}

// Whether the first two sources can change places; a comparison changes its sense then.
bool commutes(std::string_view opcode) {
  constexpr auto kSymmetric =
      std::to_array<std::string_view>({"FADD", "FMUL", "FFMA", "DADD", "DMUL", "DFMA", "HADD2", "HMUL2", "HFMA2",
                                       "IADD3", "IMAD", "FMNMX", "IMNMX", "VIMNMX", "ISETP", "FSETP", "DSETP"});
  return starts_with_any(opcode, kSymmetric);
}

void turn_comparison(std::string& opcode) {
  if (opcode.find("SETP.") == std::string::npos) {
    return;
  }
  using Pair = std::pair<std::string_view, std::string_view>;
  constexpr auto kTurned = std::to_array<Pair>({{".LT", ".GT"}, {".GT", ".LT"}, {".LE", ".GE"}, {".GE", ".LE"}});
  for (const auto& [from, to] : kTurned) {
    if (const std::size_t at = opcode.find(from); at != std::string::npos) {
      opcode.replace(at, from.size(), to);
      return;
    }
  }
}

bool is_wide(std::string_view opcode, std::size_t source) {
  constexpr std::size_t kThird = 2;
  return is_double_arithmetic(opcode) || (opcode.starts_with("IMAD.WIDE") && source == kThird);
}

// The place of the next word.
std::string next_word(const std::string& place) {
  const std::size_t at = place.rfind("[0x") + 3;
  std::uint64_t offset = 0;
  std::from_chars(place.data() + at, place.data() + place.size(), offset, 16);
  return fmt::format("{}{:x}]", place.substr(0, at), offset + 4);
}

bool is_arithmetic(std::string_view opcode) {
  constexpr std::uint32_t kArchitecture = 80;
  StaticInstruction known;
  classify(opcode, kArchitecture, known);
  return known.kind == OpKind::kCompute && known.pipe != Pipe::kNone && !opcode.starts_with("R2UR") &&
         !opcode.starts_with("U");
}

}  // namespace

MachineOperand ConstantOperands::held(Emitter& emitter, const MachineInstruction& by, const MachineOperand& constant,
                                      bool is_wide) {
  // Signs belong to the instruction, not to the constant.
  const std::size_t sign = std::min(constant.before.find("c["), constant.before.size());
  const bool in_bank = is_in_bank(constant);
  const std::string text = in_bank ? constant.before.substr(sign) : constant.before;
  const std::string key = (is_wide ? "wide " : "") + text;
  MachineOperand value;
  // A value under a guard is not there for others.
  const bool is_guarded = !by.guard.before.empty();
  if (const auto known = held_.find(key); known != held_.end() && !is_guarded) {
    value = known->second;
  } else {
    value = emitter.temporary(is_wide ? 2 : 1);
    std::string word = text;
    const std::uint8_t words = is_wide && in_bank ? 2 : 1;
    for (std::uint8_t i = 0; i < words; ++i) {
      value.word = i;
      emitter.emit_move(value, text_operand(word), moves_++ % 2 != 0);
      word = in_bank ? next_word(word) : word;
    }
    value.word = 0;
    if (!is_guarded) {
      held_.emplace(key, value);
    }
  }
  value.before = in_bank ? constant.before.substr(0, sign) : "";
  value.behind = constant.behind;
  return value;
}

void ConstantOperands::fit(Emitter& emitter, MachineInstruction& instruction) {
  std::vector<MachineOperand>& operands = instruction.operands;
  if (std::ranges::none_of(operands, is_in_bank) || !is_arithmetic(instruction.opcode)) {
    return;
  }
  const std::size_t first = result_count(instruction, emitter.values);
  const std::size_t end = std::min(operands.size(), first + wide_sources(instruction.opcode));
  if (end <= first + 1) {  // its only source
    return;
  }
  if (is_in_bank(operands[first]) && commutes(instruction.opcode) && !is_constant(operands[first + 1])) {
    std::swap(operands[first], operands[first + 1]);
    turn_comparison(instruction.opcode);
  }
  // The last place in a bank stays, or an immediate if there is none.
  std::size_t kept = end;
  for (std::size_t i = first + 1; i < end; ++i) {
    const bool before_place = kept == end || !is_in_bank(operands[kept]);
    kept = is_in_bank(operands[i]) || (is_constant(operands[i]) && before_place) ? i : kept;
  }
  for (std::size_t i = first; i < end; ++i) {
    if (i != kept && is_constant(operands[i])) {
      operands[i] = held(emitter, instruction, operands[i], is_wide(instruction.opcode, i - first));
    }
  }
}

}  // namespace warpsim::codegen
