#include "stats/schema_ranges.h"

namespace warpsim {

std::string range_schema() {
  return R"sql(
CREATE TABLE host_range (
  run_id       INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
  range_number INTEGER NOT NULL,
  parent       INTEGER,
  kind         TEXT NOT NULL CHECK (kind IN ('pushed', 'started')),
  thread       INTEGER NOT NULL,
  domain       TEXT NOT NULL,
  name         TEXT NOT NULL,
  PRIMARY KEY (run_id, range_number)
) WITHOUT ROWID;
CREATE TABLE host_range_launch (
  run_id       INTEGER NOT NULL,
  range_number INTEGER NOT NULL,
  launch_index INTEGER NOT NULL,
  PRIMARY KEY (run_id, range_number, launch_index),
  FOREIGN KEY (run_id, range_number) REFERENCES host_range ON DELETE CASCADE,
  FOREIGN KEY (run_id, launch_index) REFERENCES launch ON DELETE CASCADE
) WITHOUT ROWID;

CREATE VIEW ranges AS
SELECT h.run_id AS run_id, r.name AS run_name, h.range_number AS range_number, h.parent AS parent, h.kind AS kind,
       h.thread AS thread, h.domain AS domain, h.name AS name, count(l.launch_index) AS launches,
       sum(w.end_ns - w.start_ns) / 1000 AS kernel_us, min(w.start_ns) / 1000 AS first_start_us,
       max(w.end_ns) / 1000 AS last_end_us, (max(w.end_ns) - min(w.start_ns)) / 1000 AS span_us
FROM host_range h
JOIN run r ON r.run_id = h.run_id
LEFT JOIN host_range_launch x ON x.run_id = h.run_id AND x.range_number = h.range_number
LEFT JOIN launch l ON l.run_id = x.run_id AND l.launch_index = x.launch_index
LEFT JOIN device_work w ON w.run_id = x.run_id AND w.launch_index = x.launch_index AND w.kind = 'kernel'
GROUP BY h.run_id, h.range_number;

CREATE VIEW range_summary AS
SELECT run_id, run_name, domain, name, count(*) AS ranges, sum(launches) AS launches, sum(kernel_us) AS kernel_us,
       sum(span_us) AS span_us, min(span_us) AS shortest_span_us, max(span_us) AS longest_span_us
FROM ranges GROUP BY run_id, domain, name;
)sql";
}

}  // namespace warpsim
