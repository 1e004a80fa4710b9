// The addresses of a block's accesses: found for the machine before an operation executes, translated from the
// emulator's address spaces to the machine's, and kept until the machine has used them.
//
// State: the slots of the accesses that are on their way through the machine.
#pragma once

#include <cstdint>

#include "core/launch/instruction_source.h"
#include "emulator/memory/access_addresses.h"
#include "emulator/textures/texel_footprint.h"
#include "frontend/ptx/access_slots.h"
#include "frontend/ptx/ptx_code.h"

namespace warpsim {

class BlockAccesses {
 public:
  // `code` outlives it. A warp's addresses are kept for `per_warp` further accesses.
  BlockAccesses(const PtxCode& code, std::uint32_t warps, std::uint32_t per_warp)
      : code_(code), slots_(warps, per_warp) {}

  // Of the lanes that execute the operation next, in that part of its accesses. Sets the instruction's addresses and
  // lanes. Returns whether it has addresses.
  bool add(const WarpContext& context, const Operation& operation, LaneMask lanes, const PtxCode::Access& part,
           WarpInstruction& instruction);
  LaneAddresses at(const WarpInstruction& instruction) const { return slots_.at(instruction.addresses); }

 private:
  bool add_texels(const WarpContext& context, const Operation& operation, LaneMask lanes, const PtxCode::Access& part,
                  WarpInstruction& instruction);
  Address translated(const WarpContext& context, const Operation& operation, std::uint32_t lane, MemorySpace to) const;

  const PtxCode& code_;
  AccessSlots slots_;
  AccessAddresses access_;  // the latest
  TexelFootprint texels_;   // the latest
};

}  // namespace warpsim
