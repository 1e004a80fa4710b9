// Which simulator this is: results of two builds are not joined in one run.
#pragma once

#include <string>

namespace warpsim {

// xxhash64 over the file of the program that runs, 16 hex digits; empty if it cannot be read.
std::string program_hash();

}  // namespace warpsim
