#include "stats/schema_streams.h"

namespace warpsim {

std::string stream_schema() {
  return R"sql(
CREATE TABLE device (
  run_id      INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
  device      INTEGER NOT NULL,
  gpu         TEXT NOT NULL,
  config_file TEXT,
  config_hash TEXT,
  PRIMARY KEY (run_id, device)
) WITHOUT ROWID;
CREATE TABLE device_config (
  run_id INTEGER NOT NULL,
  device INTEGER NOT NULL,
  path   TEXT NOT NULL,
  value  TEXT,
  origin TEXT,
  PRIMARY KEY (run_id, device, path),
  FOREIGN KEY (run_id, device) REFERENCES device ON DELETE CASCADE
) WITHOUT ROWID;
CREATE TABLE device_work (
  run_id       INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
  device       INTEGER NOT NULL,
  work_index   INTEGER NOT NULL,
  kind         TEXT NOT NULL,
  stream       INTEGER NOT NULL,
  in_graph     INTEGER NOT NULL,
  priority     INTEGER NOT NULL,
  launch_index INTEGER,
  bytes        INTEGER NOT NULL,
  peer_device  INTEGER,
  submitted_ns REAL NOT NULL,
  start_ns     REAL NOT NULL,
  end_ns       REAL NOT NULL,
  waited_for_work_ns  REAL NOT NULL,
  waited_for_queue_ns REAL NOT NULL,
  waited_for_place_ns REAL NOT NULL,
  PRIMARY KEY (run_id, device, work_index),
  FOREIGN KEY (run_id, launch_index) REFERENCES launch ON DELETE CASCADE
) WITHOUT ROWID;

CREATE VIEW device_timeline AS
SELECT w.run_id AS run_id, r.name AS run_name, coalesce(d.gpu, r.gpu) AS gpu, w.device AS device,
       w.work_index AS work_index, w.kind AS kind, w.launch_index AS launch_index, k.short_name AS kernel,
       l.kernel AS mangled_kernel, w.stream AS stream, w.in_graph AS in_graph, w.priority AS priority, w.bytes AS bytes,
       w.peer_device AS peer_device, w.submitted_ns / 1000 AS submitted_us, w.start_ns / 1000 AS start_us,
       w.end_ns / 1000 AS end_us, (w.end_ns - w.start_ns) / 1000 AS time_us,
       w.waited_for_work_ns / 1000 AS waited_for_work_us, w.waited_for_queue_ns / 1000 AS waited_for_queue_us,
       w.waited_for_place_ns / 1000 AS waited_for_place_us
FROM device_work w
JOIN run r ON r.run_id = w.run_id
LEFT JOIN device d ON d.run_id = w.run_id AND d.device = w.device
LEFT JOIN launch l ON l.run_id = w.run_id AND l.launch_index = w.launch_index
LEFT JOIN kernel k ON k.name = l.kernel;

CREATE VIEW streams AS
SELECT run_id, run_name, gpu, device, stream, count(*) FILTER (WHERE kind = 'kernel') AS kernels,
       count(*) FILTER (WHERE kind LIKE 'copy%') AS copies, count(*) FILTER (WHERE kind = 'fill') AS fills,
       sum(bytes) AS bytes, min(submitted_us) AS first_submitted_us, max(end_us) AS last_end_us,
       sum(time_us) FILTER (WHERE kind = 'kernel') AS kernel_us,
       sum(time_us) FILTER (WHERE kind LIKE 'copy%' OR kind = 'fill') AS copy_us,
       sum(waited_for_work_us) AS waited_for_work_us, sum(waited_for_queue_us) AS waited_for_queue_us,
       sum(waited_for_place_us) AS waited_for_place_us
FROM device_timeline WHERE kind <> 'page faults' GROUP BY run_id, device, stream;
)sql";
}

}  // namespace warpsim
