// A kernel's code, rewritten for another architecture: instructions that it lacks become sequences of the lowering
// table (isa/lowering.h), the others get the properties that they have on it.
//
// Modelled: classes, number and dependences of the instructions; registers of sequences beyond those of the kernel;
// repeated steps on different parts of the result and different temporaries, as a compiler would write them.
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
  // Where an instruction of the recorded program went.
  struct Place {
    std::uint32_t first = 0;
    std::uint32_t count = 1;
    std::int32_t memory = 0;  // of its instructions the one that makes the recorded access; -1: none
    bool replaced = false;    // by one of another name, by several, or by nothing
    bool counted = false;     // replaced by several or by nothing
    // What it does at barriers, or which parts it copies, is known only when it is executed: the first of its
    // instructions stands for one that does nothing known, the others do it.
    bool asynchronous = false;
  };
  // What the table says of an instruction of the program; nothing of those that are native.
  struct Role {
    StepAccess access = StepAccess::kNone;
    bool operates = false;  // at barriers in shared memory
    bool copies = false;    // repeated until a copy is done
  };
  // What became of the instructions of one opcode.
  struct Change {
    Nativity nativity = Nativity::kNative;
    // "XMAD, XMAD.MRG, XMAD.PSL.CBCC", of repeated instructions each once; "SHL or MOV" where modifiers differ.
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
