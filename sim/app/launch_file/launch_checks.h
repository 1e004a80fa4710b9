// Compares the results of launches with the expected results of a launch file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "app/launch_file/launch_file.h"
#include "app/launch_file/launch_memory.h"

namespace warpsim {

struct CheckReport {
  std::vector<std::string> fulfilled;  // one line per expectation
  std::vector<std::string> broken;     // the same: position, first different element, and number of different elements
};

// Buffers and variables. Throws UserError for an expectation that exceeds its buffer.
void check_values(const LaunchFile& file, const LaunchMemory& memory, CheckReport& report);
// The output of kernels.
void check_printed(const LaunchFile& file, const std::string& printed, CheckReport& report);

}  // namespace warpsim
