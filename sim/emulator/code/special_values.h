// The values of special registers.
#pragma once

#include <cstdint>

#include "emulator/code/function_code.h"
#include "emulator/execution/warp_context.h"

namespace warpsim {

std::uint64_t special_value(SpecialRegister which, std::uint32_t component, std::uint32_t lane,
                            const WarpContext& warp);

// Whether its value can differ between the lanes of a warp.
bool differs_between_lanes(SpecialRegister which);
// Whether it differs between the warps with one number of several blocks.
bool differs_between_blocks(SpecialRegister which);

// Component of threadIdx of these lanes; `words` has one for each lane of the warp.
void fill_thread_numbers(const WarpContext& warp, std::uint32_t component, LaneMask lanes, std::uint32_t* words);

}  // namespace warpsim
