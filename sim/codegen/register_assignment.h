// Assigns registers to values: vectors first, then in the order of their first writes, each to the lowest ones that
// no other value needs at the same time; those of vectors one after another and aligned. Accumulators stay in their
// register if possible, and values that are read together go to different banks of the register file if that needs no
// further register.
//
// The number of registers includes those of rare paths (instruction_rows.h), which get none of their own.
//
// Not modelled: spilling. Values beyond the last register share it, and registers_per_thread stays at the
// maximum.
#pragma once

#include <cstdint>
#include <vector>

#include "codegen/function_selector.h"
#include "ptx/flow_graph.h"

namespace warpsim::codegen {

struct AssignedRegisters {
  std::vector<std::uint32_t> first;  // by value
  std::uint32_t general = 0;         // number of general registers in use
};

// `steps`: CompileTarget::register_steps. Of assignments that need no more than two registers beyond the fewest, and no
// other step, the one with which the code takes the fewest cycles (CodeEstimate).
AssignedRegisters assign_registers(const ptx::FlowGraph& graph, const SelectedFunction& selected,
                                   const std::vector<std::uint32_t>& steps);

}  // namespace warpsim::codegen
