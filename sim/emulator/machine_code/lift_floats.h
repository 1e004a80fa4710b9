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
// Comparisons F and T, which have one result for all sources: as a predicate, and combined with the last operand.
inline bool is_constant(const std::string& compare) {
  return compare == "f" || compare == "t";
}
inline std::string constant_of(const std::string& compare) {
  return compare == "t" ? "%pt" : "!%pt";
}
void set_constant(Lifter& l, const std::string& compare, const char* word_if_true);

}  // namespace warpsim
