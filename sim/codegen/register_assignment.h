// Gives registers to values: a linear scan over the machine instructions, values that live at once in different
// registers, those of several words one behind another and aligned.
//
// Not modelled: spilling. Values beyond the last register share it, and registers_per_thread stays at the most there
// is.
#pragma once

#include <cstdint>
#include <vector>

#include "codegen/function_selector.h"
#include "ptx/module.h"

namespace warpsim::codegen {

struct AssignedRegisters {
  std::vector<std::uint32_t> first;  // by value
  std::uint32_t general = 0;         // how many general registers are in use
};

AssignedRegisters assign_registers(const ptx::Function& function, const SelectedFunction& selected);

}  // namespace warpsim::codegen
