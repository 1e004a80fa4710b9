// Compares the results of launches with the expected results of a launch file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "app/launch_file.h"
#include "app/launch_memory.h"

namespace warpsim {

struct CheckReport {
  std::vector<std::string> fulfilled;  // one line an expectation
  std::vector<std::string> broken;     // the same: place, first element that differs, and how many do
};

// Buffers and variables. Throws UserError for an expectation that reaches beyond its buffer.
void check_values(const LaunchFile& file, const LaunchMemory& memory, CheckReport& report);
// What kernels printed.
void check_printed(const LaunchFile& file, const std::string& printed, CheckReport& report);

}  // namespace warpsim
