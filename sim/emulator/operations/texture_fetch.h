// What texture fetches do: tex and tld4, of PTX and of machine code (sass.tex, sass.tld4).
//
// Those of machine code have no types: results are the texture's. They have one shape for one and two dimensions, their
// directions into cubemaps have been divided by the longest component, and their predicate says that texels were
// absent.
#pragma once

#include <cstdint>

#include "emulator/execution/warp_context.h"
#include "emulator/operations/operation.h"

namespace warpsim {

// The format of channels in registers; Operation::bytes.
enum class FetchedChannels : std::uint8_t { kWords, kHalves, kHalfPairs };

// How a fetch differs from the plain one of PTX; Operation::e.
enum FetchForm : OperandPlace {
  kOfMachineCode = 1,
  kOfLevel = 2,     // operation.b: the level
  kByGradient = 4,  // a list of both gradients
  kClamped = 16,    // coordinates of texels outside follow the addressing mode
  kDerived = 8,     // the level follows from the coordinates of neighbouring lanes
};

// Handlers. operation.c: not kNoPlace if coordinates are integers; operation.b of fetch_four_texels: the channel.
void fetch_texels(WarpContext& warp, const Operation& operation, LaneMask lanes);
void fetch_four_texels(WarpContext& warp, const Operation& operation, LaneMask lanes);

}  // namespace warpsim
