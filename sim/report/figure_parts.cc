#include "report/figure_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "report/column_units.h"

namespace warpsim {

std::string figure_filter(const Database& database, const FigureRequest& request, std::string_view run_column) {
  std::string filter;
  if (!request.runs.empty()) {
    std::string ids;
    for (const std::string& name : request.runs) {
      for (const RunFacts& run : runs_named(database, name)) {
        ids += (ids.empty() ? "" : ", ") + std::to_string(run.run_id);
      }
    }
    filter = fmt::format(" AND {} IN ({})", run_column, ids);
  }
  if (request.launch) {
    const std::size_t point = run_column.find('.');
    const std::string_view table = point == std::string_view::npos ? "" : run_column.substr(0, point + 1);
    filter += fmt::format(" AND {}launch_index = {}", table, *request.launch);
  }
  return filter;
}

std::string gnuplot_quoted(std::string_view text) {
  std::string result = "'";
  for (const char c : text) {
    result += c == '\'' ? "''" : (c == '\n' ? " " : std::string(1, c));
  }
  return result + "'";
}

std::string launch_label(const std::string& run, std::int64_t launch, bool single) {
  return single ? run : fmt::format("{}[{}]", run, launch);
}

std::vector<std::string> number_columns(const Database& database, const char* view) {
  const std::set<std::string> no_values = {"run_id",       "run_name",       "gpu",     "source",
                                           "launch_index", "name",           "kernel",  "grid",
                                           "block",        "mangled_kernel", "status",  "occupancy_limiter",
                                           "cycle",        "top_stall",      "instance"};
  std::vector<std::string> names;
  for (const auto& row : read_table(database, "SELECT name FROM pragma_table_info(?)", {std::string(view)}).rows) {
    if (const std::string name = text_of(row[0]); !no_values.contains(name)) {
      names.push_back(name);
    }
  }
  return names;
}

std::string figure_heading(const Database& database, const std::string& name) {
  const QueryTable unit = read_table(database, "SELECT unit FROM metric WHERE metric = ? AND unit <> ''", {name});
  return unit.rows.empty() ? column_heading(name) : name + " (" + text_of(unit.rows[0][0]) + ")";
}

std::string legend_above(const FigureRequest& request, const std::vector<std::string>& labels) {
  constexpr double kPointsOfLetter = 4.2;
  constexpr double kPointsOfSample = 32;  // including the space around it
  constexpr double kMostColumns = 4;
  std::size_t longest = 0;
  for (const std::string& label : labels) {
    longest = std::max(longest, label.size());
  }
  const double points = (request.width > 0 ? request.width : kColumnWidth) * 72;
  const double columns = points / (kPointsOfLetter * static_cast<double>(longest) + kPointsOfSample);
  return fmt::format("set key above horizontal maxcols {:.0f} samplen 1\n",
                     std::clamp(std::floor(columns), 1.0, kMostColumns));
}

std::string range_line(const char* axis, const AxisRange& range) {
  const auto bound = [](const std::optional<double>& value) { return value ? fmt::format("{}", *value) : "*"; };
  return range.given() ? fmt::format("set {}range [{}:{}]\n", axis, bound(range.low), bound(range.high)) : "";
}

std::vector<std::string> distinct(const QueryTable& table, std::string_view column) {
  const std::size_t at = table.column(column);
  std::vector<std::string> texts;
  for (const auto& row : table.rows) {
    const std::string text = text_of(row[at]);
    if (std::ranges::find(texts, text) == texts.end()) {
      texts.push_back(text);
    }
  }
  return texts;
}

std::vector<RunFacts> runs_of(const Database& database, const Figure& figure) {
  const bool by_name = !figure.used_runs.empty();
  const std::vector<std::string> used = by_name ? figure.used_runs : distinct(figure.data, "run_id");
  std::vector<RunFacts> runs;
  for (const RunFacts& run : all_runs(database)) {
    if (std::ranges::find(used, by_name ? run.name : std::to_string(run.run_id)) != used.end()) {
      runs.push_back(run);
    }
  }
  return runs;
}

}  // namespace warpsim
