// Unpredictable names: of temporary files, of runs that a process owns, of jobs.
#pragma once

#include <cstddef>
#include <string>

namespace warpsim {

// So many lower-case hexadecimal digits of 4 random bits each, from the operating system.
std::string random_hex(std::size_t digits);

}  // namespace warpsim
