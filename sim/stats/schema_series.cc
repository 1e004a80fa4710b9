#include "stats/schema_series.h"

#include <fmt/format.h>

#include <string_view>

#include "stats/hot_spot_columns.h"
#include "stats/sample_columns.h"

namespace warpsim {

namespace {

constexpr std::string_view kStalled = "stalled_";

bool is_stall(std::string_view column) {
  return column.starts_with(kStalled);
}

// "a + b + c" of all columns of stall reasons.
template <class Columns>
std::string sum_of_stalls(const Columns& columns) {
  std::string sum;
  for (const auto& column : columns) {
    if (is_stall(column.name)) {
      sum += (sum.empty() ? "s." : " + s.") + std::string(column.name);
    }
  }
  return sum;
}

std::string sample_table(const SampleTable& table) {
  const bool whole = is_of_device(table);
  std::string text = "CREATE TABLE " + std::string(table.name) +
                     " (\n  run_id INTEGER NOT NULL,\n  launch_index INTEGER NOT NULL,\n  cycle INTEGER NOT NULL,\n";
  text += whole ? "" : "  instance INTEGER NOT NULL,\n";
  text += "  cycles INTEGER NOT NULL";
  for (const SampleColumn* column : all_columns(table)) {
    text += ",\n  " + std::string(column->name) + " INTEGER NOT NULL";
  }
  return text + ",\n  PRIMARY KEY (run_id, launch_index, cycle" + (whole ? "" : ", instance") +
         "),\n  FOREIGN KEY (run_id, launch_index) REFERENCES launch ON DELETE CASCADE\n) WITHOUT ROWID;\n";
}

const SampleTable& table_named(std::string_view name) {
  for (const SampleTable& table : sample_tables()) {
    if (name == table.name) {
      return table;
    }
  }
  return sample_tables().back();
}

// The beginning and the end of all views of time series.
std::string series_view(const std::string& name, const std::string& table, bool instances, const std::string& columns) {
  return "CREATE VIEW " + name +
         " AS\nSELECT s.run_id AS run_id, r.name AS run_name, s.launch_index AS launch_index, k.short_name AS kernel,\n"
         "       l.kernel AS mangled_kernel,\n" +
         (instances ? "       s.instance AS instance,\n" : "") +
         "       s.cycle AS cycle, s.cycles AS cycles, s.cycle * l.duration_ns / l.elapsed_cycles / 1000 AS "
         "time_us,\n" +
         columns + "\nFROM " + table +
         " s\nJOIN run r ON r.run_id = s.run_id\n"
         "JOIN launch l ON l.run_id = s.run_id AND l.launch_index = s.launch_index\n"
         "JOIN kernel k ON k.name = l.kernel;\n";
}

constexpr const char* kNanoseconds = "(s.cycles * l.duration_ns / l.elapsed_cycles)";

std::string views_of_series() {
  const std::string nanoseconds = kNanoseconds;
  const std::string warps = "(" + sum_of_stalls(table_named("sample_sm").columns) + ")";
  const std::string sm =
      "       CAST(s.instructions AS REAL) / s.cycles AS ipc,\n"
      "       CAST(" +
      warps +
      " AS REAL) / s.cycles AS active_warps,\n"
      "       CAST(s.stalled_selected + s.stalled_not_selected AS REAL) / s.cycles AS eligible_warps,\n"
      "       CAST(s.thread_instructions AS REAL) / s.instructions AS threads_per_instruction,\n"
      "       100.0 * s.l1_load_hit_sectors / s.l1_load_sectors AS l1_hit_pct,\n"
      "       s.l1_requested_sectors * 32 / " +
      nanoseconds +
      " AS l1_fill_gb_per_s,\n"
      "       CAST(s.shared_wavefronts AS REAL) / s.cycles AS shared_wavefronts_per_cycle,\n"
      "       CAST(s.shared_conflicts AS REAL) / s.cycles AS shared_conflicts_per_cycle,\n"
      "       s.lsu_queue AS lsu_queue";
  const std::string l2 =
      "       100.0 * s.l2_hit_sectors / (s.l2_hit_sectors + s.l2_miss_sectors) AS l2_hit_pct,\n"
      "       (s.l2_read_sectors + s.l2_write_sectors + s.l2_atomic_sectors) * 32 / " +
      nanoseconds +
      " AS l2_gb_per_s,\n"
      "       s.l2_queue AS l2_queue";
  const std::string dram =
      "       s.dram_bytes_read / " + nanoseconds + " AS dram_read_gb_per_s,\n       s.dram_bytes_written / " +
      nanoseconds +
      " AS dram_write_gb_per_s,\n"
      "       100.0 * s.dram_row_hits / (s.dram_row_hits + s.dram_row_misses + s.dram_row_conflicts) AS "
      "dram_row_hit_pct,\n"
      "       s.dram_queue AS dram_queue";
  std::string text = series_view("timeseries", "sample_device", false, sm + ",\n" + l2 + ",\n" + dram);
  text += series_view("timeseries_sm", "sample_sm", true, sm);
  text += series_view("timeseries_l2_slice", "sample_l2_slice", true, l2);
  text += series_view("timeseries_dram_channel", "sample_dram_channel", true, dram);
  return text;
}

// The rows of a table of launches with the names of run and kernel, for SELECTs after it.
std::string with_names(const std::string& table) {
  return "WITH named AS (\n  SELECT s.*, r.name AS run_name, k.short_name AS kernel, l.kernel AS mangled_kernel FROM " +
         table +
         " s\n  JOIN run r ON r.run_id = s.run_id\n"
         "  JOIN launch l ON l.run_id = s.run_id AND l.launch_index = s.launch_index\n"
         "  JOIN kernel k ON k.name = l.kernel\n)\n";
}

// One row per reason.
std::string stalls_over_time() {
  std::string text = "CREATE VIEW timeseries_stalls AS\n" + with_names("sample_device");
  bool first = true;
  for (const SampleColumn& column : table_named("sample_sm").columns) {
    if (!is_stall(column.name)) {
      continue;
    }
    const std::string name = column.name;
    text += std::string(first ? "" : "UNION ALL ") +
            "SELECT run_id, run_name, launch_index, kernel, mangled_kernel, cycle, '" + name.substr(kStalled.size()) +
            "' AS reason, CAST(" + name + " AS REAL) / cycles AS warps FROM named\n";
    first = false;
  }
  return text + ";\n";
}

constexpr const char* kCodeTables = R"sql(
CREATE TABLE program (
  program_id   INTEGER PRIMARY KEY,
  kernel       TEXT NOT NULL,
  architecture INTEGER NOT NULL,
  hash         TEXT NOT NULL UNIQUE
);
CREATE TABLE instruction (
  program_id  INTEGER NOT NULL REFERENCES program,
  position    INTEGER NOT NULL,
  address     INTEGER NOT NULL,
  text        TEXT NOT NULL,
  source_file TEXT,
  source_line INTEGER,
  PRIMARY KEY (program_id, position)
) WITHOUT ROWID;
CREATE TABLE launch_program (
  run_id       INTEGER NOT NULL,
  launch_index INTEGER NOT NULL,
  program_id   INTEGER NOT NULL REFERENCES program,
  PRIMARY KEY (run_id, launch_index),
  FOREIGN KEY (run_id, launch_index) REFERENCES launch ON DELETE CASCADE
) WITHOUT ROWID;
CREATE TABLE hot_spot_latency (
  run_id       INTEGER NOT NULL,
  launch_index INTEGER NOT NULL,
  position     INTEGER NOT NULL,
  lower_bound  INTEGER NOT NULL,
  upper_bound  INTEGER,
  loads        INTEGER NOT NULL,
  PRIMARY KEY (run_id, launch_index, position, lower_bound),
  FOREIGN KEY (run_id, launch_index) REFERENCES launch ON DELETE CASCADE
) WITHOUT ROWID;
)sql";

std::string hot_spot_table() {
  std::string text =
      "CREATE TABLE hot_spot (\n  run_id INTEGER NOT NULL,\n  launch_index INTEGER NOT NULL,\n  position INTEGER NOT "
      "NULL";
  for (const HotSpotColumnInfo& column : hot_spot_columns()) {
    text += ",\n  " + std::string(column.name) + " INTEGER NOT NULL";
  }
  return text +
         ",\n  PRIMARY KEY (run_id, launch_index, position),\n"
         "  FOREIGN KEY (run_id, launch_index) REFERENCES launch ON DELETE CASCADE\n) WITHOUT ROWID;\n";
}

std::string hot_spot_views() {
  const std::string all = "(" + sum_of_stalls(hot_spot_columns()) + ")";
  std::string text =
      "CREATE VIEW hot_spots AS\n"
      "SELECT s.run_id AS run_id, r.name AS run_name, s.launch_index AS launch_index, k.short_name AS kernel,\n"
      "       l.kernel AS mangled_kernel, s.position AS position, i.address AS address, i.text AS text, i.source_file "
      "AS source_file,\n"
      "       i.source_line AS source_line, s.executed AS executed, s.threads_executed AS threads_executed,\n"
      "       " +
      all + " AS warp_cycles, " + all +
      " - s.stalled_selected AS stall_cycles,\n"
      "       100.0 * " +
      all + " / sum(" + all +
      ") OVER (PARTITION BY s.run_id, s.launch_index) AS warp_cycles_pct,\n"
      "       s.requests AS requests, s.sectors AS sectors,\n"
      "       CAST(s.sectors AS REAL) / s.requests AS sectors_per_request,\n"
      "       CASE WHEN s.loads > 0 THEN 100.0 * s.l1_hit_sectors / s.sectors END AS l1_hit_pct,\n"
      "       s.shared_wavefronts AS shared_wavefronts, s.shared_conflicts AS shared_conflicts, s.loads AS loads,\n"
      "       s.loads_from_l1 AS loads_from_l1, s.loads_from_l2 AS loads_from_l2,\n"
      "       s.loads_from_dram AS loads_from_dram,\n"
      "       CAST(s.load_cycles AS REAL) / s.loads AS mean_load_cycles,\n"
      "       s.greatest_load_cycles AS greatest_load_cycles\n"
      "FROM hot_spot s\n"
      "JOIN run r ON r.run_id = s.run_id\n"
      "JOIN launch l ON l.run_id = s.run_id AND l.launch_index = s.launch_index\n"
      "JOIN kernel k ON k.name = l.kernel\n"
      "JOIN launch_program p ON p.run_id = s.run_id AND p.launch_index = s.launch_index\n"
      "JOIN instruction i ON i.program_id = p.program_id AND i.position = s.position;\n"
      "CREATE VIEW hot_spot_stalls AS\n" +
      with_names("hot_spot");
  bool first = true;
  for (const HotSpotColumnInfo& column : hot_spot_columns()) {
    const std::string name = column.name;
    if (is_stall(name)) {
      text += fmt::format(
          "{}SELECT run_id, run_name, launch_index, kernel, mangled_kernel, position, '{}' AS reason, {} AS "
          "warp_cycles "
          "FROM named WHERE {} <> 0\n",
          first ? "" : "UNION ALL ", name.substr(kStalled.size()), name, name);
      first = false;
    }
  }
  return text + ";\n";
}

}  // namespace

std::string series_schema() {
  std::string text;
  for (const SampleTable& table : sample_tables()) {
    text += sample_table(table);
  }
  return text + views_of_series() + stalls_over_time();
}

std::string hot_spot_schema() {
  return kCodeTables + hot_spot_table() + hot_spot_views();
}

}  // namespace warpsim
