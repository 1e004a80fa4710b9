#include "app/comparison/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "app/text_format.h"

namespace warpsim {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostGroups = 40;
constexpr std::size_t kKernelWidth = 60;

std::optional<double> real_or_nothing(const Statement& row, int column) {
  return row.is_null(column) ? std::nullopt : std::optional<double>(row.real(column));
}

std::string number(const std::optional<double>& value, int digits) {
  return value ? fmt::format("{:.{}f}", *value, digits) : "-";
}

std::string whole(const std::optional<double>& value) {
  return value ? grouped(static_cast<std::uint64_t>(*value)) : "-";
}

std::string percent(const std::optional<double>& value) {
  return value ? fmt::format("{:.0f} %", *value) : "-";
}

std::string time_text(const std::optional<double>& microseconds) {
  return microseconds ? short_seconds(*microseconds * 1e-6) : "-";
}

std::string factor(const std::optional<double>& value) {
  return value ? fmt::format("{:.2f} x", *value) : "-";
}

// Whether what is compared comes from several files.
bool several_databases(const std::vector<LaunchGroup>& groups) {
  std::set<std::string> names;
  for (const LaunchGroup& group : groups) {
    for (const ComparedLaunch& launch : group) {
      names.insert(launch.database);
    }
  }
  return names.size() > 1;
}

std::string label(const ComparedLaunch& launch, bool with_database) {
  return with_database ? launch.database + ": " + launch.run : launch.run;
}

std::string group_text(const LaunchGroup& group, bool with_database) {
  const ComparedLaunch& first = group.front();
  std::string text = fmt::format("\n  {}[{}] {}, grid {}, block {}\n\n", first.workload, first.launch_index,
                                 short_kernel_name(first.name, kKernelWidth), first.grid, first.block);
  TextTable table({{"run", Align::kLeft},
                   {"GPU", Align::kLeft},
                   {"cycles", Align::kRight},
                   {"time", Align::kRight},
                   {"speed-up", Align::kRight},
                   {"IPC", Align::kRight},
                   {"occupancy", Align::kRight},
                   {"L1 hit", Align::kRight},
                   {"L2 hit", Align::kRight},
                   {"L2 GB/s", Align::kRight},
                   {"DRAM GB/s", Align::kRight},
                   {"top stalls, warps per issue", Align::kLeft}});
  for (const ComparedLaunch& launch : group) {
    const std::string occupancy =
        percent(launch.occupancy_pct) +
        (launch.theoretical_occupancy_pct ? fmt::format(" of {:.0f}", *launch.theoretical_occupancy_pct) : "");
    table.add({label(launch, with_database), launch.gpu, whole(launch.cycles), time_text(launch.time_us),
               factor(launch.speed_up), number(launch.ipc, 2), occupancy, percent(launch.l1_hit_pct),
               percent(launch.l2_hit_pct), number(launch.l2_gb_per_s, 0), number(launch.dram_gb_per_s, 0),
               launch.top_stalls + (launch.limited ? " (limited by --max-cycles)" : "")});
  }
  return text + table.render();
}

// The speed-up of each variant over the first one, for the workloads that both ran.
std::string totals_text(const std::vector<LaunchGroup>& groups) {
  const std::vector<TimedLaunch> launches = timed_launches(groups);
  TextTable table({{"variant", Align::kLeft},
                   {"workloads", Align::kRight},
                   {"time", Align::kRight},
                   {"baseline time", Align::kRight},
                   {"total speed-up", Align::kRight},
                   {kMeanSpeedup, Align::kRight}});
  std::uint32_t most_launches = 0;
  const std::string base = usual_baseline(launches);
  for (const VariantSpeedup& speedup : speedups_over(launches, base)) {
    std::uint32_t compared = 0;
    double base_us = 0;
    double time_us = 0;
    for (const WorkloadSpeedup& workload : speedup.workloads) {
      compared += workload.launches;
      base_us += workload.baseline_us;
      time_us += workload.time_us;
    }
    most_launches = std::max(most_launches, compared);
    table.add({speedup.variant, std::to_string(speedup.workloads.size()), time_text(time_us), time_text(base_us),
               factor(speedup.of_sum), factor(speedup.mean)});
  }
  if (most_launches < 2) {
    return {};
  }
  return fmt::format("\n  speed-up over {}: total time of each workload, in the launches that both completed\n\n",
                     base) +
         table.render();
}

Json optional_json(const std::optional<double>& value) {
  return value ? Json(*value) : Json(nullptr);
}

}  // namespace

std::vector<ComparedLaunch> read_launches(const Database& database) {
  Statement rows(database,
                 "SELECT run_name, gpu, variant, workload, coalesce(nullif(trace_hash, ''), workload), launch_index, "
                 "name, grid, block, cycles, time_us, ipc, "
                 "occupancy_achieved_pct, occupancy_theoretical_pct, l1_hit_pct, l2_hit_pct, l2_gb_per_s, "
                 "dram_gb_per_s, top_stalls, status FROM comparison ORDER BY run_id, launch_index");
  std::vector<ComparedLaunch> launches;
  while (rows.step()) {
    ComparedLaunch launch;
    launch.database = database.path();
    launch.run = rows.text(0);
    launch.gpu = rows.text(1);
    launch.variant = rows.text(2);
    launch.workload = rows.text(3);
    launch.workload_key = rows.text(4);
    launch.launch_index = static_cast<std::uint32_t>(rows.integer(5));
    launch.name = rows.text(6);
    launch.grid = rows.text(7);
    launch.block = rows.text(8);
    int column = 9;
    for (std::optional<double>* value :
         {&launch.cycles, &launch.time_us, &launch.ipc, &launch.occupancy_pct, &launch.theoretical_occupancy_pct,
          &launch.l1_hit_pct, &launch.l2_hit_pct, &launch.l2_gb_per_s, &launch.dram_gb_per_s}) {
      *value = real_or_nothing(rows, column++);
    }
    launch.top_stalls = rows.is_null(column) ? std::string() : rows.text(column);
    launch.limited = rows.text(column + 1) == "limited";
    launches.push_back(std::move(launch));
  }
  return launches;
}

std::vector<RunNote> read_notes(const Database& database) {
  Statement rows(database,
                 "SELECT name, note FROM run_note JOIN run USING (run_id) WHERE source = 'simulated' "
                 "ORDER BY run_id, number");
  std::vector<RunNote> notes;
  while (rows.step()) {
    notes.push_back({rows.text(0), rows.text(1)});
  }
  return notes;
}

std::vector<LaunchGroup> group_launches(const std::vector<ComparedLaunch>& launches) {
  std::vector<LaunchGroup> groups;
  std::map<std::pair<std::string, std::uint32_t>, std::size_t> places;
  for (const ComparedLaunch& launch : launches) {
    const auto [place, is_new] = places.try_emplace({launch.workload_key, launch.launch_index}, groups.size());
    if (is_new) {
      groups.emplace_back();
    }
    LaunchGroup& group = groups[place->second];
    group.push_back(launch);
    const std::optional<double>& base = group.front().time_us;
    if (base && launch.time_us && *launch.time_us > 0) {
      group.back().speed_up = *base / *launch.time_us;
    }
  }
  return groups;
}

std::vector<TimedLaunch> timed_launches(const std::vector<LaunchGroup>& groups) {
  const bool with_database = several_databases(groups);
  std::vector<TimedLaunch> timed;
  for (const LaunchGroup& group : groups) {
    for (const ComparedLaunch& launch : group) {
      if (!launch.limited && launch.time_us.value_or(0) > 0) {
        timed.push_back({launch.workload_key, launch.workload,
                         with_database ? launch.database + ": " + launch.variant : launch.variant, launch.run,
                         launch.gpu, launch.launch_index, *launch.time_us});
      }
    }
  }
  return timed;
}

std::string comparison_text(const std::vector<LaunchGroup>& groups) {
  const bool with_database = several_databases(groups);
  std::string text;
  for (std::size_t i = 0; i < std::min(groups.size(), kMostGroups); ++i) {
    text += group_text(groups[i], with_database);
  }
  if (groups.size() > kMostGroups) {
    text += fmt::format("\n  ... and {} more launches: --json prints all of them\n", groups.size() - kMostGroups);
  }
  return groups.empty() ? text : text + totals_text(groups);
}

std::string notes_text(const std::vector<RunNote>& notes) {
  constexpr std::size_t kMostNamed = 3;
  std::map<std::string, std::vector<std::string>> runs;  // that have the note
  for (const RunNote& note : notes) {
    runs[note.note].push_back(note.run);
  }
  std::string text;
  for (const auto& [note, names] : runs) {
    text += fmt::format(
        "\n  note: {}: {}\n",
        names.size() > kMostNamed ? fmt::format("{} runs", names.size()) : fmt::format("{}", fmt::join(names, ", ")),
        note);
  }
  return text;
}

nlohmann::ordered_json comparison_json(const std::vector<LaunchGroup>& groups) {
  Json list = Json::array();
  for (const LaunchGroup& group : groups) {
    for (const ComparedLaunch& launch : group) {
      Json json;
      json["database"] = launch.database;
      json["run"] = launch.run;
      json["gpu"] = launch.gpu;
      json["variant"] = launch.variant;
      json["trace"] = launch.workload;
      json["launch_index"] = launch.launch_index;
      json["name"] = launch.name;
      json["cycles"] = optional_json(launch.cycles);
      json["time_us"] = optional_json(launch.time_us);
      json["speed_up"] = optional_json(launch.speed_up);
      json["ipc"] = optional_json(launch.ipc);
      json["occupancy_achieved_pct"] = optional_json(launch.occupancy_pct);
      json["occupancy_theoretical_pct"] = optional_json(launch.theoretical_occupancy_pct);
      json["l1_hit_pct"] = optional_json(launch.l1_hit_pct);
      json["l2_hit_pct"] = optional_json(launch.l2_hit_pct);
      json["l2_gb_per_s"] = optional_json(launch.l2_gb_per_s);
      json["dram_gb_per_s"] = optional_json(launch.dram_gb_per_s);
      json["top_stalls"] = launch.top_stalls;
      json["limited"] = launch.limited;
      list.push_back(std::move(json));
    }
  }
  return list;
}

}  // namespace warpsim
