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
// others around it those that only touch registers (see machine_order.h).
struct MachinePlace {
  std::uint32_t first = 0;  // in StaticProgram::instructions
  std::uint16_t count = 0;  // 0: folded into those of others, or nothing to do
  // Which of them does what others can see (accesses memory, waits at the barrier, reads the clock): the PTX
  // instruction is executed when it issues. The last one if nobody can see anything.
  std::uint16_t effect = 0;
  bool gathers = false;  // the first of them is where lanes that parted wait for one another (BSYNC)
};

struct MachineCode {
  std::shared_ptr<const StaticProgram> program;
  // By number of the function in the module, then by PTX instruction; after them the return at the function's end.
  // Empty for functions that the kernel cannot reach.
  std::vector<std::vector<MachinePlace>> places;
  // By machine instruction: it stands beside others than those of its own PTX instruction and is executed for all
  // threads that come by. None if it is empty.
  std::vector<bool> for_all;
  std::uint32_t registers_per_thread = 0;
};

}  // namespace warpsim
