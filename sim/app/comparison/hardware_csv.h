// Measurements as a CSV file: one row per launch, with the columns workload and launch, optionally kernel, grid, block
// and status, and one column per metric. Fields may be quoted ("(256, 1, 1)"). The columns "METRIC (min)" and "METRIC
// (max)" hold minimum and maximum of repeated measurements; columns with any other remark in parentheses describe the
// measurement and are left out.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "stats/results_writer.h"

namespace warpsim {

// Minimum and maximum of repeated measurements of one value.
struct Spread {
  double least = 0;
  double greatest = 0;
};
struct HardwareRow {
  std::string workload;
  HardwareLaunch launch;
  std::map<std::string, Spread> spreads;  // by metric; those with both columns and both values
  bool passed = true;                     // the status column says PASS, or is absent
};
struct HardwareTable {
  std::vector<std::string> metrics;  // in the order of the columns
  std::vector<HardwareRow> rows;
};
// Throws UserError: unreadable file, missing columns, rows of another length, values that are not numbers, duplicate
// launches.
HardwareTable read_hardware_csv(const std::string& path);
HardwareTable parse_hardware_csv(const std::string& text, const std::string& path);

}  // namespace warpsim
