// The families that the program knows, in the order in which it prints them.
#pragma once

#include <vector>

#include "microbench/microbench.h"

namespace warpsim::microbench {

struct FamilyEntry {
  const char* bench;
  Family (*make)();
};
const std::vector<FamilyEntry>& all_families();

}  // namespace warpsim::microbench
