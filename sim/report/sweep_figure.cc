// The sweep figure: lines over numbers, bars over other values, in panels side by side.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "report/figure_parts.h"
#include "report/sweep_data.h"

namespace warpsim {

namespace {

constexpr std::size_t kMostPanels = 16;

// Inches.
constexpr double kLetter = 0.058;  // mean width of a letter at 7 points
constexpr double kTextLine = 0.135;
constexpr double kLeft = 0.62;  // y axis with labels
constexpr double kRight = 0.1;
constexpr double kGap = 0.14;        // between panels
constexpr double kPanelWidth = 1.2;  // at least
constexpr double kPanelHeight = 1.25;
constexpr double kSinglePanelHeight = 1.75;

std::size_t longest(const std::vector<std::string>& texts) {
  std::size_t letters = 0;
  for (const std::string& text : texts) {
    letters = std::max(letters, text.size());
  }
  return letters;
}

struct Layout {
  double width = 0;
  double height = 0;
  std::size_t columns = 1;
  std::size_t rows = 1;
  double legend = 0;  // height
  std::size_t legend_columns = 1;
  double tics = kTextLine + 0.06;  // height of the numbers or names below a panel
  bool rotated = false;

  double panel_width() const {
    return (width - kLeft - kRight - kGap * static_cast<double>(columns - 1)) / static_cast<double>(columns);
  }
  double panel_height() const {
    const double below = tics + kTextLine + 0.05;
    return (height - legend - below - static_cast<double>(rows - 1) * (tics + 0.04)) / static_cast<double>(rows) -
           kTextLine;
  }
};

std::string short_number(double value) {
  return fmt::format("{:.4f}", value);
}

Layout layout_of(const SweepData& data, const FigureRequest& request) {
  Layout layout;
  layout.width = request.width > 0 ? request.width : kColumnWidth;
  const double room = layout.width - kLeft - kRight;
  layout.columns =
      std::clamp<std::size_t>(static_cast<std::size_t>(room / (kPanelWidth + kGap)), 1, data.panels.size());
  layout.rows = (data.panels.size() + layout.columns - 1) / layout.columns;
  const double entry = kLetter * static_cast<double>(longest(data.lines)) + 0.45;
  layout.legend_columns = std::clamp<std::size_t>(static_cast<std::size_t>(layout.width / entry), 1, data.lines.size());
  const std::size_t legend_rows = (data.lines.size() + layout.legend_columns - 1) / layout.legend_columns;
  layout.legend = kTextLine * static_cast<double>(legend_rows) + 0.06 + (request.title.empty() ? 0 : kTextLine);
  if (!data.categories.empty()) {
    const double label = kLetter * static_cast<double>(longest(data.categories));
    layout.rotated = label > layout.panel_width() / static_cast<double>(data.categories.size());
    layout.tics = layout.rotated ? 0.1 + label * 0.7 : layout.tics;
  }
  const double usual = layout.rows == 1 ? kSinglePanelHeight : kPanelHeight;
  layout.height = request.height > 0 ? request.height
                                     : layout.legend + static_cast<double>(layout.rows) * (usual + kTextLine) +
                                           static_cast<double>(layout.rows) * (layout.tics + 0.04) + kTextLine;
  if (layout.panel_height() < 0.4 || layout.panel_width() < 0.4) {
    throw UserError(
        fmt::format("a figure of {:.4g} x {:.4g} inches is too small for {} panels; give --width or --height",
                    layout.width, layout.height, data.panels.size()));
  }
  return layout;
}

// All panels have the same axes.
std::string axes(const SweepData& data, const FigureRequest& request) {
  double least = INFINITY;
  double greatest = -INFINITY;
  double highest = 0;
  double lowest = 0;
  for (std::size_t row = 0; row < data.table.rows.size(); ++row) {
    const double x = number_in(data.table.at(row, "x_position")).value_or(0);
    const double y = number_in(data.table.at(row, "y")).value_or(0);
    least = std::min(least, x);
    greatest = std::max(greatest, x);
    highest = std::max(highest, y);
    lowest = std::min(lowest, y);
  }
  constexpr double kRoom = 0.06;
  const bool bars = !data.categories.empty();
  const double margin = bars ? 0.6 : kRoom * (greatest - least);
  const double above = highest > lowest ? kRoom * (highest - lowest) : 1;
  const AxisRange& x = request.x_range;
  const AxisRange& y = request.y_range;
  return fmt::format("set xrange [{}:{}]\nset yrange [{}:{}]\n", x.low.value_or(least - margin),
                     x.high.value_or(greatest + margin), y.low.value_or(lowest < 0 ? lowest - above : 0),
                     y.high.value_or(highest + above));
}

std::string category_tics(const SweepData& data, bool rotated) {
  std::string text;
  for (std::size_t i = 0; i < data.categories.size(); ++i) {
    text += fmt::format("{}{} {}", i == 0 ? "" : ", ", gnuplot_quoted(data.categories[i]), i);
  }
  return fmt::format("set xtics ({}) noenhanced scale 0{}\nset grid noxtics\n", text,
                     rotated ? " rotate by 45 right" : "");
}

const char* mark_of(const SweepData& data) {
  return data.categories.empty() ? "with linespoints lw 1.3 ps 0.6" : "with boxes";
}

// An empty plot across the whole figure: gnuplot limits the width of a legend to that of its plot.
std::string legend_script(const SweepData& data, const Layout& layout, double top) {
  std::string script = fmt::format(
      "set lmargin at screen 0.01\nset rmargin at screen 0.99\nset tmargin at screen {0}\nset bmargin at screen {1}\n"
      "set key at screen 0.5, screen {0} center top horizontal maxcols {2} samplen 1\n"
      "unset border\nunset xtics\nunset ytics\nunset grid\nset xrange [0:1]\nset yrange [0:1]\nplot ",
      short_number(1 - top / layout.height), short_number(1 - layout.legend / layout.height), layout.legend_columns);
  for (std::size_t i = 0; i < data.lines.size(); ++i) {
    script += fmt::format("{}NaN {} lt {} title {}", i == 0 ? "" : ", \\\n     ", mark_of(data), i + 1,
                          gnuplot_quoted(data.lines[i]));
  }
  return script +
         "\nunset key\nset border 3\nset xtics nomirror out scale 0.6 noenhanced\nset ytics nomirror out scale 0.6\n"
         "set grid lc rgb '#dddddd' lw 0.5 dt 1\n";
}

// Names may contain any character; numbers identify lines and panels.
std::string plots(const SweepData& data, std::size_t panel) {
  const bool bars = !data.categories.empty();
  constexpr double kCluster = 0.8;
  const double width = kCluster / static_cast<double>(data.lines.size());
  std::string script = bars ? fmt::format("set boxwidth {:.4f} absolute\nplot ", width) : "plot ";
  for (std::size_t i = 0; i < data.lines.size(); ++i) {
    const double offset = bars ? (static_cast<double>(i) + 0.5) * width - kCluster / 2 : 0;
    script += fmt::format(
        "{}'{}' using (column('panel_number') == {} && column('line_number') == {} ? column('x_position') + {:.4f} : "
        "NaN):(column('y')) {} lt {} notitle",
        i == 0 ? "" : ", \\\n     ", kFigureData, panel, i, offset, mark_of(data), i + 1);
  }
  return script + "\n";
}

std::string panel_script(const SweepData& data, const Layout& layout, std::size_t place) {
  const std::size_t column = place % layout.columns;
  const std::size_t row = place / layout.columns;
  const double left = kLeft + static_cast<double>(column) * (layout.panel_width() + kGap);
  const double top =
      layout.legend + kTextLine + static_cast<double>(row) * (layout.panel_height() + kTextLine + layout.tics + 0.04);
  const auto x = [&layout](double inches) { return short_number(inches / layout.width); };
  const auto y = [&layout](double inches) { return short_number(1 - inches / layout.height); };
  std::string script = fmt::format(
      "set lmargin at screen {}\nset rmargin at screen {}\nset tmargin at screen {}\nset bmargin at screen {}\n",
      x(left), x(left + layout.panel_width()), y(top), y(top + layout.panel_height()));
  if (!data.panels[place].empty()) {
    script += "set label 3 " + gnuplot_quoted(data.panels[place]) +
              " at graph 0.5, graph 1 center offset 0, 0.6 noenhanced\n";
  }
  script += column == 0 ? "set format y '%.6g'\n" : "set format y ''\n";
  script += place == 0 ? "" : "unset label 1\nunset label 2\nunset label 4\n";
  return script + plots(data, place);
}

// The labels of the axes, and the title.
std::string label_script(const Layout& layout, const FigureRequest& request, const std::string& y_heading) {
  std::string script = fmt::format(
      "set label 1 {} at screen {}, screen {} center noenhanced\n"
      "set label 2 {} at screen {}, screen {} center rotate by 90 noenhanced\n",
      gnuplot_quoted(request.x), short_number((kLeft + layout.width - kRight) / 2 / layout.width),
      short_number(0.09 / layout.height), gnuplot_quoted(y_heading), short_number(0.08 / layout.width),
      short_number(0.5 + (layout.tics + kTextLine - layout.legend) / 2 / layout.height));
  if (!request.title.empty()) {
    script += fmt::format("set label 4 {} at screen 0.5, screen {} center noenhanced\n", gnuplot_quoted(request.title),
                          short_number(1 - kTextLine / 2 / layout.height));
  }
  return script;
}

}  // namespace

Figure sweep_figure(const Database& database, const FigureRequest& request) {
  const std::string y = request.metric.empty() ? "cycles" : request.metric;
  const SweepData data = sweep_data(database, request, y);
  if (data.lines.size() > kMostLines || data.panels.size() > kMostPanels) {
    throw UserError(
        fmt::format("{}: {} lines in {} panels are more than a figure holds ({} in {}); choose with --facet, "
                    "--run and --launch",
                    database.path(), data.lines.size(), data.panels.size(), kMostLines, kMostPanels));
  }
  if (!data.categories.empty() && request.x_range.given()) {
    throw UserError(
        fmt::format("{}: --x-range: the values of {} are names, which have no range", database.path(), request.x));
  }
  const Layout layout = layout_of(data, request);
  const std::string heading =
      data.relative_to.empty() ? figure_heading(database, y) : y + " relative to " + data.relative_to;
  Figure figure;
  figure.data = data.table;
  figure.remarks = data.remarks;
  figure.height = layout.height;
  const double above_legend = request.title.empty() ? 0.03 : kTextLine;
  figure.script =
      "set multiplot\nunset title\nset style fill solid 1 noborder\n" + legend_script(data, layout, above_legend);
  figure.script += label_script(layout, request, heading);
  figure.script += axes(data, request);
  if (!data.categories.empty()) {
    figure.script += category_tics(data, layout.rotated);
  }
  for (std::size_t place = 0; place < data.panels.size(); ++place) {
    figure.script += panel_script(data, layout, place);
  }
  figure.script += "unset multiplot\n";
  return figure;
}

}  // namespace warpsim
