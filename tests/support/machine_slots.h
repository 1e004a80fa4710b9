// A kernel of machine code for 9.0 around one instruction, assembled here: it loads operands into fixed registers,
// predicates and uniform registers, executes the instruction and stores all that it can have changed. The recorder on
// hardware (tests/hardware/machine_instructions) and the test of the emulator share this file, so that both execute the
// same words on the same values. Uses only the standard library.
//
// The instruction's registers: D R8 to R11, A R12 to R15, B R16 to R19, C R20 to R23; D UR8, A UR12, B UR16, C UR20;
// predicates and uniform predicates hold random bits. [R4] is a slot of 16 bytes of each thread in global memory, [R6]
// one in shared memory; both hold C. R26 is a small multiple of 4; R14 has all exponents of single precision. UR4 is
// the memory descriptor.
#pragma once

#include <cstdint>
#include <vector>

namespace warpsim::test {

struct SlotWord {
  std::uint64_t low = 0;
  std::uint64_t high = 0;
  bool diverges = false;  // executed by the lanes of which P6 holds, after a branch
};

inline constexpr std::uint32_t kSlotRows = 2048;  // threads, in blocks of 32
inline constexpr std::uint32_t kSlotOperandWords = 16;
inline constexpr std::uint32_t kSlotResultWords = 16;
// Results of a row: D; predicates, UR8, UR9, uniform predicates; the slot in global memory; that in shared memory.
inline constexpr std::uint32_t kSlotParameterBase = 0x210;
inline constexpr std::uint32_t kSlotConstantBase = 0x230;  // of 16 words that instructions may read
inline constexpr std::uint32_t kSlotSharedBytes = 0x800;   // with those that the driver reserves
inline constexpr std::uint32_t kSlotScratchBytes = 16;     // of a row

// Kernel parameters in memory: addresses of the operands, of those for uniform registers, of the results and of the
// slots in global memory, then the constants.
struct SlotParameters {
  std::uint64_t operands = 0;
  std::uint64_t uniforms = 0;
  std::uint64_t results = 0;
  std::uint64_t scratch = 0;
  std::uint32_t constants[16] = {};
};

std::vector<std::uint32_t> slot_operands();  // kSlotOperandWords a row
std::vector<std::uint32_t> slot_uniforms();  // the same for each warp
SlotParameters slot_constants();             // without the addresses

// The code, two words an instruction. `bubble`: NOPs of 15 cycles that replace scoreboards; the emulator needs none.
std::vector<std::uint64_t> slot_code(const SlotWord& word, std::uint32_t bubble);

// A hash of all results.
std::uint64_t slot_hash(const std::uint32_t* results);

}  // namespace warpsim::test
