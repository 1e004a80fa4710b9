#include "support/plain_machine_code.h"

#include <algorithm>
#include <memory>
#include <string>

#include "isa/opcode_table.h"
#include "isa/sass_decode.h"

namespace warpsim::test {

namespace {

constexpr std::uint32_t kArchitecture = 90;

bool has(const ptx::Instruction& instruction, std::string_view word) {
  return std::ranges::find(instruction.modifiers, word) != instruction.modifiers.end();
}

std::string width_of(const ptx::Instruction& instruction) {
  const bool wide = has(instruction, "u64") || has(instruction, "b64") || has(instruction, "f64");
  const int words = (wide ? 2 : 1) * (has(instruction, "v4") ? 4 : has(instruction, "v2") ? 2 : 1);
  return words == 4 ? ".128" : words == 2 ? ".64" : "";
}

std::string memory_opcode(const ptx::Instruction& instruction, bool loads) {
  const std::string width = width_of(instruction);
  if (has(instruction, "param")) {
    return "LDC" + width;
  }
  for (const std::string_view space : {"shared", "shared::cta"}) {
    if (has(instruction, space)) {
      return (loads ? "LDS" : "STS") + width;
    }
  }
  if (has(instruction, "local")) {
    return (loads ? "LDL" : "STL") + width;
  }
  return (loads ? "LD" : "ST") + std::string(has(instruction, "global") ? "G.E" : ".E") + width;
}

std::string opcode_of(const ptx::Instruction& instruction) {
  const std::string_view opcode = instruction.opcode;
  if (opcode == "ld" || opcode == "st") {
    return memory_opcode(instruction, opcode == "ld");
  }
  if (opcode == "atom") {
    return has(instruction, "shared") ? "ATOMS.ADD" : "ATOMG.E.ADD.STRONG.GPU";
  }
  if (opcode == "red") {
    return "RED.E.ADD.STRONG.GPU";
  }
  if (opcode == "cp") {
    return has(instruction, "commit_group") ? "LDGDEPBAR"
           : has(instruction, "wait_all")   ? "DEPBAR.LE"
                                            : "LDGSTS.E.BYPASS.128";
  }
  if (opcode == "bar" || opcode == "barrier") {
    if (has(instruction, "warp")) {
      return "NOP";
    }
    if (has(instruction, "cluster")) {
      return has(instruction, "arrive") ? "UCGABAR_ARV" : "UCGABAR_WAIT";
    }
    return has(instruction, "arrive") ? "BAR.ARV"
           : has(instruction, "red")  ? "BAR.RED.POPC"
                                      : "BAR.SYNC.DEFER_BLOCKING";
  }
  if (opcode == "mov" && !instruction.operands.empty() && instruction.operands.back().name.starts_with("clock")) {
    return "CS2R.32";
  }
  if (opcode == "ldmatrix") {
    return "LDSM.16.M88.4";
  }
  return opcode == "bra"                           ? "BRA"
         : opcode == "ret" || opcode == "exit"     ? "EXIT"
         : opcode == "call"                        ? "CALL.REL.NOINC"
         : opcode == "membar" || opcode == "fence" ? "MEMBAR.SC.GPU"
                                                   : "IADD3";
}

void add_registers(const ptx::Operand& operand, std::vector<RegisterRange>& found) {
  if (operand.kind == ptx::Operand::Kind::kRegister) {
    found.push_back({static_cast<std::uint8_t>(operand.number % 200), 1});
  }
  for (const ptx::Operand& element : operand.elements) {
    add_registers(element, found);
  }
}

void set_registers(const ptx::Instruction& instruction, StaticInstruction& machine) {
  std::vector<RegisterRange> sources;
  for (std::size_t i = 0; i < instruction.operands.size(); ++i) {
    const bool written = i == 0 && machine.kind != OpKind::kStore && machine.kind != OpKind::kReduction;
    std::vector<RegisterRange> registers;
    add_registers(instruction.operands[i], registers);
    if (written && !registers.empty()) {
      machine.destinations[0] = registers.front();
    } else {
      sources.insert(sources.end(), registers.begin(), registers.end());
    }
  }
  std::copy_n(sources.begin(), std::min(sources.size(), machine.sources.size()), machine.sources.begin());
}

void add(StaticProgram& program, const std::string& opcode, const ptx::Instruction* instruction,
         std::vector<MachinePlace>& places) {
  StaticInstruction machine;
  machine.pc = static_cast<std::uint32_t>(program.instructions.size()) * program.instruction_bytes;
  machine.opcode = intern_opcode(program.opcodes, opcode);
  classify(opcode, kArchitecture, machine);
  if (machine.kind == OpKind::kBarrier) {
    machine.immediate = -1;
  }
  if (instruction != nullptr) {
    set_registers(*instruction, machine);
  }
  places.push_back({static_cast<std::uint32_t>(program.instructions.size()), 1, 0});
  program.instructions.push_back(machine);
}

}  // namespace

MachineCode plain_machine_code(const ptx::Module& module) {
  auto program = std::make_shared<StaticProgram>();
  program->function = "kernel";
  program->architecture = kArchitecture;
  MachineCode code;
  code.registers_per_thread = 32;
  for (const ptx::Function& function : module.functions) {
    std::vector<MachinePlace>& places = code.places.emplace_back();
    for (const ptx::Instruction& instruction : function.body) {
      const bool returns = !function.is_entry && instruction.opcode == "ret";
      add(*program, returns ? "RET.REL.NODEC" : opcode_of(instruction), &instruction, places);
    }
    add(*program, function.is_entry ? "EXIT" : "RET.REL.NODEC", nullptr, places);
  }
  code.program = std::move(program);
  return code;
}

}  // namespace warpsim::test
