// Converts the output of `ncu --csv` to the metrics and units of the catalogue. Both layouts: one row per launch with a
// row of units below the heading (--page raw), and one row per metric (columns Metric Name, Metric Unit, Metric Value).
//
// Lines before the heading and lines that begin with "==" are from ncu and the program and are skipped. A
// file may hold several outputs one after another, each with its heading: further metrics, or the same ones measured
// again, of the same launches; of repeated values the median is used. Launches are in the order of the
// column ID.
#pragma once

#include <string>
#include <vector>

#include "stats/results_writer.h"

namespace warpsim {

struct NcuMeasurements {
  std::vector<HardwareLaunch> launches;  // launch_index from 0, in the order in which they were launched
  std::string device;                    // its name, if the file has it (device__attribute_display_name)
  std::vector<std::string> left_out;     // columns and names that are not metrics, or whose values are text
  std::size_t outputs = 0;               // headings in the file
};

// Values that ncu does not have ("n/a", "nan", empty) are NULL. Throws UserError with file and line: no heading, rows
// of another length, no units, values that are not numbers, a decimal comma, a unit that the metric cannot have,
// different values of one metric of a launch, outputs of other launches, no metrics.
NcuMeasurements parse_ncu_csv(const std::string& text, const std::string& path);

}  // namespace warpsim
