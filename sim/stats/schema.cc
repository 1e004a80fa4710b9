#include "stats/schema.h"

#include "base/error.h"
#include "stats/database.h"
#include "stats/schema_layout.h"
#include "stats/schema_ranges.h"
#include "stats/schema_series.h"
#include "stats/schema_streams.h"
#include "stats/schema_variants.h"

namespace warpsim {

namespace {

constexpr const char* kCoreTables = R"sql(
CREATE TABLE run (
  run_id        INTEGER PRIMARY KEY,
  name          TEXT NOT NULL,
  source        TEXT NOT NULL CHECK (source IN ('simulated', 'hardware')),
  status        TEXT NOT NULL CHECK (status IN ('incomplete', 'complete', 'limited')),
  gpu           TEXT NOT NULL,
  config_file   TEXT,
  config_hash   TEXT,
  trace         TEXT,
  trace_hash    TEXT,
  cache_control TEXT,
  launches      TEXT,
  max_cycles    INTEGER,
  version       TEXT NOT NULL,
  UNIQUE (name, source)
);
CREATE TABLE run_note (
  run_id INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
  number INTEGER NOT NULL,
  note   TEXT NOT NULL,
  PRIMARY KEY (run_id, number)
) WITHOUT ROWID;
CREATE TABLE run_setting (
  run_id INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
  name   TEXT NOT NULL,
  value  TEXT NOT NULL,
  PRIMARY KEY (run_id, name)
) WITHOUT ROWID;
CREATE TABLE run_host (
  run_id  INTEGER PRIMARY KEY REFERENCES run ON DELETE CASCADE,
  command TEXT NOT NULL,
  build   TEXT NOT NULL,
  started TEXT NOT NULL,
  seconds REAL,
  program TEXT
);
CREATE TABLE run_writer (
  run_id  INTEGER PRIMARY KEY REFERENCES run ON DELETE CASCADE,
  token   TEXT NOT NULL,
  host    TEXT NOT NULL,
  system  TEXT NOT NULL,
  process INTEGER NOT NULL,
  started TEXT NOT NULL
);
CREATE TABLE config (
  run_id INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
  path   TEXT NOT NULL,
  value  TEXT NOT NULL,
  origin TEXT NOT NULL,
  PRIMARY KEY (run_id, path)
) WITHOUT ROWID;
CREATE TABLE kernel (
  name       TEXT PRIMARY KEY,
  demangled  TEXT NOT NULL,
  short_name TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE launch (
  run_id               INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
  launch_index         INTEGER NOT NULL,
  kernel               TEXT NOT NULL REFERENCES kernel (name),
  status               TEXT CHECK (status IN ('complete', 'limited')),
  grid_x INTEGER NOT NULL, grid_y INTEGER NOT NULL, grid_z INTEGER NOT NULL,
  block_x INTEGER NOT NULL, block_y INTEGER NOT NULL, block_z INTEGER NOT NULL,
  cluster_x INTEGER, cluster_y INTEGER, cluster_z INTEGER,
  registers_per_thread INTEGER,
  shared_bytes         INTEGER,
  local_bytes_per_thread INTEGER,
  device               INTEGER,
  stream               INTEGER,
  start_cycle          INTEGER,
  elapsed_cycles       INTEGER,
  duration_ns          REAL,
  PRIMARY KEY (run_id, launch_index)
) WITHOUT ROWID;
CREATE TABLE launch_attribute (
  run_id       INTEGER NOT NULL,
  launch_index INTEGER NOT NULL,
  name         TEXT NOT NULL,
  value,
  PRIMARY KEY (run_id, launch_index, name),
  FOREIGN KEY (run_id, launch_index) REFERENCES launch ON DELETE CASCADE
) WITHOUT ROWID;
CREATE TABLE launch_host (
  run_id       INTEGER NOT NULL,
  launch_index INTEGER NOT NULL,
  seconds      REAL NOT NULL,
  component_cycles INTEGER,
  component_cycles_ticked INTEGER,
  PRIMARY KEY (run_id, launch_index),
  FOREIGN KEY (run_id, launch_index) REFERENCES launch ON DELETE CASCADE
) WITHOUT ROWID;
CREATE TABLE statistic (
  stat_id     INTEGER PRIMARY KEY,
  form        TEXT NOT NULL CHECK (form IN ('counter', 'histogram')),
  component   TEXT NOT NULL,
  name        TEXT NOT NULL,
  unit        TEXT NOT NULL,
  description TEXT NOT NULL,
  UNIQUE (component, name, form)
);
CREATE TABLE instance (
  instance_id INTEGER PRIMARY KEY,
  path        TEXT NOT NULL UNIQUE,
  component   TEXT NOT NULL
);
CREATE TABLE counter_total (
  run_id       INTEGER NOT NULL,
  launch_index INTEGER NOT NULL,
  stat_id      INTEGER NOT NULL REFERENCES statistic,
  value        INTEGER NOT NULL,
  PRIMARY KEY (run_id, launch_index, stat_id),
  FOREIGN KEY (run_id, launch_index) REFERENCES launch ON DELETE CASCADE
) WITHOUT ROWID;
CREATE TABLE counter_value (
  run_id       INTEGER NOT NULL,
  launch_index INTEGER NOT NULL,
  stat_id      INTEGER NOT NULL REFERENCES statistic,
  instance_id  INTEGER NOT NULL REFERENCES instance,
  value        INTEGER NOT NULL,
  PRIMARY KEY (run_id, launch_index, stat_id, instance_id),
  FOREIGN KEY (run_id, launch_index) REFERENCES launch ON DELETE CASCADE
) WITHOUT ROWID;
CREATE TABLE histogram_total (
  run_id       INTEGER NOT NULL,
  launch_index INTEGER NOT NULL,
  stat_id      INTEGER NOT NULL REFERENCES statistic,
  count        INTEGER NOT NULL,
  sum          INTEGER NOT NULL,
  greatest     INTEGER NOT NULL,
  PRIMARY KEY (run_id, launch_index, stat_id),
  FOREIGN KEY (run_id, launch_index) REFERENCES launch ON DELETE CASCADE
) WITHOUT ROWID;
CREATE TABLE histogram_bucket (
  run_id       INTEGER NOT NULL,
  launch_index INTEGER NOT NULL,
  stat_id      INTEGER NOT NULL REFERENCES statistic,
  lower_bound  INTEGER NOT NULL,
  upper_bound  INTEGER,
  count        INTEGER NOT NULL,
  PRIMARY KEY (run_id, launch_index, stat_id, lower_bound),
  FOREIGN KEY (run_id, launch_index) REFERENCES launch ON DELETE CASCADE
) WITHOUT ROWID;
CREATE TABLE metric (
  metric      TEXT PRIMARY KEY,
  unit        TEXT NOT NULL,
  description TEXT NOT NULL,
  formula     TEXT
) WITHOUT ROWID;
CREATE TABLE metric_status (
  metric TEXT PRIMARY KEY REFERENCES metric,
  reason TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE metric_value (
  run_id       INTEGER NOT NULL,
  launch_index INTEGER NOT NULL,
  metric       TEXT NOT NULL REFERENCES metric,
  value        REAL,
  PRIMARY KEY (run_id, launch_index, metric),
  FOREIGN KEY (run_id, launch_index) REFERENCES launch ON DELETE CASCADE
) WITHOUT ROWID;
)sql";

constexpr const char* kMetricViews = R"sql(
CREATE VIEW metrics AS
SELECT v.run_id AS run_id, r.name AS run_name, coalesce(d.gpu, r.gpu) AS gpu, r.source AS source,
       v.launch_index AS launch_index, k.short_name AS kernel, l.kernel AS mangled_kernel, v.metric AS metric,
       v.value AS value, m.unit AS unit
FROM metric_value v
JOIN run r ON r.run_id = v.run_id
JOIN launch l ON l.run_id = v.run_id AND l.launch_index = v.launch_index
LEFT JOIN device d ON d.run_id = l.run_id AND d.device = l.device
JOIN kernel k ON k.name = l.kernel
JOIN metric m ON m.metric = v.metric;

CREATE VIEW counters AS
SELECT c.run_id AS run_id, r.name AS run_name, c.launch_index AS launch_index, k.short_name AS kernel, l.kernel AS mangled_kernel,
       s.component AS component, s.name AS name, c.value AS value, s.unit AS unit, s.description AS description
FROM counter_total c
JOIN run r ON r.run_id = c.run_id
JOIN launch l ON l.run_id = c.run_id AND l.launch_index = c.launch_index
JOIN kernel k ON k.name = l.kernel
JOIN statistic s ON s.stat_id = c.stat_id;

CREATE VIEW counters_by_instance AS
SELECT c.run_id AS run_id, r.name AS run_name, c.launch_index AS launch_index, k.short_name AS kernel, l.kernel AS mangled_kernel,
       i.path AS instance, s.component AS component, s.name AS name, c.value AS value, s.unit AS unit,
       s.description AS description
FROM counter_value c
JOIN run r ON r.run_id = c.run_id
JOIN launch l ON l.run_id = c.run_id AND l.launch_index = c.launch_index
JOIN kernel k ON k.name = l.kernel
JOIN statistic s ON s.stat_id = c.stat_id
JOIN instance i ON i.instance_id = c.instance_id;

CREATE VIEW stalls AS
SELECT run_id, run_name, gpu, source, launch_index, kernel, mangled_kernel,
       substr(metric, length('smsp__average_warps_issue_stalled_') + 1,
              length(metric) - length('smsp__average_warps_issue_stalled__per_issue_active.ratio')) AS reason,
       value AS warps_per_issue
FROM metrics
WHERE metric LIKE 'smsp\_\_average\_warps\_issue\_stalled\_%\_per\_issue\_active.ratio' ESCAPE '\';
)sql";

constexpr const char* kLatencyViews = R"sql(
CREATE VIEW histograms AS
SELECT h.run_id AS run_id, r.name AS run_name, h.launch_index AS launch_index, k.short_name AS kernel, l.kernel AS mangled_kernel,
       s.component AS component, s.name AS name, h.count AS count, CAST(h.sum AS REAL) / h.count AS mean,
       h.greatest AS greatest, s.unit AS unit, s.description AS description, h.stat_id AS stat_id
FROM histogram_total h
JOIN run r ON r.run_id = h.run_id
JOIN launch l ON l.run_id = h.run_id AND l.launch_index = h.launch_index
JOIN kernel k ON k.name = l.kernel
JOIN statistic s ON s.stat_id = h.stat_id;

CREATE VIEW load_latency AS
SELECT run_id, run_name, launch_index, kernel, mangled_kernel,
       CASE name WHEN 'load_latency' THEN 'constant' ELSE substr(name, length('load_latency_') + 1) END AS served_by,
       count AS loads, mean AS mean_cycles, greatest AS greatest_cycles
FROM histograms WHERE name LIKE 'load\_latency%' ESCAPE '\';

CREATE VIEW load_latency_histogram AS
SELECT h.run_id AS run_id, h.run_name AS run_name, h.launch_index AS launch_index, h.kernel AS kernel,
       h.mangled_kernel AS mangled_kernel,
       CASE h.name WHEN 'load_latency' THEN 'constant' ELSE substr(h.name, length('load_latency_') + 1) END AS served_by,
       b.lower_bound AS lower_bound,
       b.upper_bound AS upper_bound, b.count AS loads
FROM histograms h
JOIN histogram_bucket b ON b.run_id = h.run_id AND b.launch_index = h.launch_index AND b.stat_id = h.stat_id
WHERE h.name LIKE 'load\_latency%' ESCAPE '\';

CREATE VIEW queueing AS
SELECT run_id, run_name, launch_index, kernel, mangled_kernel, component, name AS queue, count AS requests, mean AS mean_cycles,
       greatest AS greatest_cycles
FROM histograms WHERE name LIKE '%queueing' OR name LIKE '%\_wait' ESCAPE '\';

CREATE VIEW queueing_histogram AS
SELECT h.run_id AS run_id, h.run_name AS run_name, h.launch_index AS launch_index, h.kernel AS kernel,
       h.mangled_kernel AS mangled_kernel,
       h.component AS component, h.name AS queue, b.lower_bound AS lower_bound, b.upper_bound AS upper_bound,
       b.count AS requests
FROM histograms h
JOIN histogram_bucket b ON b.run_id = h.run_id AND b.launch_index = h.launch_index AND b.stat_id = h.stat_id
WHERE h.name LIKE '%queueing' OR h.name LIKE '%\_wait' ESCAPE '\';
)sql";

constexpr const char* kHostView = R"sql(
CREATE VIEW host_speed AS
SELECT h.run_id AS run_id, r.name AS run_name, h.launch_index AS launch_index, k.short_name AS kernel, l.kernel AS mangled_kernel,
       h.seconds AS seconds, m.value / h.seconds AS instructions_per_second,
       1 - CAST(h.component_cycles_ticked AS REAL) / h.component_cycles AS skipped_share
FROM launch_host h
JOIN run r ON r.run_id = h.run_id
JOIN launch l ON l.run_id = h.run_id AND l.launch_index = h.launch_index
JOIN kernel k ON k.name = l.kernel
LEFT JOIN metric_value m ON m.run_id = h.run_id AND m.launch_index = h.launch_index
                        AND m.metric = 'smsp__inst_executed.sum';
)sql";

constexpr const char* kSummaryView = R"sql(
CREATE VIEW kernel_summary AS
WITH wide AS (
  SELECT run_id, launch_index,
         max(value) FILTER (WHERE metric = 'gpc__cycles_elapsed.max') AS cycles,
         max(value) FILTER (WHERE metric = 'gpu__time_duration.sum') AS time_ns,
         max(value) FILTER (WHERE metric = 'smsp__inst_executed.sum') AS instructions,
         max(value) FILTER (WHERE metric = 'sm__warps_active.avg.pct_of_peak_sustained_active') AS occupancy,
         max(value) FILTER (WHERE metric = 'l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum') AS l1_hit,
         max(value) FILTER (WHERE metric = 'l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum') AS l1_sectors,
         max(value) FILTER (WHERE metric = 'lts__t_sectors_lookup_hit.sum') AS l2_hit,
         max(value) FILTER (WHERE metric = 'lts__t_sectors_lookup_miss.sum') AS l2_miss,
         max(value) FILTER (WHERE metric = 'lts__t_sectors.sum') AS l2_sectors,
         max(value) FILTER (WHERE metric = 'dram__bytes_read.sum') AS dram_read,
         max(value) FILTER (WHERE metric = 'dram__bytes_write.sum') AS dram_write
  FROM metric_value GROUP BY run_id, launch_index
), stall AS (
  SELECT run_id, launch_index, reason,
         row_number() OVER (PARTITION BY run_id, launch_index ORDER BY warps_per_issue DESC, reason) AS place
  FROM stalls WHERE reason <> 'selected' AND warps_per_issue > 0
), latency AS (
  SELECT h.run_id AS run_id, h.launch_index AS launch_index, CAST(sum(h.sum) AS REAL) / sum(h.count) AS mean
  FROM histogram_total h JOIN statistic s ON s.stat_id = h.stat_id
  WHERE s.name IN ('load_latency_l1', 'load_latency_l2_near', 'load_latency_l2_far', 'load_latency_dram')
  GROUP BY h.run_id, h.launch_index
)
SELECT l.run_id AS run_id, r.name AS run_name, coalesce(d.gpu, r.gpu) AS gpu, l.device AS device, r.source AS source,
       l.launch_index AS launch_index, k.short_name AS kernel, l.kernel AS mangled_kernel, k.demangled AS name,
       l.grid_x || ' x ' || l.grid_y || ' x ' || l.grid_z AS grid,
       l.block_x || ' x ' || l.block_y || ' x ' || l.block_z AS block,
       CAST(w.cycles AS INTEGER) AS cycles, w.time_ns / 1000 AS time_us, CAST(w.instructions AS INTEGER) AS instructions,
       w.instructions / w.cycles AS ipc,
       w.occupancy AS occupancy_achieved_pct,
       (SELECT value FROM launch_attribute a WHERE a.run_id = l.run_id AND a.launch_index = l.launch_index
        AND a.name = 'theoretical_occupancy_pct') AS occupancy_theoretical_pct,
       (SELECT value FROM launch_attribute a WHERE a.run_id = l.run_id AND a.launch_index = l.launch_index
        AND a.name = 'occupancy_limiter') AS occupancy_limiter,
       100 * w.l1_hit / w.l1_sectors AS l1_hit_pct,
       100 * w.l2_hit / (w.l2_hit + w.l2_miss) AS l2_hit_pct,
       w.l2_sectors * 32 / w.time_ns AS l2_gb_per_s,
       (w.dram_read + w.dram_write) / w.time_ns AS dram_gb_per_s,
       y.mean AS mean_load_latency_cycles,
       s.reason AS top_stall,
       l.status AS status
FROM launch l
JOIN run r ON r.run_id = l.run_id
JOIN kernel k ON k.name = l.kernel
LEFT JOIN device d ON d.run_id = l.run_id AND d.device = l.device
LEFT JOIN wide w ON w.run_id = l.run_id AND w.launch_index = l.launch_index
LEFT JOIN stall s ON s.run_id = l.run_id AND s.launch_index = l.launch_index AND s.place = 1
LEFT JOIN latency y ON y.run_id = l.run_id AND y.launch_index = l.launch_index;
)sql";

constexpr const char* kComparisonView = R"sql(
CREATE VIEW comparison AS
SELECT s.run_id AS run_id, s.run_name AS run_name, v.workload AS workload, v.variant AS variant, s.gpu AS gpu, s.device AS device,
       r.trace AS trace, r.trace_hash AS trace_hash, s.launch_index AS launch_index, s.kernel AS kernel,
       s.mangled_kernel AS mangled_kernel, s.name AS name, s.grid AS grid, s.block AS block, s.cycles AS cycles,
       s.time_us AS time_us,
       first_value(s.time_us) OVER (PARTITION BY v.workload_id, s.launch_index ORDER BY s.run_id) / s.time_us AS speed_up,
       s.instructions AS instructions, s.ipc AS ipc, s.occupancy_achieved_pct AS occupancy_achieved_pct,
       s.occupancy_theoretical_pct AS occupancy_theoretical_pct, s.occupancy_limiter AS occupancy_limiter,
       s.l1_hit_pct AS l1_hit_pct, s.l2_hit_pct AS l2_hit_pct, s.l2_gb_per_s AS l2_gb_per_s,
       s.dram_gb_per_s AS dram_gb_per_s, s.mean_load_latency_cycles AS mean_load_latency_cycles,
       (SELECT group_concat(reason || ' ' || printf('%.1f', warps_per_issue), ', ')
        FROM (SELECT reason, warps_per_issue FROM stalls t
              WHERE t.run_id = s.run_id AND t.launch_index = s.launch_index AND reason <> 'selected'
                AND warps_per_issue > 0
              ORDER BY warps_per_issue DESC, reason LIMIT 3)) AS top_stalls,
       s.status AS status
FROM kernel_summary s JOIN run r ON r.run_id = s.run_id JOIN variants v ON v.run_id = s.run_id
WHERE s.source = 'simulated';
)sql";

}  // namespace

void create_schema(Database& database) {
  if (database.integer("PRAGMA application_id") == kApplicationId) {
    check_schema(database);
    return;
  }
  Transaction transaction(database);
  // Another process may have been faster: only values read inside the transaction are valid.
  const bool empty =
      database.integer("SELECT count(*) FROM sqlite_master") == 0 && database.integer("PRAGMA application_id") == 0;
  if (!empty) {
    check_schema(database);
    return;
  }
  database.execute(kCoreTables);
  database.execute(kMetricViews);
  database.execute(kLatencyViews);
  database.execute(kHostView);
  database.execute(stream_schema());
  database.execute(range_schema());
  database.execute(kSummaryView);
  database.execute(variant_schema());
  database.execute(kComparisonView);
  database.execute(series_schema());
  database.execute(hot_spot_schema());
  update_sweep_view(database);
  database.execute("PRAGMA application_id = " + std::to_string(kApplicationId));
  database.execute("PRAGMA user_version = " + std::to_string(kSchemaVersion));
  transaction.commit();
}

void check_schema(const Database& database) {
  if (database.integer("PRAGMA application_id") != kApplicationId) {
    throw DatabaseError(database.path() + ": not a warpsim results database");
  }
  const std::int64_t version = database.integer("PRAGMA user_version");
  if (version != kSchemaVersion) {
    throw DatabaseError(database.path() + ": results database of schema version " + std::to_string(version) +
                        "; this warpsim reads and writes version " + std::to_string(kSchemaVersion));
  }
  check_layout(database);
}

}  // namespace warpsim
