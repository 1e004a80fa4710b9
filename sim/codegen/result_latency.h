// How long the result of a PTX instruction takes.
#pragma once

#include <cstdint>

#include "ptx/module.h"

namespace warpsim::codegen {

// Cycles from issue to a result, approximate: sufficient to decide the order.
std::uint32_t latency_of(const ptx::Instruction& instruction);

}  // namespace warpsim::codegen
