// The replacement of an instruction of one SASS architecture on another.
//
// Every opcode of the opcode table is native from some architecture on, up to another; elsewhere it is replaced by
// a sequence of native instructions, as the compiler for that capability would write it, or the capability cannot
// execute it. Each row names the source of its sequence: code of real compilers where available.
// Modelled: number, classes and dependences of the instructions. Not modelled: values, other register allocation.
//
// A sequence is text: "LOP t, a; LOP u, b; IMUL d, t, u". d is the instruction's result, a, b, c its sources in order,
// other letters are temporaries, - is no result. Marks after a step's letters:
//   m  it makes the recorded access, and inherits its width and cache operator
//   s  it accesses shared memory without conflicts; of a copy: the part that it moves
//   g  it accesses the part of a copy in global memory
//   !  it does what the instruction does at barriers in shared memory
// and, after a step or a group of steps "(LOP3 t, a, b; POPC u, t)", the reason why they are repeated together:
//   *  until the multiply-adds (or matrices) of the instruction are done; *4: a round does four of each lane
//   #  until the operands that the instruction has in shared memory are read
//   ~  until all parts of a copy have been moved
// A single "=" means that a modifier makes the opcode native. Steps that are not native themselves are lowered
// again.
// Invariant: lowering ends in native opcodes (checked by a test).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warpsim {

enum class Nativity : std::uint8_t {
  kNative,
  kSequence,  // several native instructions, or one of another name
  kMissing,   // the capability cannot execute it
};

struct LoweringRow {
  std::string_view opcode;
  std::string_view modifier;  // modifier, or several in a row, to which it applies; empty: all modifiers
  std::uint32_t first = 0;    // SASS architectures on which the row applies
  std::uint32_t last = 0;
  std::string_view sequence;  // empty: missing
};
// In order of opcode; the first row of an opcode that applies is used.
std::span<const LoweringRow> lowering_rows();

enum class StepAccess : std::uint8_t {
  kNone,  // or unknown
  kRecorded,
  kShared,
  kGlobal,
};

// The reason why steps are repeated.
enum class StepRepeat : std::uint8_t {
  kOnce,
  kMultiplyAdds,
  kSharedOperands,
  kCopy,
};

// Operands are letters: a to d as above, capitals for temporaries, - for none.
struct LoweredStep {
  std::string opcode;
  char destination = '-';
  std::string sources;  // "ab": in order
  StepAccess access = StepAccess::kNone;
  bool operates = false;  // at barriers in shared memory
  StepRepeat repeat = StepRepeat::kOnce;
  std::uint32_t group = 0;      // steps with one number are repeated together
  std::uint32_t lane_work = 0;  // multiply-adds of a lane in a round; 0: those of the opcode, or one
};

struct Lowering {
  Nativity nativity = Nativity::kNative;
  std::vector<LoweredStep> steps;  // of a sequence
};

// `opcode` with all its modifiers. All steps are native.
Lowering lower(std::string_view opcode, std::uint32_t architecture);

}  // namespace warpsim
