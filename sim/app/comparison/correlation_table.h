// The table of `warpsim correlate`: one row per metric, as text for the terminal, CSV, Markdown or LaTeX. CSV holds
// plain numbers (0.1 is 10 % or 10 points); the others are formatted for readers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/comparison/correlation.h"
#include "app/comparison/launch_join.h"
#include "report/text_table_formats.h"

namespace warpsim {

struct MetricRow {
  std::string metric;
  MetricKind kind = MetricKind::kRatio;
  Correlation result;
  std::string worst_launch;  // empty: no launch has an error
};
struct MetricRows {
  std::vector<MetricRow> rows;
  std::vector<std::string> absent;  // metrics without a launch that has both values
};
MetricRows metric_rows(const LaunchJoin& join, const std::vector<std::string>& metrics);

// "+1.5 %", or "+1.5 pt" of a percentage; "-" without an error.
std::string error_text(MetricKind kind, const std::optional<double>& error);
// The distance of the extremes of repeated measurements from the compared value: "-2.0 .. +1.5 %".
std::string spread_text(MetricKind kind, double hardware, const Spread& spread);

std::string render_text(const std::vector<MetricRow>& rows);
std::string render_table(const std::vector<MetricRow>& rows, TableFormat format);

}  // namespace warpsim
