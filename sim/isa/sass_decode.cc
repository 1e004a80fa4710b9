#include "isa/sass_decode.h"

#include <algorithm>
#include <stdexcept>

#include "isa/opcode_table.h"
#include "isa/operand_widths.h"
#include "isa/sass_operand.h"

namespace warpsim {
namespace {

using Kind = SassOperand::Kind;

void add_uniform(std::uint64_t& mask, std::uint8_t index, std::uint32_t width) {
  for (std::uint32_t i = index; i < index + width && i < 63; ++i) {
    mask |= std::uint64_t{1} << i;
  }
}

void add_predicate(std::uint8_t& mask, const SassOperand& operand) {
  if (operand.kind == Kind::kPredicateSet) {
    mask |= 0x7f;
  } else if (operand.index != kNoPredicate) {
    mask = static_cast<std::uint8_t>(mask | (1U << operand.index));
  }
}

RegisterRange range_of(std::uint8_t first, std::uint32_t width) {
  if (first == kZeroRegister || width == 0) {
    return {};
  }
  const std::uint32_t count = std::min<std::uint32_t>(width, kZeroRegister - first);
  return {first, static_cast<std::uint8_t>(count)};
}

// Reads "@!P0 ", "@UP1 " from the front.
std::string_view take_guard(std::string_view text, StaticInstruction& out) {
  out.guard = kNoPredicate;
  if (text.empty() || text[0] != '@') {
    return text;
  }
  const std::size_t end = std::min(text.find(' '), text.size());
  const std::vector<SassOperand> guard = parse_operands(text.substr(1, end - 1));
  if (guard.size() != 1 || !guard[0].is_predicate() || guard[0].kind == Kind::kPredicateSet) {
    throw std::invalid_argument("expected a predicate after '@' in '" + std::string(text) + "'");
  }
  if (guard[0].kind == Kind::kPredicate) {
    out.guard = guard[0].index;
  } else {
    add_predicate(out.uniform_predicate_sources, guard[0]);
  }
  text.remove_prefix(end);
  text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
  return text;
}

// How many of the leading operands are results.
std::size_t result_count(Results results, const std::vector<SassOperand>& operands) {
  std::size_t n = 0;
  const auto while_predicate = [&](std::size_t limit) {
    while (n < operands.size() && n < limit && operands[n].is_predicate() && operands[n].text[0] != '!') {
      ++n;
    }
  };
  switch (results) {
    case Results::kNone:
      break;
    case Results::kOne:
      n = operands.empty() ? 0 : 1;
      break;
    case Results::kOnePredicate:
      while_predicate(1);
      break;
    case Results::kTwoPredicates:
      while_predicate(2);
      break;
    case Results::kAllButLast:
      n = operands.empty() ? 0 : operands.size() - 1;
      break;
    case Results::kRegister:
      while_predicate(2);
      if (n < operands.size() && operands[n].is_plain_register()) {
        ++n;
        while_predicate(n + 2);
      }
      break;
  }
  return n;
}

void add_result(const SassOperand& operand, std::uint8_t width, StaticInstruction& out) {
  if (operand.kind == Kind::kRegister) {
    RegisterRange& slot = out.destinations[0].count == 0 ? out.destinations[0] : out.destinations[1];
    slot = range_of(operand.index, width);
  } else if (operand.kind == Kind::kUniformRegister) {
    add_uniform(out.uniform_destinations, operand.index, width);
  } else if (operand.kind == Kind::kUniformPredicate) {
    add_predicate(out.uniform_predicate_destinations, operand);
  } else if (operand.is_predicate()) {
    add_predicate(out.predicate_destinations, operand);
  }
}

// Places the sources of one instruction in their slots.
class SourcePlacer {
 public:
  SourcePlacer(StaticInstruction& out, const OperandWidths& widths, SourceSlots slots)
      : out_(out), widths_(widths), slots_(slots) {}

  void add(const SassOperand& operand) {
    if (operand.is_predicate()) {
      const bool uniform = operand.kind == Kind::kUniformPredicate;
      add_predicate(uniform ? out_.uniform_predicate_sources : out_.predicate_sources, operand);
      return;
    }
    // A packed half immediate is printed as two operands but is one.
    if (operand.kind == Kind::kImmediate && previous_ == Kind::kImmediate) {
      return;
    }
    previous_ = operand.kind;
    const std::uint8_t width = widths_.sources[std::min<std::size_t>(position_, 3)];
    if (operand.kind == Kind::kRegister) {
      place(range_of(operand.index, width), operand.reuse);
    } else if (operand.kind == Kind::kUniformRegister) {
      add_uniform(out_.uniform_sources, operand.index, width);
    } else {
      add_inner(operand);
    }
    // The two descriptors of a warpgroup operation's A and B are printed as one operand.
    position_ += operand.kind == Kind::kDescriptor && position_ == 0 ? 2 : 1;
  }

 private:
  std::size_t slot() const {
    if (slots_ == SourceSlots::kUnary) {
      return position_ + 1;
    }
    return slots_ == SourceSlots::kAddLike && position_ == 1 ? 2 : position_;
  }
  void place(RegisterRange range, bool reuse = false) {
    if (range.count == 0) {
      return;
    }
    std::size_t at = slot();
    if (at >= out_.sources.size() || out_.sources[at].count != 0) {
      const auto* free = std::ranges::find(out_.sources, 0, &RegisterRange::count);
      if (free == out_.sources.end()) {
        return;
      }
      at = static_cast<std::size_t>(free - out_.sources.begin());
    }
    out_.sources[at] = range;
    if (reuse) {
      out_.control.reuse_mask = static_cast<std::uint8_t>(out_.control.reuse_mask | 1U << at);
    }
  }
  void add_inner(const SassOperand& operand) {
    for (std::uint8_t i = 0; i < operand.inner_count; ++i) {
      const SassOperand::Inner& inner = operand.inner[i];
      if (inner.uniform) {
        add_uniform(out_.uniform_sources, inner.index, inner.width);
      } else {
        place(range_of(inner.index, std::max(inner.width, address_width_)));
      }
    }
    if (operand.kind == Kind::kConstant) {
      // LDC and ULDC access the constant caches; only the offset of an indexed access is known.
      out_.has_constant_operand = out_.kind != OpKind::kConstantLoad && !operand.indexed;
      out_.indexed_constant = std::any_of(
          operand.inner.begin(), operand.inner.begin() + operand.inner_count,
          [](const SassOperand::Inner& inner) { return inner.index != (inner.uniform ? 63 : kZeroRegister); });
      out_.constant_bank = operand.bank;
      out_.constant_offset = operand.offset;
    }
  }

 public:
  void set_address_width(std::uint8_t width) { address_width_ = width; }

 private:
  StaticInstruction& out_;
  const OperandWidths& widths_;
  SourceSlots slots_;
  std::size_t position_ = 0;
  Kind previous_ = Kind::kOther;
  std::uint8_t address_width_ = 1;
};

// Thread-indexed special registers are read through the LSU, the others through the ADU (measured on sm_90).
void classify_special_register(const std::vector<SassOperand>& operands, StaticInstruction& out) {
  if (out.timing != TimingClass::kSpecialRegister || out.pipe != Pipe::kLsu || operands.size() < 2) {
    return;
  }
  const std::string_view name = operands[1].text;
  const bool per_thread = name.starts_with("SR_TID") || name == "SR_LANEID" || name.ends_with("MASK");
  out.pipe = per_thread ? Pipe::kLsu : Pipe::kAdu;
}

// Numbers that belong to synchronisation and branches.
void take_immediates(const std::vector<SassOperand>& operands, StaticInstruction& out) {
  const auto is_immediate = [](const SassOperand& operand) { return operand.kind == Kind::kImmediate; };
  if (out.kind == OpKind::kBarrier) {
    const bool known = !operands.empty() && is_immediate(operands[0]);
    out.immediate = known ? static_cast<std::int32_t>(operands[0].value) : -1;
    if (operands.size() > 1 && is_immediate(operands[1])) {
      out.barrier_threads = static_cast<std::uint16_t>(operands[1].value);
    }
  } else if (out.kind == OpKind::kBranch) {
    const auto target = std::find_if(operands.rbegin(), operands.rend(), is_immediate);
    out.immediate = target == operands.rend() ? -1 : static_cast<std::int32_t>(target->value);
  } else if (out.kind == OpKind::kWarpgroupDependWait) {
    const auto threshold = std::ranges::find_if(operands, is_immediate);
    out.immediate = threshold == operands.end() ? -1 : static_cast<std::int32_t>(threshold->value);
  } else if (out.kind == OpKind::kDependBarrier) {
    for (const SassOperand& operand : operands) {
      if (operand.kind == Kind::kScoreboard) {
        out.depbar_counter = operand.index;
      } else if (operand.kind == Kind::kScoreboardSet) {
        out.control.wait_mask |= operand.set;
      } else if (is_immediate(operand)) {
        out.immediate = static_cast<std::int32_t>(operand.value);
      }
    }
  }
}

// "HGMMA... R24, R56, gdesc[UR4], R24, gsb0" takes A from registers and closes a group.
void take_warpgroup_operands(const std::vector<SassOperand>& operands, StaticInstruction& out) {
  if (out.kind == OpKind::kWarpgroupMma) {
    out.mma_a_in_registers = operands.size() > 1 && operands[1].kind == Kind::kRegister;
    out.mma_closes_group =
        std::ranges::any_of(operands, [](const SassOperand& operand) { return operand.text.starts_with("gsb"); });
  }
}

std::string_view take_opcode(std::string_view& text) {
  const std::size_t end = std::min(text.find_first_of(" \t"), text.size());
  const std::string_view opcode = text.substr(0, end);
  const auto valid = [](char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '_';
  };
  if (opcode.empty() || opcode[0] < 'A' || opcode[0] > 'Z' || !std::ranges::all_of(opcode, valid)) {
    throw std::invalid_argument("expected an opcode, got '" + std::string(opcode) + "'");
  }
  text.remove_prefix(end);
  return opcode;
}

}  // namespace

std::uint16_t intern_opcode(std::vector<std::string>& opcodes, std::string_view opcode) {
  const auto found = std::ranges::find(opcodes, opcode);
  if (found != opcodes.end()) {
    return static_cast<std::uint16_t>(found - opcodes.begin());
  }
  if (opcodes.size() > 0xfffe) {
    throw std::invalid_argument("too many different opcodes");
  }
  opcodes.emplace_back(opcode);
  return static_cast<std::uint16_t>(opcodes.size() - 1);
}

void decode_sass(std::string_view text, std::uint32_t architecture, std::vector<std::string>& opcodes,
                 StaticInstruction& out) {
  text = take_guard(text, out);
  const std::string_view opcode = take_opcode(text);
  out.opcode = intern_opcode(opcodes, opcode);
  classify(opcode, architecture, out);
  out.control.reuse_mask = 0;
  const std::size_t comment = text.find("(*");  // branch targets, as nvdisasm prints them
  const std::vector<SassOperand> operands = parse_operands(text.substr(0, comment));
  const OperandWidths widths = operand_widths(opcode, out);
  const std::size_t results = result_count(operand_results(opcode), operands);
  for (std::size_t i = 0; i < results; ++i) {
    add_result(operands[i], widths.destination, out);
  }
  SourcePlacer placer(out, widths, operand_slots(opcode));
  if (architecture < 70) {
    placer.set_address_width(address_registers(opcode, out));
  }
  for (std::size_t i = results; i < operands.size(); ++i) {
    placer.add(operands[i]);
  }
  classify_special_register(operands, out);
  take_immediates(operands, out);
  take_warpgroup_operands(operands, out);
}

}  // namespace warpsim
