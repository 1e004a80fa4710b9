// The data of a sweep figure: a metric of launches over a value in which their runs differ, as lines in panels.
//
// A panel has one value of the facet. A line joins the launches of a panel that differ only in x: they have one
// workload, one GPU and one value of each parameter that x does not imply.
#pragma once

#include <string>
#include <vector>

#include "report/figure.h"

namespace warpsim {

struct SweepData {
  // run_id, run_name, launch_index, panel, line, panel_number, line_number, x, x_position, y; by panel, line and x
  QueryTable table;
  std::vector<std::string> panels;
  std::vector<std::string> lines;
  std::vector<std::string> categories;  // values of x that are not numbers, by x_position; empty: x is a number
  std::string relative_to;              // "l2.num_ways = 8"; empty: y is the metric itself
  std::vector<std::string> remarks;
};

// `y`: a column of kernel_summary or a metric. Throws UserError for an impossible request; it lists the possible
// values.
SweepData sweep_data(const Database& database, const FigureRequest& request, const std::string& y);

}  // namespace warpsim
