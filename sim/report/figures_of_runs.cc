// Figures that compare runs: speed-up and time series.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "config/near_miss.h"
#include "report/figure_parts.h"
#include "report/speedups.h"

namespace warpsim {

namespace {

std::string chosen_baseline(const Database& database, const FigureRequest& request,
                            const std::vector<TimedLaunch>& launches) {
  if (request.baseline.empty()) {
    return launches.front().variant;
  }
  std::vector<std::string> names;
  for (const TimedLaunch& launch : launches) {
    if (request.baseline == launch.run || request.baseline == launch.gpu || request.baseline == launch.variant) {
      return launch.variant;
    }
    names.push_back(launch.variant);
    names.push_back(launch.run);
  }
  throw UserError(fmt::format("{}: --baseline '{}': no such GPU, variant or run{}", database.path(), request.baseline,
                              did_you_mean(request.baseline, names)));
}

// By key, in the order of their first launch.
std::vector<std::pair<std::string, std::string>> workloads_of(const std::vector<TimedLaunch>& launches) {
  std::vector<std::pair<std::string, std::string>> workloads;
  for (const TimedLaunch& launch : launches) {
    if (std::ranges::find(workloads, launch.workload_key, &std::pair<std::string, std::string>::first) ==
        workloads.end()) {
      workloads.emplace_back(launch.workload_key, launch.workload);
    }
  }
  return workloads;
}

// One row per workload, one column per variant, and the means.
QueryTable speedup_table(const std::vector<TimedLaunch>& launches, const std::vector<VariantSpeedup>& speedups,
                         std::vector<std::string>& remarks) {
  QueryTable table;
  table.columns = {"workload"};
  for (const VariantSpeedup& speedup : speedups) {
    table.columns.push_back(speedup.variant);
  }
  for (const auto& [key, name] : workloads_of(launches)) {
    std::vector<Cell> row = {name};
    bool any = false;
    for (const VariantSpeedup& speedup : speedups) {
      const auto found = std::ranges::find(speedup.workloads, key, &WorkloadSpeedup::workload_key);
      if (found == speedup.workloads.end()) {
        row.emplace_back();
        continue;
      }
      row.emplace_back(found->value());
      any = true;
    }
    if (any) {
      table.rows.push_back(std::move(row));
    } else {
      remarks.push_back(name + " left out: no complete launch of the baseline and another variant");
    }
  }
  if (table.rows.size() < 2) {
    return table;
  }
  std::vector<Cell> means = {std::string(kMeanSpeedup)};
  for (const VariantSpeedup& speedup : speedups) {
    means.emplace_back(speedup.mean);
    if (speedup.workloads.size() < table.rows.size()) {
      remarks.push_back(fmt::format("the mean of {} is over {} of {} workloads", speedup.variant,
                                    speedup.workloads.size(), table.rows.size()));
    }
  }
  table.rows.push_back(std::move(means));
  return table;
}

}  // namespace

Figure speedup_figure(const Database& database, const FigureRequest& request) {
  const std::vector<TimedLaunch> launches =
      read_timed_launches(database, "status = 'complete'" + figure_filter(database, request, "run_id"));
  if (launches.empty()) {
    throw UserError(database.path() + ": no complete simulated run");
  }
  const std::string baseline = chosen_baseline(database, request, launches);
  const std::vector<VariantSpeedup> speedups = speedups_over(launches, baseline);
  if (speedups.empty()) {
    throw UserError(
        std::ranges::all_of(launches, [&](const auto& launch) { return launch.variant == baseline; })
            ? database.path() + ": all runs have one configuration; a speed-up needs two"
            : fmt::format("{}: no workload was run on {} and on another variant", database.path(), baseline));
  }
  Figure figure;
  figure.data = speedup_table(launches, speedups, figure.remarks);
  std::vector<std::string> legend = figure.data.columns;
  legend.front() = baseline + " = 1";
  figure.script = legend_above(request, legend);
  figure.script += fmt::format(
      "set style data histograms\nset style histogram clustered gap 1\nset style fill solid 1 noborder\n"
      "set boxwidth 0.9\nset grid noxtics\nset xtics rotate by 40 right noenhanced scale 0\nset xlabel ' '\nset yrange "
      "[0:*]\n"
      "set ylabel 'speed-up'\nset xrange [-0.7:{:.1f}]\n"
      "plot 1 with lines lc rgb '#555555' lw 0.8 title {}",
      static_cast<double>(figure.data.rows.size()) - 0.3, gnuplot_quoted(legend.front()));
  const std::string label =
      fmt::format(":xtic(strcol(1) eq '{}' ? \"geometric mean\\nover workloads\" : strcol(1))", kMeanSpeedup);
  for (std::size_t i = 0; i < speedups.size(); ++i) {
    figure.script += fmt::format(", \\\n     '{}' using {}{} lt {} title {}", kFigureData, i + 2,
                                 i == 0 ? label : std::string(), i + 1, gnuplot_quoted(speedups[i].variant));
  }
  figure.script += "\n";
  for (const TimedLaunch& launch : launches) {
    if (std::ranges::find(figure.used_runs, launch.run) == figure.used_runs.end()) {
      figure.used_runs.push_back(launch.run);
    }
  }
  return figure;
}

namespace {

// Names may contain any character; numbers identify lines.
void number_lines(QueryTable& table) {
  const std::vector<std::string> lines = distinct(table, "line");
  const std::size_t line = table.column("line");
  table.columns.emplace_back("line_number");
  for (auto& row : table.rows) {
    row.emplace_back(std::ranges::find(lines, text_of(row[line])) - lines.begin());
  }
}

std::string time_lines(const Database& database, const QueryTable& table) {
  const std::vector<std::string> lines = distinct(table, "line");
  if (lines.size() > kMostLines) {
    throw UserError(fmt::format("{}: {} lines are more than a figure can show ({}); select with --run and --launch",
                                database.path(), lines.size(), kMostLines));
  }
  std::string script = "plot ";
  for (std::size_t i = 0; i < lines.size(); ++i) {
    // A row describes the interval that ends at its time.
    script += fmt::format(
        "{}'{}' using (column('line_number') == {} ? column('time_us') : NaN):(column('y')) with fsteps lw 1 lt {} "
        "title {}",
        i == 0 ? "" : ", \\\n     ", kFigureData, i, i + 1, gnuplot_quoted(lines[i]));
  }
  return script + "\n";
}

}  // namespace

Figure timeseries_figure(const Database& database, const FigureRequest& request) {
  const std::string y = request.metric.empty() ? "ipc" : request.metric;
  const std::vector<std::string> columns = number_columns(database, "timeseries");
  if (std::ranges::find(columns, y) == columns.end()) {
    throw UserError(fmt::format("{}: the view timeseries has no numeric column '{}'{}", database.path(), y,
                                did_you_mean(y, columns)));
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
                              gnuplot_quoted(figure_heading(database, y)));
  figure.script += legend_above(request, distinct(figure.data, "line"));
  number_lines(figure.data);
  figure.script += time_lines(database, figure.data);
  return figure;
}

}  // namespace warpsim
