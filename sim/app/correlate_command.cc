#include "app/correlate_command.h"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <ostream>

#include "app/correlation.h"
#include "app/exit_codes.h"
#include "app/hardware_csv.h"
#include "app/launch_join.h"
#include "app/text_format.h"
#include "base/error.h"
#include "config/near_miss.h"
#include "stats/database.h"
#include "stats/results_writer.h"
#include "stats/schema.h"

namespace warpsim {

namespace {

// What is compared unless told otherwise: time first, then what explains it.
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
constexpr std::size_t kMetricsByLaunch = 2;  // of the main ones, those shown launch by launch

std::string percent(const std::optional<double>& share) {
  return share ? fmt::format("{:+.1f} %", *share * 100) : "-";
}
std::string coefficient(const std::optional<double>& value) {
  return value ? fmt::format("{:.3f}", *value) : "-";
}
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
  print_list(out, "left out, the measurement did not pass", join.not_passed);
  print_list(out, "left out, stopped by --max-cycles", join.limited);
  print_list(out, "grid or block differ, is it the same launch?", join.different_size);
}

void print_launches(std::ostream& out, const LaunchJoin& join, const std::string& metric) {
  TextTable table({{"launch", Align::kLeft},
                   {"kernel", Align::kLeft},
                   {"hardware", Align::kRight},
                   {"simulated", Align::kRight},
                   {"error", Align::kRight}});
  constexpr std::size_t kKernelWidth = 30;
  for (const JoinedLaunch& launch : join.launches) {
    const auto value_in = [&metric](const std::map<std::string, std::optional<double>>& values) {
      const auto found = values.find(metric);
      return found == values.end() ? std::nullopt : found->second;
    };
    const std::optional<double> hardware = value_in(launch.hardware);
    const std::optional<double> simulated = value_in(launch.simulated);
    std::string error = "-";
    if (hardware && simulated) {
      const ValuePair pair{launch.label, *hardware, *simulated};
      error = *hardware != 0 ? percent(pair.error()) : *simulated == 0 ? "both 0" : "hardware 0";
    }
    table.add({launch.label, short_kernel_name(launch.kernel, kKernelWidth), hardware ? value_text(*hardware) : "-",
               simulated ? value_text(*simulated) : "-", error});
  }
  out << "\n  " << metric << "\n\n" << table.render();
}

void print_metrics(std::ostream& out, const LaunchJoin& join, const std::vector<std::string>& metrics) {
  TextTable table({{"metric", Align::kLeft},
                   {"launches", Align::kRight},
                   {"mean |error|", Align::kRight},
                   {"mean error", Align::kRight},
                   {"Pearson", Align::kRight},
                   {"of logs", Align::kRight},
                   {"hardware 0 (other)", Align::kRight},
                   {"worst launch", Align::kLeft}});
  std::vector<std::string> absent;
  for (const std::string& metric : metrics) {
    const std::vector<ValuePair> pairs = value_pairs(join, metric);
    if (pairs.empty()) {
      absent.push_back(metric);
      continue;
    }
    const Correlation result = correlate(pairs);
    const std::string mean =
        result.mean_absolute_error ? fmt::format("{:.1f} %", *result.mean_absolute_error * 100) : "-";
    const std::string worst =
        result.worst ? fmt::format("{} {}", pairs[*result.worst].launch, percent(pairs[*result.worst].error())) : "-";
    table.add({metric, std::to_string(result.compared), mean, percent(result.mean_error), coefficient(result.pearson),
               coefficient(result.log_pearson),
               fmt::format("{} ({})", result.hardware_zero, result.hardware_zero_simulated_not), worst});
  }
  out << "\n" << table.render();
  out << "\n  Launches where hardware counts 0 have no relative error and are not in the mean; in parentheses those\n"
         "  of them where the simulator counts something.\n";
  print_list(out, "no simulated value (why: table metric_status)", absent);
}

void write_csv(const std::string& path, const LaunchJoin& join, const std::vector<std::string>& metrics) {
  std::ofstream file(path);
  file << "launch,kernel,metric,hardware,simulated,error\n";
  for (const std::string& metric : metrics) {
    for (const JoinedLaunch& launch : join.launches) {
      const auto text = [&metric](const std::map<std::string, std::optional<double>>& values) {
        const auto found = values.find(metric);
        return found == values.end() || !found->second ? std::string() : fmt::format("{}", *found->second);
      };
      const std::string hardware = text(launch.hardware);
      const std::string simulated = text(launch.simulated);
      std::string error;
      if (!hardware.empty() && !simulated.empty()) {
        const std::optional<double> relative =
            ValuePair{launch.label, *launch.hardware.at(metric), *launch.simulated.at(metric)}.error();
        error = relative ? fmt::format("{}", *relative) : "";
      }
      file << fmt::format("{},{},{},{},{},{}\n", csv_field(launch.label), csv_field(launch.kernel), csv_field(metric),
                          hardware, simulated, error);
    }
  }
  file.close();
  if (!file) {
    throw UserError(path + ": cannot be written");
  }
}

// Keeps the measurements in the database, one hardware run a workload.
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
  if (!join.launches.empty()) {
    const std::size_t by_launch = options.metrics.empty() ? kMetricsByLaunch : metrics.size();
    for (std::size_t i = 0; i < std::min(by_launch, metrics.size()); ++i) {
      print_launches(out, join, metrics[i]);
    }
    print_metrics(out, join, metrics);
  }
  if (!options.csv.empty()) {
    write_csv(options.csv, join, metrics);
    out << "\n  All comparisons are in " << options.csv << "\n";
  }
  return kExitDone;
}

}  // namespace warpsim
