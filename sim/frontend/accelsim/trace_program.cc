#include "frontend/accelsim/trace_program.h"

#include <algorithm>
#include <limits>

#include "isa/opcode_table.h"
#include "isa/operand_widths.h"
#include "isa/sass_decode.h"

namespace warpsim {
namespace {

RegisterRange range_of(std::uint8_t first, std::uint32_t width) {
  if (first == kZeroRegister || width == 0) {
    return {};
  }
  return {first, static_cast<std::uint8_t>(std::min<std::uint32_t>(width, kZeroRegister - first))};
}

// Position of the i-th register in the instruction's operand list. The trace omits operands that are not registers.
std::size_t operand_of(std::size_t i, const InstructionBody& body, const StaticInstruction& instruction) {
  // A wide multiply-add with two registers: the even one is most likely the 64-bit addend, the third operand.
  if (instruction.timing == TimingClass::kIntMultiplyWide && body.source_count == 2 && i == 1 &&
      body.sources[1] % 2 == 0) {
    return 2;
  }
  return i;
}

bool has_address(const StaticInstruction& instruction) {
  return instruction.space != MemorySpace::kNone && instruction.space != MemorySpace::kConstant &&
         instruction.space != MemorySpace::kTexture;
}

void add_sources(const InstructionBody& body, StaticInstruction& out) {
  const OperandWidths widths = operand_widths(body.opcode, out);
  const std::uint8_t address = address_registers(body.opcode, out);
  const std::size_t count = std::min<std::size_t>(body.source_count, out.sources.size());
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t operand = operand_of(i, body, out);
    std::uint8_t width = widths.sources[operand];
    if (out.kind == OpKind::kAsyncCopy) {
      width = i == 0 ? 1 : address;  // shared address first, then the global one
    } else if (has_address(out) && i == 0) {
      width = address;
    }
    out.sources[operand] = range_of(body.sources[i], width);
  }
}

}  // namespace

StaticInstruction instruction_from_trace(std::uint32_t pc, const InstructionBody& body, std::int64_t immediate,
                                         std::uint32_t architecture, std::vector<std::string>& opcodes) {
  StaticInstruction out;
  out.pc = pc;
  out.opcode = intern_opcode(opcodes, body.opcode);
  classify(body.opcode, architecture, out);
  const std::uint8_t width = operand_widths(body.opcode, out).destination;
  for (std::size_t i = 0; i < std::min<std::size_t>(body.destination_count, out.destinations.size()); ++i) {
    out.destinations[i] = range_of(body.destinations[i], width);
  }
  add_sources(body, out);
  if (out.kind == OpKind::kBranch || out.kind == OpKind::kDependBarrier || out.kind == OpKind::kBarrier) {
    const bool fits = immediate >= 0 && immediate <= std::numeric_limits<std::int32_t>::max();
    out.immediate = fits ? static_cast<std::int32_t>(immediate) : -1;
  }
  if (out.kind == OpKind::kWarpgroupDependWait) {
    out.immediate = -1;  // not in traces
  }
  return out;
}

}  // namespace warpsim
