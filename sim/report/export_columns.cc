// Selects the exported columns of a table.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <span>
#include <utility>

#include "base/error.h"
#include "config/near_miss.h"
#include "report/export.h"

namespace warpsim {

namespace {

// For the views that have more columns than fit on a page, in order.
constexpr const char* kKernelSummary[] = {
    "run_name", "launch_index",           "kernel",     "grid",       "block",         "cycles",   "time_us",
    "ipc",      "occupancy_achieved_pct", "l1_hit_pct", "l2_hit_pct", "dram_gb_per_s", "top_stall"};
constexpr const char* kComparison[] = {
    "workload", "launch_index",           "kernel",     "variant",    "cycles",       "time_us", "speed_up",
    "ipc",      "occupancy_achieved_pct", "l1_hit_pct", "l2_hit_pct", "dram_gb_per_s"};
constexpr const char* kHotSpots[] = {
    "run_name",        "launch_index",        "kernel",          "address", "text", "executed", "l1_hit_pct",
    "warp_cycles_pct", "sectors_per_request", "mean_load_cycles"};

constexpr const char* kDeviceTimeline[] = {"run_name",
                                           "device",
                                           "kind",
                                           "kernel",
                                           "stream",
                                           "bytes",
                                           "start_us",
                                           "end_us",
                                           "waited_for_work_us",
                                           "waited_for_queue_us",
                                           "waited_for_place_us"};

std::span<const char* const> chosen_of(const std::string& view) {
  if (view == "kernel_summary") {
    return kKernelSummary;
  }
  if (view == "comparison") {
    return kComparison;
  }
  if (view == "device_timeline") {
    return kDeviceTimeline;
  }
  return view == "hot_spots" ? std::span<const char* const>(kHotSpots) : std::span<const char* const>();
}

// Keys, hashes, paths and names for programs.
bool is_for_programs(const std::string& column) {
  constexpr const char* kNames[] = {"trace", "config_file", "mangled_kernel", "command", "build", "started"};
  return column.ends_with("_id") || column.ends_with("_hash") || std::ranges::find(kNames, column) != std::end(kNames);
}

}  // namespace

std::vector<std::string> readable_columns(const ExportedTable& table, const std::string& view) {
  if (const std::span<const char* const> chosen = chosen_of(view); !chosen.empty()) {
    return {chosen.begin(), chosen.end()};
  }
  std::vector<std::string> all;
  std::vector<std::string> readable;
  for (const ExportColumn& column : table.columns) {
    all.push_back(column.name);
    if (!is_for_programs(column.name)) {
      readable.push_back(column.name);
    }
  }
  return readable.empty() ? all : readable;
}

ExportedTable with_columns(ExportedTable table, const std::vector<std::string>& columns) {
  ExportedTable result;
  result.provenance = std::move(table.provenance);
  const std::vector<std::string>& known = table.content.columns;
  std::vector<std::size_t> places;
  std::set<std::string> seen;
  for (const std::string& name : columns) {
    const auto found = std::ranges::find(known, name);
    if (found == known.end()) {
      const std::string near = did_you_mean(name, known);
      throw UserError(fmt::format("--columns: no column '{}'{}", name,
                                  near.empty() ? fmt::format("; there are {}", fmt::join(known, ", ")) : near));
    }
    if (!seen.insert(name).second) {
      throw UserError("--columns: '" + name + "' is named twice");
    }
    places.push_back(static_cast<std::size_t>(found - known.begin()));
    result.columns.push_back(table.columns[places.back()]);
    result.content.columns.push_back(name);
  }
  for (auto& row : table.content.rows) {
    auto& cells = result.content.rows.emplace_back();
    for (const std::size_t place : places) {
      cells.push_back(std::move(row[place]));
    }
  }
  return result;
}

}  // namespace warpsim
