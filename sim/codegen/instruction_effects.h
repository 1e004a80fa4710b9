// What of a PTX instruction others can observe, as far as it matters for the order of instructions.
#pragma once

#include <cstdint>

#include "ptx/module.h"

namespace warpsim::codegen {

// The memory effects of an instruction that matter for the order.
// kMeeting: threads of the warp wait for each other, but not before their stores are visible to others.
enum class Effect : std::uint8_t { kNone, kLoad, kStore, kMeeting, kFence };
struct MemoryUse {
  Effect effect = Effect::kNone;
  bool near = false;  // shared memory
  bool far = false;   // global memory
  bool own = false;   // the thread's local memory; all three for generic addresses
  bool meets(const MemoryUse& other) const { return (near && other.near) || (far && other.far) || (own && other.own); }
};
MemoryUse memory_use(const ptx::Instruction& instruction);

// Without memory access or control flow; its results depend on its operands, special registers and carries only.
bool is_computation(const ptx::Instruction& instruction);
bool reads_clock(const ptx::Instruction& instruction);
// Carries are kept in a flag that is no operand.
bool uses_carry(const ptx::Instruction& instruction);

}  // namespace warpsim::codegen
