// The results of integer instructions on symbolic values: pure functions of their operands.
#pragma once

#include <array>
#include <cstdint>

#include "frontend/values/scalar_program.h"
#include "frontend/values/symbolic_value.h"

namespace warpsim {

// Operands of one lane. Predicates are 0, 1 or -1 for unknown.
struct ScalarSources {
  std::array<SymbolicValue, 4> low{};
  std::array<SymbolicValue, 4> high{};  // upper words of pairs
  std::array<int, 3> predicates{-1, -1, -1};
};
struct ScalarResult {
  std::array<SymbolicValue, 2> words{};
  std::array<int, 2> predicates{-1, -1};
};

// `origin`: number of the static instruction, for the names of new unknowns. Not for operations that read state other
// than their operands (special registers, constants, other lanes).
ScalarResult compute_scalar(const ScalarInstruction& instruction, const ScalarSources& sources, std::uint32_t origin);

}  // namespace warpsim
