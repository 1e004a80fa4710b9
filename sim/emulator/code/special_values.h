// The values of special registers.
#pragma once

#include <cstdint>

#include "emulator/code/function_code.h"
#include "emulator/execution/warp_context.h"

namespace warpsim {

std::uint64_t special_value(SpecialRegister which, std::uint32_t component, std::uint32_t lane,
                            const WarpContext& warp);

}  // namespace warpsim
