// When an operation of a warp can be executed, in a machine whose SMs see each other's effects late (sm_effects.h).
#pragma once

#include <cstdint>

#include "emulator/execution/warp_context.h"
#include "emulator/operations/operation.h"

namespace warpsim {

enum class EffectTime : std::uint8_t {
  kNow,            // when it issues
  kWithoutResult,  // at the exchange, with its operands as they are now; the warp continues at once
  kAtExchange,     // at the exchange; the warp waits for it
};

// `warp.effects` is not null. `lanes`: that execute it.
EffectTime effect_time(const WarpContext& warp, const Operation& operation, LaneMask lanes);

// Cycles from the SM to the memory of a store, load or update, the longest of its lanes; 0 for memory of the GPU.
Cycle effect_way(const WarpContext& warp, const Operation& operation, LaneMask lanes);

}  // namespace warpsim
