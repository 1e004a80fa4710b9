// A PTX module that does what machine code does: the form in which the emulator executes cubins. Loading it takes the
// variables; each kernel is translated when it is first needed, since libraries have thousands that nobody launches.
//
// A kernel's machine instructions are translated one by one (lifter.h); general registers, predicates and convergence
// barriers of the machine become registers of the function. Its parameters are one array, since machine code reads them
// at offsets of constant bank 0. Local memory is one array, the stack; static shared memory is one array from address 0
// on. What drivers store in bank 0 (driver_words.h) is computed by code before the first instruction, and so are halves
// of addresses that instructions hold: a warp executes that code for its first block and keeps the registers for
// others. A function has the code of the kernel and of all functions that the kernel may call: calls and returns are
// jumps, their addresses those of the module's space of code addresses.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "emulator/machine_code/system_functions.h"
#include "ptx/module.h"
#include "sass/decoder.h"
#include "sass/instruction_word.h"
#include "sass/line_table.h"

namespace warpsim {

struct MachineParameter {
  std::uint32_t offset = 0;  // from the first parameter
  std::uint32_t bytes = 0;
};

// Half of an address of a variable, which is the immediate value of an instruction.
struct MachineImmediate {
  std::uint64_t offset = 0;  // of the instruction in its part
  std::string variable;
  std::uint64_t addend = 0;
  bool constant = false;  // the variable is in constant memory
  bool upper = false;     // half
};

// Code in the module's space of code addresses: that of a kernel begins at 0, that of functions outside of kernels
// at kFunctionsBegin, so that their addresses are the same for all kernels.
struct MachineCodePart {
  std::string name;  // of the function; of a kernel's own code empty
  std::uint64_t address = 0;
  std::vector<std::byte> bytes;
  std::vector<MachineImmediate> immediates = {};
  std::vector<sass::LineRow> lines = {};  // by offset in the part
};
inline constexpr std::uint64_t kFunctionsBegin = std::uint64_t{1} << 30U;

struct MachineKernel {
  std::string name;
  std::vector<MachineCodePart> code;  // its own, then that of the functions that it may call, by address
  // Where functions that it calls begin in its own code.
  std::uint64_t functions_begin = ~std::uint64_t{0};
  std::uint32_t registers = 0;       // of a thread
  std::uint32_t parameter_base = 0;  // in constant bank 0
  std::uint32_t parameter_bytes = 0;
  std::vector<MachineParameter> parameters;  // by offset
  std::uint32_t system_shared_bytes = 0;     // at the beginning of shared memory
  std::uint32_t shared_bytes = 0;            // static, after them
  std::uint32_t stack_bytes = 0;             // local memory of a thread
  std::vector<std::byte> literals;           // constant bank 2
  std::vector<std::string> bounds;           // on launches: PTX directives, ".reqntid 32, 1, 1"
  std::string refusal;                       // not empty: why it cannot be executed
};

// A word of 8 bytes in constant bank 4 or in a variable: the address of a variable, or of code.
struct MachineAddress {
  std::uint64_t offset = 0;
  std::string variable;  // empty: the addend is the address
  std::uint64_t addend = 0;
};

struct MachineVariable {
  std::string name;
  std::uint64_t bytes = 0;
  std::uint32_t alignment = 1;
  bool constant = false;
  std::vector<std::byte> initial;              // empty: zeros
  std::vector<MachineAddress> addresses = {};  // in it; then it consists of words of 8 bytes
  bool managed = false;                        // the host accesses it, too
};

struct MachineModule {
  std::string file;  // for messages
  std::uint32_t architecture = 0;
  std::uint32_t virtual_architecture = 0;  // of the PTX from which it was compiled
  std::vector<MachineKernel> kernels;
  std::optional<std::vector<const SystemFunction*>> system_functions;  // that it refers to; absent: any
  std::vector<MachineVariable> variables;
  std::vector<std::byte> constants;                // bank 3
  std::vector<MachineAddress> constant_addresses;  // in it
  struct ConstantPart {                            // a variable in it
    std::string name;
    std::uint64_t offset = 0;
    std::uint64_t bytes = 0;
  };
  std::vector<ConstantPart> constant_parts;
  std::uint64_t address_bytes = 0;  // of bank 4
  std::vector<MachineAddress> addresses;
  std::vector<std::string> source_files;
};

// A kernel as the text of a PTX module, in which the variables that it uses are .extern.
struct LiftedInstruction {
  std::uint64_t address = 0;
  sass::InstructionWord word;
  std::uint32_t source_file = 0;  // in MachineModule::source_files
  std::uint32_t source_line = 0;  // 0: not known
  bool uniform = false;           // of the uniform datapath
  bool once = false;              // for one lane of the warp
};
struct LiftedKernel {
  std::string refusal;  // not empty: why it cannot be translated; there is no text then
  std::string text;
  std::uint32_t first = 0;  // line of its first machine instruction, from 1; each has a line
  bool grows_stack = false;
  std::vector<LiftedInstruction> instructions;
};
// `kernel`: one of the module, with its code; `number`: its place there.
LiftedKernel lifted_kernel(const MachineModule& module, const sass::Decoder& decoder, const MachineKernel& kernel,
                           std::uint32_t number);

// Adds what a kernel lacks in MachineModule::kernels: its code or a refusal, and where functions begin. Several threads
// may call it at once.
using CompleteKernel = std::function<void(std::uint32_t number, MachineKernel& kernel)>;

// The module with its variables; kernels are translated when they are needed (ptx::KernelSource). Throws
// sass::UnknownInstruction if there is no decoder for the architecture; PtxError: the address of an unknown variable.
// In a kernel Instruction::place.line is the number of the machine instruction, from 1; code before the first one has
// the line behind the last one. The source lines are those that the machine code states, as those of .loc.
std::unique_ptr<ptx::Module> lifted_module(MachineModule module, CompleteKernel complete = {});

}  // namespace warpsim
