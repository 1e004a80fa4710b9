// A PTX kernel as machine code, as a compiler for the capability would generate it, for timing only. The emulator
// executes PTX; this records the machine instructions of each PTX instruction.
//
// Modelled: number, opcodes, operands, registers and dependences of the machine instructions, their order in memory.
// Not modelled: encodings and values.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "isa/static_instruction.h"

namespace warpsim {

// The machine instructions that are issued with one PTX instruction, one after another in the program: its own, and of
// neighbouring ones those that only affect registers (see machine_order.h).
struct MachinePlace {
  std::uint32_t first = 0;  // in StaticProgram::instructions
  std::uint16_t count = 0;  // 0: folded into others, or no operation
  // The one with the effect that others can observe (accesses memory, waits at the barrier, reads the clock): the PTX
  // instruction is executed when it issues. The last one if there is no observable effect.
  std::uint16_t effect = 0;
  bool gathers = false;  // the first of them is where diverged lanes wait for each other (BSYNC)
};

struct MachineCode {
  std::shared_ptr<const StaticProgram> program;
  // By number of the function in the module, then by PTX instruction; after them the return at the function's end.
  // Empty for functions that the kernel cannot reach.
  std::vector<std::vector<MachinePlace>> places;
  // By machine instruction: it is placed among those of other PTX instructions and is executed for all
  // threads that arrive. Empty: none.
  std::vector<bool> for_all;
  std::uint32_t registers_per_thread = 0;
};

}  // namespace warpsim
