// Common parts of the figures: selection of runs, text in gnuplot scripts, tables pivoted by a column.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "report/figure.h"

namespace warpsim {

inline constexpr double kColumnWidth = 3.5;   // of a page with two columns, inches
inline constexpr std::size_t kMostLines = 8;  // colours of the palette

// " AND COLUMN IN (1, 2)" for the runs and " AND launch_index = 3" for the launch that are selected, else empty.
std::string figure_filter(const Database& database, const FigureRequest& request, std::string_view run_column);

// A text quoted for gnuplot, in single quotes.
std::string gnuplot_quoted(std::string_view text);

// "bfs[2]", or "bfs" if `single` is set: the run has only one launch.
std::string launch_label(const std::string& run, std::int64_t launch, bool single);

// Columns of a view with numbers to draw.
std::vector<std::string> number_columns(const Database& database, const char* view);

// A metric or column with its unit: "l2_hit_pct (%)".
std::string figure_heading(const Database& database, const std::string& name);

// The line that puts a legend above the plot, in as many columns as fit: gnuplot omits entries that do not fit.
std::string legend_above(const FigureRequest& request, const std::vector<std::string>& labels);

// "set xrange [0:10]", with * for ends that follow from the data; empty if no range is given.
std::string range_line(const char* axis, const AxisRange& range);

// The distinct texts of a column, in the order of their first appearance.
std::vector<std::string> distinct(const QueryTable& table, std::string_view column);

// The runs of a figure.
std::vector<RunFacts> runs_of(const Database& database, const Figure& figure);

// The kinds of figures, each with its data, its script and remarks on what is left out.
Figure correlation_figure(const Database& database, const FigureRequest& request);
Figure speedup_figure(const Database& database, const FigureRequest& request);
Figure stalls_figure(const Database& database, const FigureRequest& request);
Figure roofline_figure(const Database& database, const FigureRequest& request);
Figure sweep_figure(const Database& database, const FigureRequest& request);
Figure timeseries_figure(const Database& database, const FigureRequest& request);

}  // namespace warpsim
