// A kernel's code, rewritten for another architecture: instructions that it lacks become sequences of the lowering
// table (isa/lowering.h), the others get their properties on the new architecture.
//
// Modelled: classes, number and dependences of the instructions; registers of sequences beyond those of the kernel;
// repeated steps on different parts of the result and different temporaries, as a compiler would generate them.
// Not modelled: the effect of another register allocation or another order; branch distances.
// Invariant: every step of a path has a position, and the path through the new program accesses the same memory.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "isa/lowering.h"
#include "isa/static_instruction.h"

namespace warpsim {

struct LoweredProgram {
  // The place of a recorded instruction in the new program.
  struct Place {
    std::uint32_t first = 0;
    std::uint32_t count = 1;
    std::int32_t memory = 0;  // its instruction that makes the recorded access; -1: none
    bool replaced = false;    // by one with another name, by several, or by none
    bool counted = false;     // replaced by several or by none
    // Its operation at barriers, or the parts that it copies, are known only when it executes: the first of its
    // instructions represents an unknown operation, the others execute it.
    bool asynchronous = false;
  };
  // The table's data for an instruction of the program; empty for native ones.
  struct Role {
    StepAccess access = StepAccess::kNone;
    bool operates = false;  // at barriers in shared memory
    bool copies = false;    // repeated until a copy is done
  };
  // The replacement of the instructions of one opcode.
  struct Change {
    Nativity nativity = Nativity::kNative;
    // "XMAD, XMAD.MRG, XMAD.PSL.CBCC", repeated instructions appear once; "SHL or MOV" if modifiers differ.
    std::string sequence;
  };

  std::shared_ptr<const StaticProgram> program;
  std::vector<Place> places;              // by recorded instruction
  std::vector<Role> roles;                // by instruction of the program
  std::map<std::string, Change> changed;  // by opcode without modifiers
  bool control_dropped = false;           // the control bits count another machine's cycles
};

// Programs of the same major architecture keep their control bits.
LoweredProgram lower_program(const StaticProgram& recorded, std::uint32_t architecture);

}  // namespace warpsim
