// What the translations of floating-point instructions share.
#pragma once

#include <string>

#include "emulator/machine_code/lifter.h"

namespace warpsim {

// ".ftz" or nothing.
inline std::string flush(Lifter& l) {
  return l.modifier("FTZ") != 0 ? ".ftz" : "";
}
// Whether pairs are bfloat16.
inline bool is_brain(Lifter& l) {
  return l.modifier("half_format") != 0;
}
// A pair of halves, with those that the operand selects and their signs.
std::string halves(Lifter& l, std::size_t number);
// The result of a comparison that is_constant(), combined with the last operand.
void set_constant(Lifter& l, const std::string& compare, const char* word_if_true);

}  // namespace warpsim
