// Figures with a point or a bar for each launch: correlation, stalls, roofline.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "base/error.h"
#include "config/near_miss.h"
#include "report/figure_parts.h"

namespace warpsim {

namespace {

// Powers of ten around the values of two columns.
std::pair<double, double> decades(const QueryTable& table, std::string_view x, std::string_view y) {
  double least = HUGE_VAL;
  double greatest = 0;
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    for (const std::string_view column : {x, y}) {
      const double value = number_in(table.at(row, column)).value_or(1);
      least = std::min(least, value);
      greatest = std::max(greatest, value);
    }
  }
  return {std::pow(10, std::floor(std::log10(least))), std::pow(10, std::ceil(std::log10(greatest * 1.0001)))};
}

std::string metric_label(const Database& database, const std::string& metric) {
  if (metric == "gpc__cycles_elapsed.max") {
    return "cycles";
  }
  const QueryTable unit = read_table(database, "SELECT unit FROM metric WHERE metric = ?", {metric});
  const std::string text = unit.rows.empty() ? "" : text_of(unit.rows[0][0]);
  return metric + (text.empty() ? "" : " (" + text + ")");
}

std::string known_metric(const Database& database, const std::string& metric) {
  if (metric.empty()) {
    return "gpc__cycles_elapsed.max";
  }
  const std::vector<std::string> known =
      distinct(read_table(database, "SELECT metric FROM metric ORDER BY metric"), "metric");
  if (std::ranges::find(known, metric) == known.end()) {
    throw UserError(database.path() + ": no metric '" + metric + "'" + did_you_mean(metric, known));
  }
  return metric;
}

// Keeps rows with both values above 0, as logarithms require; returns a remark on the others.
std::string drop_without_logarithm(QueryTable& table, std::string_view x, std::string_view y) {
  const std::size_t columns[] = {table.column(x), table.column(y)};
  const std::size_t before = table.rows.size();
  std::erase_if(table.rows, [&columns](const std::vector<Cell>& row) {
    return std::ranges::any_of(columns, [&row](std::size_t i) { return number_in(row[i]).value_or(0) <= 0; });
  });
  const std::size_t gone = before - table.rows.size();
  return gone == 0 ? "" : fmt::format("{} left out: 0 or no value cannot be drawn on a logarithmic axis", gone);
}

}  // namespace

Figure correlation_figure(const Database& database, const FigureRequest& request) {
  const std::string metric = known_metric(database, request.metric);
  Figure figure;
  figure.data = read_table(
      database,
      "SELECT s.run_id AS run_id, s.run_name AS run_name, s.launch_index AS launch_index, s.kernel AS kernel, "
      "s.gpu AS gpu, h.value AS hardware, s.value AS simulated, 100 * (s.value - h.value) / h.value AS error_pct "
      "FROM metrics s JOIN metrics h ON h.run_name = s.run_name AND h.launch_index = s.launch_index "
      "AND h.metric = s.metric AND h.source = 'hardware' "
      "JOIN launch l ON l.run_id = s.run_id AND l.launch_index = s.launch_index AND l.status = 'complete' "
      "WHERE s.source = 'simulated' AND s.metric = ?" +
          figure_filter(database, request, "s.run_id") + " ORDER BY s.run_id, s.launch_index",
      {metric});
  if (figure.data.rows.empty()) {
    throw UserError(
        fmt::format("{}: no launch has both a simulated and a measured value of {}; 'warpsim correlate' and 'warpsim "
                    "import-ncu' add measurements",
                    database.path(), metric));
  }
  if (const std::string remark = drop_without_logarithm(figure.data, "hardware", "simulated"); !remark.empty()) {
    figure.remarks.push_back(remark);
  }
  if (figure.data.rows.empty()) {
    throw UserError(fmt::format("{}: {} is 0 in every launch on one side; there is nothing to draw on logarithmic axes",
                                database.path(), metric));
  }
  figure.used_runs = distinct(figure.data, "run_name");  // also the measured ones
  double errors = 0;
  for (std::size_t row = 0; row < figure.data.rows.size(); ++row) {
    errors += std::abs(number_in(figure.data.at(row, "error_pct")).value_or(0));
  }
  const auto [least, greatest] = decades(figure.data, "hardware", "simulated");
  const std::string label = metric_label(database, metric);
  const std::size_t count = figure.data.rows.size();
  figure.script = fmt::format(
      "set logscale xy\nset format xy '%.0s%c'\nset size ratio 1\n"
      "set xrange [{0}:{1}]\nset yrange [{0}:{1}]\nset samples 200\n"
      "set xlabel {2} noenhanced\nset ylabel {3} noenhanced\nset key top left Left reverse\n"
      "plot '+' using 1:($1*0.8):($1*1.2) with filledcurves fc rgb '#e4ecf2' title '± 20 %', \\\n"
      "     x with lines lc rgb '#555555' lw 1 title 'simulated = measured', \\\n",
      least, greatest, gnuplot_quoted("measured " + label), gnuplot_quoted("simulated " + label));
  const std::vector<std::string> gpus = distinct(figure.data, "gpu");
  const std::string all = fmt::format("{} launches, MAPE {:.1f} %", count, errors / static_cast<double>(count));
  for (std::size_t i = 0; i < gpus.size(); ++i) {
    const std::string name = gpus.size() == 1 ? all : gpus[i];
    figure.script += fmt::format(
        "     '{}' using (strcol('gpu') eq {} ? column('hardware') : NaN):(column('simulated')) with points lt {} ps "
        "0.55 title {}{}\n",
        kFigureData, gnuplot_quoted(gpus[i]), i + 1, gnuplot_quoted(name), i + 1 == gpus.size() ? "" : ", \\");
  }
  if (gpus.size() > 1) {
    figure.script = "set key title " + gnuplot_quoted(all) + " noenhanced\n" + figure.script;
  }
  return figure;
}

namespace {

constexpr std::size_t kShownReasons = 7;  // the palette's colours without the grey of all others
constexpr std::size_t kMostBars = 64;

// The largest reasons over all launches, in descending order.
std::vector<std::string> chief_reasons(const QueryTable& stalls) {
  std::map<std::string, double> sums;
  for (std::size_t row = 0; row < stalls.rows.size(); ++row) {
    sums[text_of(stalls.at(row, "reason"))] += number_in(stalls.at(row, "warps_per_issue")).value_or(0);
  }
  std::vector<std::string> reasons;
  reasons.reserve(sums.size());
  for (const auto& [reason, sum] : sums) {
    reasons.push_back(reason);
  }
  std::ranges::stable_sort(reasons, [&sums](const auto& a, const auto& b) { return sums[a] > sums[b]; });
  reasons.resize(std::min(reasons.size(), kShownReasons));
  return reasons;
}

// One row per launch, one column per reason, and one for the sum of the others.
QueryTable stalls_by_launch(const QueryTable& stalls, const std::vector<std::string>& reasons) {
  QueryTable table;
  table.columns = {"run_id", "run_name", "launch_index", "kernel", "label"};
  table.columns.insert(table.columns.end(), reasons.begin(), reasons.end());
  table.columns.emplace_back("other");
  std::map<std::string, std::size_t> launches;
  for (std::size_t row = 0; row < stalls.rows.size(); ++row) {
    ++launches[text_of(stalls.at(row, "run_id")) + ' ' + text_of(stalls.at(row, "launch_index"))];
  }
  std::map<std::string, std::size_t> of_run;
  for (const auto& [key, count] : launches) {
    ++of_run[key.substr(0, key.find(' '))];
  }
  std::string last;
  for (std::size_t row = 0; row < stalls.rows.size(); ++row) {
    const std::string run = text_of(stalls.at(row, "run_id"));
    const std::string key = run + ' ' + text_of(stalls.at(row, "launch_index"));
    if (key != last) {
      last = key;
      table.rows.push_back(
          {stalls.at(row, "run_id"), stalls.at(row, "run_name"), stalls.at(row, "launch_index"),
           stalls.at(row, "kernel"),
           launch_label(text_of(stalls.at(row, "run_name")), stalls.integer(row, "launch_index"), of_run[run] == 1)});
      table.rows.back().resize(table.columns.size(), 0.0);
    }
    const auto found = std::ranges::find(reasons, text_of(stalls.at(row, "reason")));
    const std::size_t column = table.columns.size() - 1 - static_cast<std::size_t>(reasons.end() - found);
    Cell& cell = table.rows.back()[column];
    cell = number_in(cell).value_or(0) + number_in(stalls.at(row, "warps_per_issue")).value_or(0);
  }
  return table;
}

}  // namespace

Figure stalls_figure(const Database& database, const FigureRequest& request) {
  const QueryTable stalls =
      read_table(database,
                 "SELECT run_id, run_name, launch_index, kernel, reason, warps_per_issue FROM stalls "
                 "WHERE source = 'simulated' AND warps_per_issue > 0" +
                     figure_filter(database, request, "run_id") + " ORDER BY run_id, launch_index, reason");
  if (stalls.rows.empty()) {
    throw UserError(database.path() + ": no simulated launch with stall reasons");
  }
  const std::vector<std::string> reasons = chief_reasons(stalls);
  Figure figure;
  figure.data = stalls_by_launch(stalls, reasons);
  if (figure.data.rows.size() > kMostBars) {
    throw UserError(
        fmt::format("{}: {} launches are more bars than a figure can show ({}); select with --run or --launch",
                    database.path(), figure.data.rows.size(), kMostBars));
  }
  figure.script =
      "set style data histograms\nset style histogram rowstacked\nset style fill solid 1 noborder\nset boxwidth 0.75\n"
      "set grid noxtics\nset xtics rotate by 40 right noenhanced scale 0\nset yrange [0:*]\n"
      "set ylabel 'warps per issue'\n" +
      legend_above(request, reasons) +
      fmt::format("set xrange [-0.7:{:.1f}]\nplot ", static_cast<double>(figure.data.rows.size()) - 0.3);
  const std::size_t first = 5;  // after the columns that name the launch
  for (std::size_t i = first; i < figure.data.columns.size(); ++i) {
    figure.script +=
        fmt::format("{}'{}' using {}{} lt {} title {}", i == first ? "" : ", \\\n     ", kFigureData, i + 1,
                    i == first ? ":xtic(5)" : "", i + 1 == figure.data.columns.size() ? 8 : i - first + 1,
                    gnuplot_quoted(figure.data.columns[i]));
  }
  figure.script += "\n";
  return figure;
}

namespace {

// Peaks of a run, derived from its configuration and its counters; NULL if the GPU lacks the level.
constexpr const char* kPeaks = R"sql(
WITH c AS (SELECT run_id, path, CAST(value AS REAL) AS value FROM config)
SELECT r.run_id AS run_id, r.gpu AS gpu,
       (SELECT round(max(i.value / (a.value * e.value))) FROM metric_value i
        JOIN metric_value a ON a.run_id = i.run_id AND a.launch_index = i.launch_index
                           AND a.metric = 'sm__inst_executed.avg.per_cycle_elapsed'
        JOIN metric_value e ON e.run_id = i.run_id AND e.launch_index = i.launch_index
                           AND e.metric = 'gpc__cycles_elapsed.max'
        WHERE i.run_id = r.run_id AND i.metric = 'smsp__inst_executed.sum')
       * (SELECT value FROM c WHERE c.run_id = r.run_id AND path = 'sm.sub_cores')
       / (SELECT value FROM c WHERE c.run_id = r.run_id AND path = 'sm.sub_core.issue.interval_cycles')
       * (SELECT value FROM c WHERE c.run_id = r.run_id AND path = 'clocks.core_mhz') / 1000 AS peak_gips,
       (SELECT value FROM c WHERE c.run_id = r.run_id AND path = 'address_map.num_channels')
       * (SELECT value FROM c WHERE c.run_id = r.run_id AND path = 'dram.burst_bytes')
       / (SELECT value FROM c WHERE c.run_id = r.run_id AND path = 'dram.burst_cycles')
       * (SELECT value FROM c WHERE c.run_id = r.run_id AND path = 'clocks.dram_mhz') / 1000 AS dram_gb_per_s,
       (SELECT value FROM c WHERE c.run_id = r.run_id AND path = 'address_map.num_partitions')
       * (SELECT value FROM c WHERE c.run_id = r.run_id AND path = 'address_map.slices_per_partition')
       * (SELECT value FROM c WHERE c.run_id = r.run_id AND path = 'l2.data_bytes_per_cycle')
       * (SELECT value FROM c WHERE c.run_id = r.run_id AND path = 'clocks.l2_mhz') / 1000 AS l2_gb_per_s
FROM run r WHERE r.source = 'simulated'
)sql";

constexpr const char* kIntensities = R"sql(
WITH v AS (
  SELECT run_id, run_name, launch_index, kernel,
         max(value) FILTER (WHERE metric = 'smsp__inst_executed.sum') AS instructions,
         max(value) FILTER (WHERE metric = 'gpu__time_duration.sum') AS time_ns,
         max(value) FILTER (WHERE metric = 'lts__t_sectors.sum') AS l2,
         (max(value) FILTER (WHERE metric = 'dram__bytes_read.sum')
          + max(value) FILTER (WHERE metric = 'dram__bytes_write.sum')) / 32 AS dram
  FROM metrics WHERE source = 'simulated'{0} GROUP BY run_id, launch_index
)
SELECT run_id, run_name, launch_index, kernel, 'L2' AS level, instructions / l2 AS intensity,
       instructions / time_ns AS gips FROM v
UNION ALL
SELECT run_id, run_name, launch_index, kernel, 'DRAM', instructions / dram, instructions / time_ns FROM v
ORDER BY run_id, launch_index, level
)sql";

struct Roof {
  const char* level;
  std::optional<double> gb_per_s;
};

std::string roof_lines(double peak, const std::vector<Roof>& roofs) {
  std::string text;
  constexpr double kTransaction = 32;
  int colour = 1;
  for (const Roof& roof : roofs) {
    if (roof.gb_per_s) {
      text += fmt::format("     (x < {1} ? x * {0} : NaN) with lines lt {2} lw 1.2 title '{3}, {4:.0f} GB/s', \\\n",
                          *roof.gb_per_s / kTransaction, peak * kTransaction / *roof.gb_per_s, colour, roof.level,
                          *roof.gb_per_s);
    }
    ++colour;
  }
  return text;
}

}  // namespace

Figure roofline_figure(const Database& database, const FigureRequest& request) {
  Figure figure;
  figure.data = read_table(database, fmt::format(kIntensities, figure_filter(database, request, "run_id")));
  if (const std::string remark = drop_without_logarithm(figure.data, "intensity", "gips"); !remark.empty()) {
    figure.remarks.push_back(remark + " (a launch without traffic at a level)");
  }
  if (figure.data.rows.empty()) {
    throw UserError(database.path() + ": no simulated launch with instructions and traffic");
  }
  const std::vector<std::string> ids = distinct(figure.data, "run_id");
  QueryTable peaks = read_table(database, kPeaks);
  std::erase_if(peaks.rows, [&](const auto& row) { return std::ranges::find(ids, text_of(row[0])) == ids.end(); });
  for (std::size_t row = 0; row < peaks.rows.size(); ++row) {
    for (const char* peak : {"gpu", "peak_gips", "dram_gb_per_s", "l2_gb_per_s"}) {
      if (text_of(peaks.at(row, peak)) != text_of(peaks.at(0, peak))) {
        throw UserError(fmt::format(
            "{}: a roofline is for one GPU, but the runs have several roofs ({} of {} and {}); select with --run",
            database.path(), peak, text_of(peaks.at(0, peak)), text_of(peaks.at(row, peak))));
      }
    }
  }
  const std::optional<double> peak = peaks.rows.empty() ? std::nullopt : number_in(peaks.at(0, "peak_gips"));
  if (!peak) {
    throw UserError(database.path() + ": the configuration of the runs has no values for the peaks");
  }
  const std::string gpu = text_of(peaks.at(0, "gpu"));
  figure.script = fmt::format(
      "set logscale xy\nset format xy '%g'\nset samples 400\nset yrange [*:{:.4g}]\n"
      "set xlabel 'warp instructions per 32-byte transaction'\nset ylabel '10^9 warp instructions / s'\n"
      "set key bottom right\nstats '{}' using (column('intensity')) nooutput\n"
      "set xrange [10**floor(log10(STATS_min)):10**ceil(log10(STATS_max*1.5))]\n"
      "plot {:.10g} with lines lc rgb '#333333' lw 1.2 title {}, \\\n",
      *peak * 2.5, kFigureData, *peak, gnuplot_quoted(fmt::format("{}, {:.0f} x 10^9/s", gpu, *peak)));
  figure.script += roof_lines(
      *peak, {{"L2", number_in(peaks.at(0, "l2_gb_per_s"))}, {"DRAM", number_in(peaks.at(0, "dram_gb_per_s"))}});
  figure.script += fmt::format(
      "     '{0}' using (strcol('level') eq 'L2' ? column('intensity') : NaN):(column('gips')) with points lt 1 ps 0.6 "
      "notitle, \\\n"
      "     '{0}' using (strcol('level') eq 'DRAM' ? column('intensity') : NaN):(column('gips')) with points lt 2 ps "
      "0.6 notitle\n",
      kFigureData);
  return figure;
}

}  // namespace warpsim
