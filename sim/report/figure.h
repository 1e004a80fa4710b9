// Figures of results for papers: the data from a query and a gnuplot script that draws them.
//
// correlation  simulated against measured, one point per launch, logarithmic axes, the line of equality and +-20 %
// speedup      bars over a baseline, one group per workload, geometric mean over workloads (report/speedups.h)
// stalls stall reasons of warps, one stacked bar per launch roofline instruction roofline (Ding and Williams, PMBS
// 2019): warp instructions per second over those per 32-byte
//              transaction of L2 and DRAM
// sweep        a metric over a value of the configuration that differs between runs, or over GPUs; in panels, relative
//              to a baseline
// timeseries   a sampled metric over time
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "report/provenance.h"
#include "report/query_table.h"

namespace warpsim {

enum class FigureKind : std::uint8_t { kCorrelation, kSpeedup, kStalls, kRoofline, kSweep, kTimeseries };
// Names on the command line, in the order of FigureKind.
std::vector<std::string> figure_kinds();

// The range of an axis; absent ends follow from the data.
struct AxisRange {
  std::optional<double> low;
  std::optional<double> high;
  bool given() const { return low || high; }
};

struct FigureRequest {
  FigureKind kind = FigureKind::kCorrelation;
  std::vector<std::string> runs;        // only these, by name or by a pattern with * and ?; empty: all
  std::optional<std::uint32_t> launch;  // only this launch of each run
  std::string metric;                   // correlation: of Nsight Compute; sweep, timeseries: or a column; empty: usual
  std::string x;                        // sweep: path in the configuration, "gpu" or "cache_control"
  std::string facet;                    // sweep: differs between panels, as `x`, or "workload", "none"; empty: default
  std::string baseline;                 // GPU, run or variant; speedup: empty is that of the first run; sweep: or a
                                        // value of x; empty: absolute values
  AxisRange x_range;
  AxisRange y_range;
  std::string title;  // empty: none, as captions are for papers
  double width = 0;   // inches; 0: a column, 3.5
  double height = 0;  // inches; 0: default of the kind
};

struct Figure {
  QueryTable data;     // the drawn data, one row per point or group
  std::string script;  // gnuplot, without terminal and output; reads the data from the file kFigureData
  double width = 0;    // inches
  double height = 0;
  Provenance provenance;
  std::vector<std::string> used_runs;  // by name, if the data have no column run_id
  std::vector<std::string> remarks;    // what was left out of the figure, and why
};
// The placeholder of the data file's name in the script.
inline constexpr const char* kFigureData = "@DATA@";

// Throws UserError if there is nothing to draw or the request is not possible; it lists the possible values.
Figure make_figure(const Database& database, const FigureRequest& request);

}  // namespace warpsim
