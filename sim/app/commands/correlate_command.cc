#include "app/commands/correlate_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <ostream>

#include "app/commands/command_files.h"
#include "app/comparison/correlation.h"
#include "app/comparison/correlation_table.h"
#include "app/comparison/hardware_csv.h"
#include "app/comparison/launch_join.h"
#include "app/exit_codes.h"
#include "app/text_format.h"
#include "base/check.h"
#include "base/error.h"
#include "base/output_file.h"
#include "config/near_miss.h"
#include "report/csv.h"
#include "stats/database.h"
#include "stats/results_writer.h"
#include "stats/schema.h"

namespace warpsim {

namespace {

// The metrics that are compared by default: time first, then those that explain it.
constexpr const char* kMainMetrics[] = {
    "gpc__cycles_elapsed.max",
    "sm__cycles_active.avg",
    "smsp__inst_executed.sum",
    "sm__warps_active.avg.pct_of_peak_sustained_active",
    "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum",
    "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum",
    "lts__t_sectors.sum",
    "lts__t_sectors_lookup_hit.sum",
    "dram__bytes_read.sum",
    "smsp__issue_active.avg.pct_of_peak_sustained_active",
};
constexpr std::size_t kMetricsByLaunch = 2;  // of the main ones, those printed per launch

std::string value_text(double value) {
  return value == std::floor(value) && std::abs(value) < 1e15 && value >= 0 ? grouped(static_cast<std::uint64_t>(value))
                                                                            : fmt::format("{:.4g}", value);
}

std::vector<std::string> chosen_metrics(const CorrelateOptions& options, const HardwareTable& hardware) {
  const std::vector<std::string>& known = hardware.metrics;
  const auto measured = [&known](const std::string& metric) {
    return std::find(known.begin(), known.end(), metric) != known.end();
  };
  if (options.all) {
    return known;
  }
  for (const std::string& metric : options.metrics) {
    if (!measured(metric)) {
      throw UsageError("--metric '" + metric + "': " + options.hardware + " has no such column" +
                       did_you_mean(metric, known));
    }
  }
  if (!options.metrics.empty()) {
    return options.metrics;
  }
  std::vector<std::string> metrics;
  for (const char* metric : kMainMetrics) {
    if (measured(metric)) {
      metrics.emplace_back(metric);
    }
  }
  return metrics;
}

void print_list(std::ostream& out, const char* what, const std::vector<std::string>& labels) {
  if (!labels.empty()) {
    out << fmt::format("  {} ({}): {}\n", what, labels.size(), fmt::join(labels, ", "));
  }
}

void print_join(std::ostream& out, const LaunchJoin& join) {
  out << fmt::format("\n  {} launches compared\n", join.launches.size());
  print_list(out, "measured, not simulated", join.not_simulated);
  print_list(out, "simulated, not measured", join.not_measured);
  print_list(out, "left out, measurement failed", join.not_passed);
  print_list(out, "left out, stopped by --max-cycles", join.limited);
  print_list(out, "grid or block size differs; is it the same launch?", join.different_size);
}

std::optional<double> measured_value(const std::map<std::string, std::optional<double>>& values,
                                     const std::string& metric) {
  const auto found = values.find(metric);
  return found == values.end() ? std::nullopt : found->second;
}

std::optional<double> error_of(const JoinedLaunch& launch, const std::string& metric) {
  const std::optional<double> hardware = measured_value(launch.hardware, metric);
  const std::optional<double> simulated = measured_value(launch.simulated, metric);
  return hardware && simulated ? error_between(metric_kind(metric), *hardware, *simulated) : std::nullopt;
}

void print_launches(std::ostream& out, const LaunchJoin& join, const std::string& metric) {
  const bool spread_known =
      std::any_of(join.launches.begin(), join.launches.end(),
                  [&metric](const JoinedLaunch& launch) { return launch.spreads.contains(metric); });
  std::vector<TextTable::Column> columns = {{"launch", Align::kLeft},
                                            {"kernel", Align::kLeft},
                                            {"hardware", Align::kRight},
                                            {"simulated", Align::kRight},
                                            {"error", Align::kRight}};
  if (spread_known) {
    columns.push_back({"hardware spread", Align::kRight});
  }
  TextTable table(std::move(columns));
  constexpr std::size_t kKernelWidth = 30;
  const MetricKind kind = metric_kind(metric);
  for (const JoinedLaunch& launch : join.launches) {
    const std::optional<double> hardware = measured_value(launch.hardware, metric);
    const std::optional<double> simulated = measured_value(launch.simulated, metric);
    const std::optional<double> error = error_of(launch, metric);
    std::string remark = error_text(kind, error);
    if (hardware && simulated && !error) {
      remark = *simulated == 0 ? "both 0" : "hardware 0";
    }
    std::vector<std::string> cells = {launch.label, short_kernel_name(launch.kernel, kKernelWidth),
                                      hardware ? value_text(*hardware) : "-", simulated ? value_text(*simulated) : "-",
                                      remark};
    if (spread_known) {
      const auto spread = launch.spreads.find(metric);
      const bool shown = hardware && spread != launch.spreads.end();
      cells.push_back(shown ? spread_text(kind, *hardware, spread->second) : "-");
    }
    table.add(std::move(cells));
  }
  out << "\n  " << metric << "\n\n" << table.render();
}

void print_metrics(std::ostream& out, const MetricRows& metrics) {
  out << "\n" << render_text(metrics.rows);
  out << "\n  mean, median, 90th percentile and maximum of absolute errors. If the hardware count is below 1,000, the "
         "error is\n  the difference / 1,000; differences of percentages are in points (pt). Ratios have no error if "
         "hardware is 0\n  (hw 0); in parentheses: those with a simulated value above 0.\n";
  print_list(out, "no simulated value (reasons: table metric_status)", metrics.absent);
}

std::string comparisons_csv(const LaunchJoin& join, const std::vector<std::string>& metrics) {
  const auto number = [](const std::optional<double>& value) { return value ? fmt::format("{}", *value) : ""; };
  std::string text = "launch,kernel,metric,hardware,simulated,error\n";
  for (const std::string& metric : metrics) {
    for (const JoinedLaunch& launch : join.launches) {
      text += fmt::format("{},{},{},{},{},{}\n", csv_field(launch.label), csv_field(launch.kernel), csv_field(metric),
                          number(measured_value(launch.hardware, metric)),
                          number(measured_value(launch.simulated, metric)), number(error_of(launch, metric)));
    }
  }
  return text;
}

// Stores the measurements in the database, one hardware run per workload.
void store_hardware(const CorrelateOptions& options, const HardwareTable& hardware) {
  std::vector<std::string> order;
  std::map<std::string, std::vector<HardwareLaunch>> runs;
  for (const HardwareRow& row : hardware.rows) {
    if (!row.passed) {
      continue;
    }
    if (!runs.contains(row.workload)) {
      order.push_back(row.workload);
    }
    runs[row.workload].push_back(row.launch);
  }
  const std::string gpu =
      options.hardware_gpu.empty() ? std::filesystem::path(options.hardware).stem().string() : options.hardware_gpu;
  ResultsWriter writer(options.database);
  for (const std::string& workload : order) {
    writer.put_hardware_run(workload, gpu, runs[workload]);
  }
}

}  // namespace

int correlate_command(const CorrelateOptions& options, std::ostream& out) {
  check_files(options);
  const HardwareTable hardware = read_hardware_csv(options.hardware);
  const std::vector<std::string> metrics = chosen_metrics(options, hardware);
  LaunchJoin join;
  {
    const Database database(options.database, Database::Mode::kReadOnly);
    check_schema(database);
    join = join_launches(database, hardware);
  }
  if (options.store) {
    store_hardware(options, hardware);
  }
  print_join(out, join);
  const MetricRows rows = metric_rows(join, metrics);
  if (!join.launches.empty()) {
    const std::size_t by_launch = options.metrics.empty() ? kMetricsByLaunch : metrics.size();
    for (std::size_t i = 0; i < std::min(by_launch, metrics.size()); ++i) {
      print_launches(out, join, metrics[i]);
    }
    print_metrics(out, rows);
  }
  if (!options.csv.empty()) {
    write_output_file(options.csv, comparisons_csv(join, metrics));
    out << "\n  All comparisons are in " << options.csv << "\n";
  }
  for (const std::string& table : options.tables) {
    const std::optional<TableFormat> format = table_format(table);
    SIM_CHECK(format.has_value(), "the format of a table is checked with the options");
    write_output_file(table, render_table(rows.rows, *format));
    out << "\n  The table of metrics is in " << table << "\n";
  }
  return kExitDone;
}

}  // namespace warpsim
