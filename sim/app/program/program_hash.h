// Identifies the simulator: results of two builds are not combined in one run.
#pragma once

#include <string>

namespace warpsim {

// XXH3 (64 bits) of the running program's file, 16 hex digits; empty if it cannot be read.
std::string program_hash();

}  // namespace warpsim
