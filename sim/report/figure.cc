#include "report/figure.h"

#include <filesystem>

#include "base/check.h"
#include "report/figure_parts.h"

namespace warpsim {

namespace {

// The colours of Okabe and Ito, which are distinguishable with any kind of colour vision, then grey.
constexpr const char* kStyle = R"(set encoding utf8
set datafile separator comma
set datafile columnheaders
set linetype 1 lc rgb '#0072b2' pt 7 dt 1
set linetype 2 lc rgb '#e69f00' pt 5 dt 1
set linetype 3 lc rgb '#009e73' pt 9 dt 1
set linetype 4 lc rgb '#d55e00' pt 11 dt 1
set linetype 5 lc rgb '#56b4e9' pt 13 dt 1
set linetype 6 lc rgb '#cc79a7' pt 4 dt 1
set linetype 7 lc rgb '#f0e442' pt 6 dt 1
set linetype 8 lc rgb '#999999' pt 8 dt 1
set linetype cycle 8
set border 3 lw 0.7 lc rgb '#333333'
set tics nomirror out scale 0.6
set grid lc rgb '#dddddd' lw 0.5 dt 1
set key samplen 1.5 noenhanced
)";

double usual_height(FigureKind kind, double width) {
  constexpr double kSquare = 0.92;
  constexpr double kBars = 0.8;  // with labels below and a legend above
  constexpr double kFlat = 0.66;
  constexpr double kHighest = 3.2;  // maximum for wide figures
  const bool bars = kind == FigureKind::kStalls || kind == FigureKind::kSpeedup;
  const double height = width * (kind == FigureKind::kCorrelation ? kSquare : (bars ? kBars : kFlat));
  return height < kHighest ? height : kHighest;
}

// Inserts the ranges of the user before the only plot of the script.
std::string ranged(const std::string& script, const FigureRequest& request) {
  const std::string ranges = range_line("x", request.x_range) + range_line("y", request.y_range);
  const std::size_t plot = script.rfind("\nplot ");
  SIM_CHECK(plot != std::string::npos, "a figure's script has no plot");
  return script.substr(0, plot + 1) + ranges + script.substr(plot + 1);
}

Figure figure_of_kind(const Database& database, const FigureRequest& request) {
  switch (request.kind) {
    case FigureKind::kCorrelation:
      return correlation_figure(database, request);
    case FigureKind::kSpeedup:
      return speedup_figure(database, request);
    case FigureKind::kStalls:
      return stalls_figure(database, request);
    case FigureKind::kRoofline:
      return roofline_figure(database, request);
    case FigureKind::kSweep:
      return sweep_figure(database, request);
    case FigureKind::kTimeseries:
      break;
  }
  return timeseries_figure(database, request);
}

}  // namespace

std::vector<std::string> figure_kinds() {
  return {"correlation", "speedup", "stalls", "roofline", "sweep", "timeseries"};
}

Figure make_figure(const Database& database, const FigureRequest& request) {
  Figure figure = figure_of_kind(database, request);
  figure.width = request.width > 0 ? request.width : kColumnWidth;
  if (request.height > 0 || figure.height == 0) {
    figure.height = request.height > 0 ? request.height : usual_height(request.kind, figure.width);
  }
  const std::string title = request.title.empty() ? "" : "set title " + gnuplot_quoted(request.title) + " noenhanced\n";
  figure.script =
      kStyle + title + (request.kind == FigureKind::kSweep ? figure.script : ranged(figure.script, request));
  figure.provenance.database = std::filesystem::path(database.path()).filename().string();
  figure.provenance.content = figure_kinds()[static_cast<std::size_t>(request.kind)] + " figure";
  figure.provenance.runs = runs_of(database, figure);
  return figure;
}

}  // namespace warpsim
