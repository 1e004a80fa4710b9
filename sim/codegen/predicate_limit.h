// Order of instructions with which the predicates of a piece of straight code fit the registers for them.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "codegen/function_selector.h"
#include "codegen/operand_use.h"

namespace warpsim::codegen {

inline constexpr std::uint32_t kPredicateRegisters = 7;  // the eighth is always true

// `piece`: instructions in the order of the text. Pairs of places in it: the first, which makes a predicate, must stay
// after the second, which reads another one last. With all of them no more predicates are live at once than there are
// registers, if the order of the text needs no more.
std::vector<std::pair<std::uint32_t, std::uint32_t>> order_of_predicates(const SelectedFunction& selected,
                                                                         const OperandUse& use,
                                                                         const std::vector<Number>& piece);

}  // namespace warpsim::codegen
