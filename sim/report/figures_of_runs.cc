// Figures that set runs against each other: speed-up, sweep, time series.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <set>

#include "base/error.h"
#include "config/near_miss.h"
#include "report/column_units.h"
#include "report/figure_parts.h"

namespace warpsim {

namespace {

struct TimedRun {
  Cell run_id;
  std::string name;
  std::string gpu;
  std::string workload;
  std::string trace;    // hash
  std::string variant;  // hash of the configuration
  double time_us = 0;
};

std::vector<TimedRun> timed_runs(const Database& database, const FigureRequest& request) {
  const QueryTable table =
      read_table(database,
                 "SELECT r.run_id, r.name, r.gpu, r.trace, r.trace_hash, r.config_hash, sum(s.time_us) AS time_us FROM "
                 "kernel_summary s "
                 "JOIN run r ON r.run_id = s.run_id WHERE r.source = 'simulated' AND r.status = 'complete'" +
                     figure_filter(database, request, "s.run_id") + " GROUP BY r.run_id ORDER BY r.run_id");
  std::vector<TimedRun> runs;
  for (const auto& row : table.rows) {
    runs.push_back({row[0], text_of(row[1]), text_of(row[2]), workload_name(text_of(row[1]), text_of(row[3])),
                    text_of(row[4]), text_of(row[5]), number_in(row[6]).value_or(0)});
  }
  return runs;
}

// What to call each variant: by its GPU if that tells them apart, by what follows '@' in its runs' names, or by the
// run.
std::map<std::string, std::string> variant_labels(const std::vector<TimedRun>& runs) {
  std::map<std::string, std::string> labels;
  std::map<std::string, std::set<std::string>> variants_of_gpu;
  for (const TimedRun& run : runs) {
    variants_of_gpu[run.gpu].insert(run.variant);
  }
  for (const TimedRun& run : runs) {
    const std::size_t at = run.name.find('@');
    const bool gpu_says_it = variants_of_gpu.size() > 1 && variants_of_gpu[run.gpu].size() == 1;
    labels.emplace(run.variant, gpu_says_it ? run.gpu : at != std::string::npos ? run.name.substr(at + 1) : run.name);
  }
  return labels;
}

std::string chosen_baseline(const Database& database, const FigureRequest& request, const std::vector<TimedRun>& runs,
                            const std::map<std::string, std::string>& labels) {
  if (request.baseline.empty()) {
    return runs.front().variant;
  }
  std::vector<std::string> names;
  for (const TimedRun& run : runs) {
    if (request.baseline == run.name || request.baseline == run.gpu || request.baseline == labels.at(run.variant)) {
      return run.variant;
    }
    names.push_back(labels.at(run.variant));
    names.push_back(run.name);
  }
  throw UserError(fmt::format("{}: --baseline '{}': no such GPU, variant or run{}", database.path(), request.baseline,
                              did_you_mean(request.baseline, names)));
}

// One row a trace, one column a variant, and the geometric means.
QueryTable speedups(const std::vector<TimedRun>& runs, const std::map<std::string, std::string>& labels,
                    const std::vector<std::string>& variants, const std::string& baseline,
                    std::vector<std::string>& remarks) {
  QueryTable table;
  table.columns = {"workload"};
  for (const std::string& variant : variants) {
    table.columns.push_back(labels.at(variant));
  }
  std::vector<double> logarithms(variants.size(), 0);
  std::vector<int> counts(variants.size(), 0);
  std::vector<std::string> traces;
  for (const TimedRun& run : runs) {
    if (std::ranges::find(traces, run.trace) == traces.end()) {
      traces.push_back(run.trace);
    }
  }
  for (const std::string& trace : traces) {
    const auto find = [&runs, &trace](const std::string& variant) {
      return std::ranges::find_if(runs,
                                  [&](const TimedRun& run) { return run.trace == trace && run.variant == variant; });
    };
    const auto base = find(baseline);
    if (base == runs.end() || base->time_us <= 0) {
      const auto any = std::ranges::find_if(runs, [&trace](const TimedRun& run) { return run.trace == trace; });
      remarks.push_back(any->workload + " left out: no complete run of the baseline");
      continue;
    }
    std::vector<Cell>& row = table.rows.emplace_back();
    row.emplace_back(base->workload);
    for (std::size_t i = 0; i < variants.size(); ++i) {
      const auto run = find(variants[i]);
      if (run == runs.end() || run->time_us <= 0) {
        row.emplace_back();
        continue;
      }
      row.emplace_back(base->time_us / run->time_us);
      logarithms[i] += std::log(base->time_us / run->time_us);
      ++counts[i];
    }
  }
  if (table.rows.size() > 1) {
    std::vector<Cell>& row = table.rows.emplace_back();
    row.emplace_back("geometric mean");
    for (std::size_t i = 0; i < variants.size(); ++i) {
      row.push_back(counts[i] == 0 ? Cell() : Cell(std::exp(logarithms[i] / counts[i])));
    }
  }
  return table;
}

}  // namespace

Figure speedup_figure(const Database& database, const FigureRequest& request) {
  const std::vector<TimedRun> runs = timed_runs(database, request);
  if (runs.empty()) {
    throw UserError(database.path() + ": no complete simulated run");
  }
  const std::map<std::string, std::string> labels = variant_labels(runs);
  const std::string baseline = chosen_baseline(database, request, runs, labels);
  std::vector<std::string> variants;
  for (const TimedRun& run : runs) {
    if (run.variant != baseline && std::ranges::find(variants, run.variant) == variants.end()) {
      variants.push_back(run.variant);
    }
  }
  if (variants.empty()) {
    throw UserError(database.path() + ": all runs have one configuration; a speed-up needs two");
  }
  Figure figure;
  figure.data = speedups(runs, labels, variants, baseline, figure.remarks);
  if (figure.data.rows.empty()) {
    throw UserError(database.path() + ": no trace was run on the baseline");
  }
  std::vector<std::string> legend = figure.data.columns;
  legend.front() = labels.at(baseline) + " = 1";
  figure.script = legend_above(request, legend);
  figure.script += fmt::format(
      "set style data histograms\nset style histogram clustered gap 1\nset style fill solid 1 noborder\n"
      "set boxwidth 0.9\nset grid noxtics\nset xtics rotate by 40 right noenhanced scale 0\nset yrange [0:*]\n"
      "set ylabel 'speed-up'\nset xrange [-0.7:{:.1f}]\n"
      "plot 1 with lines lc rgb '#555555' lw 0.8 title {}",
      static_cast<double>(figure.data.rows.size()) - 0.3, gnuplot_quoted(legend.front()));
  for (std::size_t i = 0; i < variants.size(); ++i) {
    figure.script += fmt::format(", \\\n     '{}' using {}{} lt {} title {}", kFigureData, i + 2,
                                 i == 0 ? ":xtic(1)" : "", i + 1, gnuplot_quoted(labels.at(variants[i])));
  }
  figure.script += "\n";
  for (const TimedRun& run : runs) {
    figure.used_runs.push_back(run.name);
  }
  return figure;
}

namespace {

bool has_column(const Database& database, const char* view, const std::string& column) {
  return !read_table(database, "SELECT 1 FROM pragma_table_info(?) WHERE name = ?", {std::string(view), column})
              .rows.empty();
}

std::vector<std::string> number_columns(const Database& database, const char* view) {
  std::vector<std::string> names;
  for (const auto& row : read_table(database, "SELECT name FROM pragma_table_info(?)", {std::string(view)}).rows) {
    const std::string name = text_of(row[0]);
    const std::set<std::string> no_values = {"run_id", "run_name",  "gpu",   "source",  "launch_index",
                                             "name",   "kernel",    "grid",  "block",   "occupancy_limiter",
                                             "status", "top_stall", "cycle", "instance"};
    if (!no_values.contains(name)) {
      names.push_back(name);
    }
  }
  return names;
}

bool is_number(const std::string& text) {
  double value = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && stop == text.data() + text.size();
}

// The query of a sweep: one row a launch and run.
QueryTable sweep_points(const Database& database, const FigureRequest& request, const std::string& y) {
  const std::string filter = figure_filter(database, request, "s.run_id");
  const std::string begin =
      "SELECT s.run_id AS run_id, s.run_name AS run_name, r.trace AS trace, r.trace_hash AS trace_hash, s.launch_index "
      "AS launch_index, "
      "c.value AS x, ";
  const std::string joins =
      " AS y FROM {} s JOIN run r ON r.run_id = s.run_id JOIN config c ON c.run_id = s.run_id AND c.path = ? "
      "JOIN launch l ON l.run_id = s.run_id AND l.launch_index = s.launch_index AND l.status = 'complete' "
      "WHERE r.source = 'simulated'";
  const std::string end = filter + " ORDER BY s.run_id, s.launch_index";
  if (has_column(database, "kernel_summary", y)) {
    return read_table(database, begin + "s." + y + fmt::format(fmt::runtime(joins), "kernel_summary") + end,
                      {request.x});
  }
  return read_table(database,
                    begin + "s.value" + fmt::format(fmt::runtime(joins), "metrics") + " AND s.metric = ?" + end,
                    {request.x, y});
}

void check_sweep(const Database& database, const FigureRequest& request, const std::string& y) {
  if (request.x.empty()) {
    throw UserError("plot sweep needs --x KEY, a value of the configuration that differs between the runs");
  }
  const std::vector<std::string> paths =
      distinct(read_table(database, "SELECT DISTINCT path FROM config ORDER BY path"), "path");
  if (std::ranges::find(paths, request.x) == paths.end()) {
    throw UserError(fmt::format("{}: --x '{}': no such key in the configurations{}", database.path(), request.x,
                                did_you_mean(request.x, paths)));
  }
  std::vector<std::string> metrics = number_columns(database, "kernel_summary");
  const std::vector<std::string> more = distinct(read_table(database, "SELECT metric FROM metric"), "metric");
  metrics.insert(metrics.end(), more.begin(), more.end());
  if (std::ranges::find(metrics, y) == metrics.end()) {
    throw UserError(fmt::format("{}: '{}' is neither a number of kernel_summary nor a metric{}", database.path(), y,
                                did_you_mean(y, metrics)));
  }
}

// "scan[1]": lines are of one launch of one trace, over the runs that simulated it.
QueryTable with_lines(const QueryTable& points) {
  std::map<std::string, std::string> name_of_trace;
  std::map<std::string, std::set<std::string>> launches_of_trace;
  for (std::size_t row = 0; row < points.rows.size(); ++row) {
    const std::string trace = text_of(points.at(row, "trace_hash"));
    name_of_trace.emplace(trace, workload_name(text_of(points.at(row, "run_name")), text_of(points.at(row, "trace"))));
    launches_of_trace[trace].insert(text_of(points.at(row, "launch_index")));
  }
  QueryTable table;
  table.columns = {"run_id", "run_name", "launch_index", "line", "x", "y"};
  for (std::size_t row = 0; row < points.rows.size(); ++row) {
    const std::string trace = text_of(points.at(row, "trace_hash"));
    const Cell& launch = points.at(row, "launch_index");
    table.rows.push_back(
        {points.at(row, "run_id"), points.at(row, "run_name"), launch,
         launch_label(name_of_trace[trace], points.integer(row, "launch_index"), launches_of_trace[trace].size() == 1),
         points.at(row, "x"), points.at(row, "y")});
  }
  return table;
}

// Where several runs of one launch have the same x, something else differs between them, too.
void refuse_doubles(const Database& database, const FigureRequest& request, const QueryTable& table) {
  std::map<std::pair<std::string, std::string>, std::string> seen;
  std::set<std::string> values;
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    const std::string x = text_of(table.at(row, "x"));
    values.insert(x);
    const auto [place, is_new] =
        seen.emplace(std::pair(text_of(table.at(row, "line")), x), text_of(table.at(row, "run_name")));
    if (!is_new) {
      throw UserError(
          fmt::format("{}: runs {} and {} both have {} = {}, so that more than it differs; choose with --run",
                      database.path(), place->second, text_of(table.at(row, "run_name")), request.x, x));
    }
  }
  if (values.size() < 2) {
    throw UserError(fmt::format("{}: {} is {} in all runs; a sweep needs two values", database.path(), request.x,
                                values.empty() ? "absent" : *values.begin()));
  }
}

constexpr std::size_t kMostLines = 8;  // colours of the palette

std::string lines_of(const Database& database, const QueryTable& table, const std::string& x,
                     const std::string& style) {
  const std::vector<std::string> lines = distinct(table, "line");
  if (lines.size() > kMostLines) {
    throw UserError(fmt::format("{}: {} lines are more than a figure holds ({}); choose with --run and --launch",
                                database.path(), lines.size(), kMostLines));
  }
  std::string script = "plot ";
  for (std::size_t i = 0; i < lines.size(); ++i) {
    script += fmt::format("{}'{}' using (strcol('line') eq {} ? column('{}') : NaN):(column('y')){} {} lt {} title {}",
                          i == 0 ? "" : ", \\\n     ", kFigureData, gnuplot_quoted(lines[i]), x,
                          x == "x_position" ? ":xtic(strcol('x'))" : "", style, i + 1, gnuplot_quoted(lines[i]));
  }
  return script + "\n";
}

// Rows of a line together, along x; texts in the order of their runs, at 0, 1, ...
bool order_points(QueryTable& table) {
  const std::size_t x = table.column("x");
  const std::vector<std::string> texts = distinct(table, "x");
  const bool numbers = std::ranges::all_of(texts, is_number);
  if (!numbers) {
    table.columns.emplace_back("x_position");
  }
  for (auto& row : table.rows) {
    const std::string text = text_of(row[x]);
    if (!numbers) {
      row.emplace_back(static_cast<std::int64_t>(std::ranges::find(texts, text) - texts.begin()));
    }
  }
  const std::size_t key = numbers ? x : table.columns.size() - 1;
  const std::size_t line = table.column("line");
  const std::vector<std::string> lines = distinct(table, "line");
  const auto place = [&lines, line](const std::vector<Cell>& row) {
    return std::ranges::find(lines, text_of(row[line])) - lines.begin();
  };
  std::ranges::stable_sort(table.rows, [&](const auto& a, const auto& b) {
    const double xa = std::stod(text_of(a[key]));
    const double xb = std::stod(text_of(b[key]));
    return std::pair(place(a), xa) < std::pair(place(b), xb);
  });
  return numbers;
}

std::string heading_of(const Database& database, const std::string& y) {
  const QueryTable unit = read_table(database, "SELECT unit FROM metric WHERE metric = ? AND unit <> ''", {y});
  return unit.rows.empty() ? column_heading(y) : y + " (" + text_of(unit.rows[0][0]) + ")";
}

}  // namespace

Figure sweep_figure(const Database& database, const FigureRequest& request) {
  const std::string y = request.metric.empty() ? "cycles" : request.metric;
  check_sweep(database, request, y);
  Figure figure;
  figure.data = with_lines(sweep_points(database, request, y));
  std::erase_if(figure.data.rows, [](const auto& row) { return !number_in(row.back()); });
  if (figure.data.rows.empty()) {
    throw UserError(fmt::format("{}: no complete simulated launch with a value of {}", database.path(), y));
  }
  refuse_doubles(database, request, figure.data);
  const bool numbers = order_points(figure.data);
  figure.script = fmt::format(
      "set xlabel {} noenhanced\nset ylabel {} noenhanced\nset yrange [0:*]\nset offsets graph 0.04, "
      "graph 0.04, graph 0.06, 0\nset xtics noenhanced\nset format y '%.6g'\n",
      gnuplot_quoted(request.x), gnuplot_quoted(heading_of(database, y)));
  figure.script += legend_above(request, distinct(figure.data, "line"));
  figure.script += lines_of(database, figure.data, numbers ? "x" : "x_position", "with linespoints lw 1.3 ps 0.6");
  return figure;
}

Figure timeseries_figure(const Database& database, const FigureRequest& request) {
  const std::string y = request.metric.empty() ? "ipc" : request.metric;
  const std::vector<std::string> columns = number_columns(database, "timeseries");
  if (std::ranges::find(columns, y) == columns.end()) {
    throw UserError(
        fmt::format("{}: the view timeseries has no number '{}'{}", database.path(), y, did_you_mean(y, columns)));
  }
  const std::string filter = figure_filter(database, request, "t.run_id");
  Figure figure;
  figure.data = read_table(
      database,
      "SELECT t.run_id AS run_id, t.run_name AS run_name, t.launch_index AS launch_index, t.run_name || CASE "
      "WHEN n.launches = 1 THEN '' ELSE '[' || t.launch_index || ']' END AS line, t.time_us AS time_us, t." +
          y +
          " AS y FROM timeseries t JOIN (SELECT run_id, count(*) AS launches FROM launch GROUP BY run_id) n "
          "ON n.run_id = t.run_id WHERE 1" +
          filter + " ORDER BY t.run_id, t.launch_index, t.cycle");
  if (figure.data.rows.empty()) {
    throw UserError(database.path() + ": no time series; simulate with --sample-interval");
  }
  figure.script = fmt::format("set xlabel 'time (us)'\nset ylabel {} noenhanced\nset yrange [0:*]\nset xrange [0:*]\n",
                              gnuplot_quoted(heading_of(database, y)));
  figure.script += legend_above(request, distinct(figure.data, "line"));
  // A row tells of the time up to it.
  figure.script += lines_of(database, figure.data, "time_us", "with fsteps lw 1");
  return figure;
}

}  // namespace warpsim
