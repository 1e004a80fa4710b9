#include "report/report_queries.h"

namespace warpsim {

namespace {

constexpr const char* kSummary =
    "SELECT run_id, run_name, gpu, device, source, launch_index, name, grid, block, cycles, time_us, instructions, "
    "ipc,\n"
    "       occupancy_achieved_pct, occupancy_theoretical_pct, occupancy_limiter, l1_hit_pct, l2_hit_pct,\n"
    "       l2_gb_per_s, dram_gb_per_s, mean_load_latency_cycles, top_stall, status\n"
    "FROM kernel_summary WHERE @runs ORDER BY run_id, launch_index";

constexpr const char* kOccupancy =
    "SELECT l.run_id, l.launch_index, l.registers_per_thread, l.shared_bytes, l.block_x * l.block_y * l.block_z AS "
    "threads,\n"
    "       max(a.value) FILTER (WHERE a.name = 'allocated_registers_per_thread') AS allocated_registers,\n"
    "       max(a.value) FILTER (WHERE a.name = 'carveout_bytes') AS carveout_bytes,\n"
    "       max(a.value) FILTER (WHERE a.name = 'max_warps_per_sm') AS warps_per_sm,\n"
    "       max(a.value) FILTER (WHERE a.name = 'blocks_per_sm') AS blocks_per_sm,\n"
    "       max(a.value) FILTER (WHERE a.name = 'occupancy_limit_warps') AS limit_warps,\n"
    "       max(a.value) FILTER (WHERE a.name = 'occupancy_limit_registers') AS limit_registers,\n"
    "       max(a.value) FILTER (WHERE a.name = 'occupancy_limit_shared_mem') AS limit_shared_mem,\n"
    "       max(a.value) FILTER (WHERE a.name = 'occupancy_limit_blocks') AS limit_blocks,\n"
    "       max(a.value) FILTER (WHERE a.name = 'occupancy_limiter') AS limiter,\n"
    "       max(a.value) FILTER (WHERE a.name = 'theoretical_occupancy_pct') AS theoretical_pct,\n"
    "       (SELECT value FROM metric_value v WHERE v.run_id = l.run_id AND v.launch_index = l.launch_index\n"
    "        AND v.metric = 'sm__warps_active.avg.pct_of_peak_sustained_active') AS achieved_pct\n"
    "FROM launch l JOIN launch_attribute a ON a.run_id = l.run_id AND a.launch_index = l.launch_index\n"
    "WHERE l.@runs GROUP BY l.run_id, l.launch_index";

constexpr const char* kMemory =
    "WITH counted AS (\n"
    "  SELECT c.run_id AS run_id, c.launch_index AS launch_index, s.component || '.' || s.name AS name, c.value AS "
    "value\n"
    "  FROM counter_total c JOIN statistic s ON s.stat_id = c.stat_id\n"
    ")\n"
    "SELECT run_id, launch_index,\n"
    "       sum(value) FILTER (WHERE name = 'sm.lsu.global_load_requests') AS global_load_requests,\n"
    "       32 * sum(value) FILTER (WHERE name = 'sm.lsu.global_load_sectors') AS global_load_bytes,\n"
    "       sum(value) FILTER (WHERE name = 'sm.lsu.global_store_requests') AS global_store_requests,\n"
    "       32 * sum(value) FILTER (WHERE name = 'sm.lsu.global_store_sectors') AS global_store_bytes,\n"
    "       32 * sum(value) FILTER (WHERE name IN ('sm.lsu.global_atomic_sectors', "
    "'sm.lsu.global_reduction_sectors'))\n"
    "         AS global_atomic_bytes,\n"
    "       32 * sum(value) FILTER (WHERE name = 'sm.lsu.local_load_sectors') AS local_load_bytes,\n"
    "       32 * sum(value) FILTER (WHERE name = 'sm.lsu.local_store_sectors') AS local_store_bytes,\n"
    "       100.0 * coalesce(sum(value) FILTER (WHERE name = 'sm.lsu.global_load_sector_hits'), 0)\n"
    "         / sum(value) FILTER (WHERE name = 'sm.lsu.global_load_sectors') AS l1_hit_pct,\n"
    "       sum(value) FILTER (WHERE name IN ('sm.lsu.shared_load_requests', 'sm.lsu.shared_store_requests',\n"
    "         'sm.lsu.shared_atomic_requests')) AS shared_requests,\n"
    "       sum(value) FILTER (WHERE name = 'sm.lsu.shared_wavefronts') AS shared_wavefronts,\n"
    "       sum(value) FILTER (WHERE name IN ('sm.lsu.shared_load_conflicts', 'sm.lsu.shared_store_conflicts',\n"
    "         'sm.lsu.shared_atomic_conflicts')) AS shared_conflicts,\n"
    "       32 * sum(value) FILTER (WHERE name = 'sm.l1.requested_sectors') AS l1_requested_bytes,\n"
    "       32 * sum(value) FILTER (WHERE name = 'sm.tma.sectors_in') AS bulk_copy_in_bytes,\n"
    "       32 * sum(value) FILTER (WHERE name = 'sm.tma.sectors_out') AS bulk_copy_out_bytes,\n"
    "       32 * sum(value) FILTER (WHERE name = 'crossbar.merged_sectors') AS merged_read_bytes,\n"
    "       32 * sum(value) FILTER (WHERE name IN ('l2_slice.from_l1.read_sectors', "
    "'l2_slice.from_cache.read_sectors'))\n"
    "         AS l2_to_sm_bytes,\n"
    "       32 * sum(value) FILTER (WHERE name IN ('l2_slice.from_l1.write_sectors', "
    "'l2_slice.from_l1.atomic_sectors',\n"
    "         'l2_slice.from_l1.reduction_sectors')) AS sm_to_l2_bytes,\n"
    "       100.0 * coalesce(sum(value) FILTER (WHERE name IN ('l2_slice.from_l1.hit_sectors', "
    "'l2_slice.from_cache.hit_sectors',\n"
    "         'l2_slice.from_translation.hit_sectors', 'l2_slice.from_fabric.hit_sectors')), 0)\n"
    "         / sum(value) FILTER (WHERE name IN ('l2_slice.from_l1.hit_sectors', 'l2_slice.from_cache.hit_sectors',\n"
    "         'l2_slice.from_translation.hit_sectors', 'l2_slice.from_fabric.hit_sectors', "
    "'l2_slice.from_l1.miss_sectors',\n"
    "         'l2_slice.from_cache.miss_sectors', 'l2_slice.from_translation.miss_sectors',\n"
    "         'l2_slice.from_fabric.miss_sectors')) AS l2_hit_pct,\n"
    "       32 * sum(value) FILTER (WHERE name IN ('l2_slice.from_l1.miss_sectors', "
    "'l2_slice.from_cache.miss_sectors',\n"
    "         'l2_slice.from_translation.miss_sectors'))\n"
    "         AS l2_miss_bytes,\n"
    "       32 * sum(value) FILTER (WHERE name = 'l2_slice.from_fabric.miss_sectors') AS other_half_miss_bytes,\n"
    "       32 * sum(value) FILTER (WHERE name = 'l2_slice.fabric_fill_sectors') AS other_half_fill_bytes,\n"
    "       32 * sum(value) FILTER (WHERE name = 'l2_slice.completion_sectors') AS completion_bytes,\n"
    "       sum(value) FILTER (WHERE name = 'l2_fabric.bytes') AS fabric_bytes,\n"
    "       sum(value) FILTER (WHERE name = 'dram_channel.bytes_read') AS dram_to_l2_bytes,\n"
    "       sum(value) FILTER (WHERE name = 'dram_channel.bytes_written') AS l2_to_dram_bytes,\n"
    "       100.0 * coalesce(sum(value) FILTER (WHERE name = 'dram_channel.row_hits'), 0) / sum(value) FILTER (WHERE "
    "name IN\n"
    "         ('dram_channel.row_hits', 'dram_channel.row_misses', 'dram_channel.row_conflicts')) AS dram_row_hit_pct\n"
    "FROM counted WHERE @runs GROUP BY run_id, launch_index";

constexpr const char* kCopies =
    "SELECT run_id, device, kind, peer_device, count(*) AS number, sum(bytes) AS bytes, sum(time_us) AS time_us,\n"
    "       sum(bytes) / nullif(sum(time_us), 0) / 1000 AS gb_per_s, sum(waited_for_work_us) AS waited_for_work_us,\n"
    "       sum(waited_for_queue_us) AS waited_for_queue_us, sum(waited_for_place_us) AS waited_for_place_us\n"
    "FROM device_timeline WHERE @runs AND (kind LIKE 'copy%' OR kind = 'fill')\n"
    "GROUP BY run_id, device, kind, peer_device ORDER BY run_id, device, kind, peer_device";

// Definition of an error: docs/statistics.md, `metrics`.
constexpr const char* kErrors =
    "WITH joined AS (\n"
    "  SELECT s.run_id AS run_id, s.run_name AS run_name, s.launch_index AS launch_index, s.metric AS metric,\n"
    "         h.value AS hardware, s.value AS simulated,\n"
    "         CASE WHEN instr(s.metric, '.pct') > 0 THEN (s.value - h.value) / 100\n"
    "              WHEN substr(s.metric, -4) IN ('.sum', '.avg', '.max', '.min')\n"
    "              THEN (s.value - h.value) / max(h.value, 1000)\n"
    "              WHEN h.value <> 0 THEN (s.value - h.value) / h.value END AS error\n"
    "  FROM metrics s JOIN run r ON r.run_id = s.run_id\n"
    "  JOIN launch l ON l.run_id = s.run_id AND l.launch_index = s.launch_index AND l.status = 'complete'\n"
    "  JOIN metrics h ON h.run_name = s.run_name AND h.launch_index = s.launch_index AND h.metric = s.metric\n"
    "  WHERE s.source = 'simulated' AND h.source = 'hardware' AND s.value IS NOT NULL AND h.value IS NOT NULL\n"
    "    AND s.@runs\n"
    ")";

constexpr const char* kErrorPoints =
    "\nSELECT run_id, run_name, launch_index, metric, hardware, simulated, error FROM joined\n"
    "ORDER BY metric, run_id, launch_index";

// Percentiles are interpolated linearly between the two nearest values.
constexpr const char* kErrorTable =
    ", ranked AS (\n"
    "  SELECT metric, abs(error) AS size, row_number() OVER (PARTITION BY metric ORDER BY abs(error)) - 1 AS place,\n"
    "         count(*) OVER (PARTITION BY metric) - 1 AS last\n"
    "  FROM joined WHERE error IS NOT NULL\n"
    "), percentiles AS (\n"
    "  SELECT metric,\n"
    "         sum(size * max(0, 1 - abs(place - 0.5 * last))) AS median,\n"
    "         sum(size * max(0, 1 - abs(place - 0.9 * last))) AS p90\n"
    "  FROM ranked GROUP BY metric\n"
    "), sums AS (\n"
    "  SELECT metric, count(error) AS launches, avg(abs(error)) AS mean_absolute_error, avg(error) AS mean_error,\n"
    "         count(*) - count(error) AS hardware_zero, max(abs(error)) AS worst, avg(hardware) AS hardware,\n"
    "         avg(simulated) AS simulated\n"
    "  FROM joined GROUP BY metric\n"
    ")\n"
    "SELECT s.metric AS metric, s.launches AS launches, s.mean_absolute_error AS mean_absolute_error,\n"
    "       p.median AS median_absolute_error, p.p90 AS p90_absolute_error, s.worst AS worst_absolute_error,\n"
    "       s.mean_error AS mean_error,\n"
    "       (SELECT sum((j.hardware - s.hardware) * (j.simulated - s.simulated))\n"
    "               / nullif(sqrt(sum((j.hardware - s.hardware) * (j.hardware - s.hardware))\n"
    "                             * sum((j.simulated - s.simulated) * (j.simulated - s.simulated))), 0)\n"
    "        FROM joined j WHERE j.metric = s.metric) AS pearson, s.hardware_zero AS hardware_zero,\n"
    "       (SELECT j.run_name || '[' || j.launch_index || ']' FROM joined j\n"
    "        WHERE j.metric = s.metric AND abs(j.error) = s.worst\n"
    "        ORDER BY j.run_id, j.launch_index LIMIT 1) AS worst_launch\n"
    "FROM sums s LEFT JOIN percentiles p ON p.metric = s.metric ORDER BY s.metric";

std::string with_runs(std::string sql, const std::string& runs) {
  const std::string mark = "@runs";
  for (std::size_t place = sql.find(mark); place != std::string::npos; place = sql.find(mark, place)) {
    const std::string condition = run_condition(runs);
    // "l.@runs" names the table that run_id is of; an empty condition requires none.
    if (place > 1 && sql[place - 1] == '.' && runs.empty()) {
      sql.replace(place - 2, mark.size() + 2, condition);
      place -= 2;
    } else {
      sql.replace(place, mark.size(), condition);
    }
    place += condition.size();
  }
  return sql;
}

}  // namespace

std::string sql_text(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) {
    quoted += c == '\'' ? std::string("''") : std::string(1, c);
  }
  return quoted + "'";
}

std::string run_condition(const std::string& runs, const std::string& column) {
  if (runs.empty()) {
    return "1";
  }
  // SQLite's GLOB also knows character classes; names contain brackets.
  std::string glob;
  for (const char c : runs) {
    glob += c == '[' ? std::string("[[]") : std::string(1, c);
  }
  const std::string named = "name = " + sql_text(runs);
  return column + " IN (SELECT run_id FROM run WHERE " + named + " OR (name GLOB " + sql_text(glob) +
         " AND NOT EXISTS (SELECT 1 FROM run WHERE " + named + ")))";
}

std::vector<ReportQuery> report_queries(const std::string& runs) {
  const std::vector<ReportQuery> queries = {
      {"runs", "Runs",
       "SELECT run_id, name, source, status, gpu, config_file, config_hash, trace, trace_hash, cache_control, "
       "launches,\n"
       "       max_cycles, version FROM run WHERE @runs ORDER BY run_id"},
      {"run_host", "Invocations",
       "SELECT run_id, command, build, started, seconds FROM run_host WHERE @runs ORDER BY run_id"},
      {"devices", "GPUs of the runs",
       "SELECT run_id, device, gpu, config_file, config_hash FROM device WHERE @runs ORDER BY run_id, device"},
      {"streams", "Streams",
       "SELECT run_id, device, stream, kernels, copies, fills, bytes, kernel_us, copy_us,\n"
       "       last_end_us - first_submitted_us AS span_us, waited_for_work_us, waited_for_queue_us,\n"
       "       waited_for_place_us\n"
       "FROM streams WHERE @runs ORDER BY run_id, device, stream"},
      {"copies", "Copies and fills", kCopies},
      {"ranges", "Ranges of the program",
       "SELECT run_id, domain, name, ranges, launches, kernel_us, span_us, shortest_span_us, longest_span_us\n"
       "FROM range_summary WHERE @runs ORDER BY run_id, kernel_us DESC, domain, name"},
      {"notes", "Notes on runs", "SELECT run_id, number, note FROM run_note WHERE @runs ORDER BY run_id, number"},
      {"kernel_summary", "Launches", kSummary},
      {"facts", "Utilisation", launch_facts_sql(runs)},
      {"arithmetic", "Operations by precision", arithmetic_sql(runs)},
      {"occupancy", "Occupancy and its limits", kOccupancy},
      {"attributes", "Further attributes of launches",
       "SELECT run_id, launch_index, name, value FROM launch_attribute WHERE @runs\n"
       "ORDER BY run_id, launch_index, name"},
      {"metric_names", "Meaning of metrics",
       "SELECT m.metric AS metric, m.unit AS unit, m.description AS description, m.formula AS formula, s.reason AS "
       "reason\n"
       "FROM metric m LEFT JOIN metric_status s ON s.metric = m.metric ORDER BY m.metric"},
      {"metrics", "Metrics",
       "SELECT run_id, launch_index, metric, value FROM metric_value WHERE @runs\n"
       "ORDER BY metric, run_id, launch_index"},
      {"stalls", "Stall reasons",
       "SELECT run_id, launch_index, reason, warps_per_issue FROM stalls WHERE @runs AND warps_per_issue > 0\n"
       "ORDER BY run_id, launch_index, warps_per_issue DESC, reason"},
      {"stall_shares", "Shares of stall reasons", stall_shares_sql(runs)},
      {"memory", "Traffic between the levels of memory", kMemory},
      {"load_latency", "Latency of loads",
       "SELECT run_id, launch_index, served_by, loads, mean_cycles, greatest_cycles FROM load_latency WHERE @runs\n"
       "ORDER BY run_id, launch_index, mean_cycles"},
      {"queueing", "Waiting times of requests",
       "SELECT run_id, launch_index, component, queue, requests, mean_cycles, greatest_cycles FROM queueing\n"
       "WHERE @runs ORDER BY run_id, launch_index, component, queue"},
      {"comparison", "The same launches in several variants",
       "SELECT * FROM comparison WHERE @runs ORDER BY run_id, launch_index"},
      {"errors", "Errors against hardware, by metric", std::string(kErrors) + kErrorTable},
      {"error_points", "Simulated and measured", std::string(kErrors) + kErrorPoints},
  };
  std::vector<ReportQuery> filled;
  filled.reserve(queries.size());
  for (const ReportQuery& query : queries) {
    filled.push_back({query.name, query.title, with_runs(query.sql, runs)});
  }
  return filled;
}

}  // namespace warpsim
