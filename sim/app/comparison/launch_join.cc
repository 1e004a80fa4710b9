#include "app/comparison/launch_join.h"

#include <fmt/format.h>

namespace warpsim {

namespace {

struct SimulatedLaunch {
  std::int64_t run_id = 0;
  Dim3 grid;
  Dim3 block;
  bool limited = false;
  bool used = false;
};

using LaunchKey = std::pair<std::string, std::int64_t>;  // run, launch index

std::string label_of(const LaunchKey& key) {
  return fmt::format("{}[{}]", key.first, key.second);
}

Dim3 size_at(const Statement& row, int column) {
  const auto extent = [&row](int at) { return static_cast<std::uint32_t>(row.integer(at)); };
  return {extent(column), extent(column + 1), extent(column + 2)};
}

std::map<LaunchKey, SimulatedLaunch> simulated_launches(const Database& database) {
  std::map<LaunchKey, SimulatedLaunch> launches;
  Statement rows(database,
                 "SELECT r.name, l.launch_index, l.run_id, grid_x, grid_y, grid_z, block_x, block_y, block_z, l.status "
                 "FROM launch l JOIN run r USING (run_id) WHERE r.source = 'simulated'");
  while (rows.step()) {
    launches[{rows.text(0), rows.integer(1)}] = {rows.integer(2), size_at(rows, 3), size_at(rows, 6),
                                                 rows.text(9) == "limited", false};
  }
  return launches;
}

std::map<std::string, std::optional<double>> simulated_metrics(Statement& rows, const SimulatedLaunch& launch,
                                                               std::int64_t launch_index) {
  std::map<std::string, std::optional<double>> metrics;
  rows.bind(1, launch.run_id).bind(2, launch_index);
  while (rows.step()) {
    metrics[rows.text(0)] = rows.is_null(1) ? std::nullopt : std::optional<double>(rows.real(1));
  }
  return metrics;
}

}  // namespace

LaunchJoin join_launches(const Database& database, const HardwareTable& hardware) {
  std::map<LaunchKey, SimulatedLaunch> simulated = simulated_launches(database);
  Statement metric_rows(database, "SELECT metric, value FROM metric_value WHERE run_id = ? AND launch_index = ?");
  LaunchJoin join;
  for (const HardwareRow& row : hardware.rows) {
    const LaunchKey key{row.workload, row.launch.launch_index};
    const auto found = simulated.find(key);
    if (found == simulated.end()) {
      join.not_simulated.push_back(label_of(key));
      continue;
    }
    SimulatedLaunch& launch = found->second;
    launch.used = true;
    if (!row.passed) {
      join.not_passed.push_back(label_of(key));
      continue;
    }
    if (launch.limited) {
      join.limited.push_back(label_of(key));
      continue;
    }
    if (launch.grid != row.launch.grid || launch.block != row.launch.block) {
      join.different_size.push_back(label_of(key));
    }
    JoinedLaunch joined{
        label_of(key), row.launch.kernel, {}, simulated_metrics(metric_rows, launch, key.second), row.spreads};
    joined.hardware.insert(row.launch.metrics.begin(), row.launch.metrics.end());
    join.launches.push_back(std::move(joined));
  }
  for (const auto& [key, launch] : simulated) {
    if (!launch.used) {
      join.not_measured.push_back(label_of(key));
    }
  }
  return join;
}

std::vector<ValuePair> value_pairs(const LaunchJoin& join, const std::string& metric) {
  std::vector<ValuePair> pairs;
  for (const JoinedLaunch& launch : join.launches) {
    const auto hardware = launch.hardware.find(metric);
    const auto simulated = launch.simulated.find(metric);
    const bool both = hardware != launch.hardware.end() && hardware->second && simulated != launch.simulated.end() &&
                      simulated->second;
    if (both) {
      pairs.push_back({launch.label, *hardware->second, *simulated->second});
    }
  }
  return pairs;
}

}  // namespace warpsim
